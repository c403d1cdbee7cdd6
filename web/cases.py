"""The case file of a row as a download: nothing is sent by itself, people decide who gets it."""

from flask import Blueprint, Response, abort

from linesies.web.ports import CaseFile, JournalReader


def case_pages(journal: JournalReader, case_file: CaseFile | None) -> Blueprint:
    """Make the download, for whoever may see the pictures behind a call: nobody, before people have called it."""
    pages = Blueprint("cases", __name__)

    @pages.get("/case/<int:row>.zip")
    def of_row(row: int) -> Response:
        data = None if case_file is None or row in journal.uncalled() else case_file(row)
        if data is None:
            abort(404)
        named = {"Content-Disposition": f"attachment; filename=linesies-case-{row}.zip"}
        return Response(data, mimetype="application/zip", headers=named)

    return pages
