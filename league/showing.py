"""The doors of files that show calls: boards bring them, and everybody sees those that a board's owner lets be seen."""

import io
from typing import Any

from flask import Flask, Response, abort, send_file

from linesies.league.files import KINDS, Files
from linesies.league.signed import answered, signed
from linesies.league.standings import Standings
from linesies.league.wire import Offered, Refusal, Wanted

CLIP_KEYS = ("start_s", "contacts_s", "view")  # of a row of kind `evidence`
NAMES = {"clip": ("video/mp4", "mp4"), "case": ("application/zip", "zip")}
UNKNOWN_KIND = Refusal(code="not_understood", message=f"a file is one of {', '.join(KINDS)}")


def take_files(app: Flask, files: Files) -> None:
    """Add what boards bring."""

    @app.post("/league/files")
    def offer() -> Response:
        return answered(Offered, files.offered)

    @app.post("/league/files/<epoch>/<int:row>/<kind>/<digest>")
    def bring(epoch: str, row: int, kind: str, digest: str) -> Response:
        def keep(board: str, data: bytes) -> Wanted | Refusal:
            if kind not in KINDS:
                return UNKNOWN_KIND
            return files.keep(board, data, epoch=epoch, file=(row, kind), sha256=digest)

        return signed(keep)


def show_files(app: Flask, files: Files, standings: Standings) -> None:
    """Add what people see; nothing of it stays on a phone, so that what is taken back is gone there too."""

    @app.get("/boards/<board>/files/<int:row>.json")
    def told(board: str, row: int) -> dict[str, Any]:
        there = files.of_row(board, row)
        found = standings.find(board) if there else None
        made = {} if found is None else standings.story(found).evidence.get(row, {})
        shown: dict[str, Any] = {kind: f"/boards/{board}/files/{row}/{kind}" for kind in there}
        return {**shown, **({key: made[key] for key in CLIP_KEYS if key in made} if "clip" in there else {})}

    @app.get("/boards/<board>/files/<int:row>/<kind>")
    def show(board: str, row: int, kind: str) -> Response:
        data = files.read(board, row, kind) if kind in NAMES else None
        if data is None:
            abort(404)
        mimetype, ending = NAMES[kind]
        name = f"{row}.{ending}"
        answer = send_file(
            io.BytesIO(data), mimetype, download_name=name, as_attachment=kind == "case", conditional=True
        )
        answer.headers["Cache-Control"] = "no-store"
        return answer
