"""Writes a simulated card game as a clip with its truth, and all that `calibrate`, `learn` and `watch` read."""

import json
from itertools import islice
from pathlib import Path

import cv2

from linesies.device.progress import with_time_left
from linesies.simulator.cards.ink import Image
from linesies.simulator.cards.photos import photograph_deck, photograph_faces
from linesies.simulator.cards.sitting import SimulatedTable
from linesies.simulator.street.film import JPEG_QUALITY, encode, make_folder, write_json, write_lines
from linesies.simulator.street.truth import board_file, lens_file


def write_table_clip(table: SimulatedTable, frames: int, folder: Path, *, is_jpeg: bool = False) -> None:
    """Write `frames` frames, the truth of what hands did, and in `orders.jsonl` what people said meanwhile."""
    make_folder(folder)
    cv2.imwrite(str(folder / "empty.jpg"), table.empty_bgr, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    write_json(folder / "board.json", board_file(table.board))
    write_json(folder / "lens.json", lens_file(table.lens))
    write_json(folder / "start.json", table.start)
    write_json(folder / "corners.json", {"corners": table.corners_px})
    if table.stage.game != "skull":
        _write_lesson(table, folder / "learn" / table.stage.game)
    film = folder / ("clip.avi" if is_jpeg else "clip.mp4")
    shown = with_time_left(islice(table.frames(), frames), "frames", frames)
    encode(film, shown, table.size_px, int(table.fps), is_jpeg=is_jpeg)
    end_s = frames / table.fps
    write_lines(folder / "truth.jsonl", [t for t in table.truth if t.get("t_clear", end_s) < end_s])
    said = [t for t in table.truth if "t_start" not in t]
    (folder / "orders.jsonl").write_text("".join(json.dumps(t) + "\n" for t in said))


def _write_lesson(table: SimulatedTable, folder: Path) -> None:
    """Photograph each card of a deck that is not an ordinary one."""
    for name, picture in photograph_deck(table.stage.deck, table.stage.rng(5)):
        _write_photo(folder / name, picture)
    for face, picture in photograph_faces(table.stage.rng(5)) if table.stage.game == "skipbo" else ():
        _write_photo(folder / "die" / face, picture)


def _write_photo(folder: Path, picture: Image) -> None:
    make_folder(folder)
    cv2.imwrite(str(folder / "1.jpg"), picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
