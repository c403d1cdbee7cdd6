"""Tables to take along, for a spreadsheet or a program."""

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from flask import Response

SHEET_STARTS = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet would take for a formula


def csv_text(columns: Sequence[str], told: Iterable[Mapping[str, Any]]) -> str:
    """Write a table, a row each; nothing in it is taken for a formula."""
    written = io.StringIO()
    rows = csv.writer(written)
    rows.writerow(columns)
    for one in told:
        rows.writerow([_cell(one.get(column)) for column in columns])
    return written.getvalue()


def json_lines(told: Iterable[Any]) -> str:
    """Write each as JSON on a line of its own."""
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in told)


def to_keep(text: str, kind: str, name: str) -> Response:
    """Answer with a file that a browser saves under a name."""
    return Response(text, mimetype=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})


def _cell(value: object) -> str:
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"'{text}" if isinstance(value, str) and text.startswith(SHEET_STARTS) else text
