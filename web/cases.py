"""The case file of a row as a download: nothing is sent by itself, people decide who gets it."""

from flask import Blueprint, Response, abort

from linesies.web.ports import CaseFile


def case_pages(case_file: CaseFile | None) -> Blueprint:
    """Make the download, for whoever may see the pictures behind a call."""
    pages = Blueprint("cases", __name__)

    @pages.get("/case/<int:row>.zip")
    def of_row(row: int) -> Response:
        data = None if case_file is None else case_file(row)
        if data is None:
            abort(404)
        named = {"Content-Disposition": f"attachment; filename=linesies-case-{row}.zip"}
        return Response(data, mimetype="application/zip", headers=named)

    return pages
