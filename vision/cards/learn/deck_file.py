"""The file of a learned deck: a zip that holds `deck.json` and a PNG a face, so that people can look inside."""

import json
import zipfile
import zlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.vision.cards.learn.die import SIDE_PX, LearnedDie
from linesies.vision.cards.learn.faces import Faces
from linesies.vision.cards.learn.flat import FINE, HEIGHT_MM, WIDTH_MM
from linesies.vision.errors import BadInput

FORMAT = "linesies deck 1"
INDEX = "deck.json"
_CARD = (HEIGHT_MM * FINE, WIDTH_MM * FINE, 3)
_DIE = (SIDE_PX, SIDE_PX, 3)
_MOST_FACES = 2000
_MOST_BYTES = 1_000_000  # of one face; a PNG of this size is a tenth of it


def write_deck(path: str | Path, faces: Faces, die: LearnedDie | None) -> None:
    """Write a deck file; raises BadInput where it can't be written."""
    index = {"format": FORMAT, "cards": list(faces.names), "die": list(die.names) if die else []}
    try:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as file:
            file.writestr(INDEX, json.dumps(index, ensure_ascii=False))
            for kind, pictures in (("cards", faces.fine), ("die", die.faces if die else ())):
                for number, picture in enumerate(pictures):
                    png = cv2.imencode(".png", np.clip(np.round(picture), 0, 255).astype(np.uint8))[1]
                    file.writestr(f"{kind}/{number}.png", png.tobytes())
    except OSError as fault:
        raise BadInput(f"{path}: cannot be written ({fault.strerror}); choose another place") from None


def read_deck(path: str | Path) -> tuple[Faces, LearnedDie | None]:
    """Read a deck file: its cards, and its die if it has one; raises BadInput for what `learn` did not write."""
    try:
        with zipfile.ZipFile(path) as file:
            index = _index(file)
            cards = _faces(file, "cards", index, _CARD)
            sides = _faces(file, "die", index, _DIE)
    except OSError as fault:
        raise BadInput(f"{path}: cannot be read ({fault.strerror}); check the name and the rights") from None
    except (zipfile.BadZipFile, zlib.error, KeyError, ValueError, NotImplementedError, RuntimeError, EOFError) as fault:
        raise BadInput(f"{path}: is no deck file ({fault}); write one with `linesies learn`") from None
    if not cards:
        raise BadInput(f"{path}: names no card; write it anew with `linesies learn`")
    return Faces(tuple(cards), np.stack(list(cards.values()))), (
        LearnedDie(tuple(sides), np.stack(list(sides.values()))) if sides else None
    )


def _index(file: zipfile.ZipFile) -> dict[str, Any]:
    index = json.loads(_member(file, INDEX))
    if not isinstance(index, dict) or index.get("format") != FORMAT:
        raise ValueError(f"its format is not {FORMAT!r}")
    return index


def _faces(
    file: zipfile.ZipFile, kind: str, index: dict[str, Any], shape: tuple[int, ...]
) -> dict[str, NDArray[np.float32]]:
    names = index.get(kind)
    if not isinstance(names, list) or not all(isinstance(name, str) and name for name in names):
        raise ValueError(f"`{kind}` must list names")
    if len(names) > _MOST_FACES or len(set(names)) != len(names):
        raise ValueError(f"`{kind}` must list each name once")
    return {name: _picture(file, f"{kind}/{number}.png", shape) for number, name in enumerate(names)}


def _member(file: zipfile.ZipFile, name: str) -> bytes:
    if file.getinfo(name).file_size > _MOST_BYTES:
        raise ValueError(f"{name} is too large")
    return file.read(name)


def _picture(file: zipfile.ZipFile, name: str, shape: tuple[int, ...]) -> NDArray[np.float32]:
    data = _member(file, name)
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    if picture is None or picture.shape != shape:
        raise ValueError(f"{name} is no picture of {shape[1]}x{shape[0]}")
    return picture.astype(np.float32)
