"""Seals: each row carries a hash of itself and of the seal before it, so that not one flipped bit goes unnoticed.

SQLite's own checks look at the tree of pages, not at what stands in a row.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import Any

BITS = 128
COLUMNS = ("id", "at", "origin", "kind", "about", "body", "format", "rules", "state")  # what is sealed, in this order


def seal(values: Sequence[Any], before: str) -> str:
    """Hash a row's columns, as a JSON array after the seal of the row before it; raises for what no row can hold."""
    text = json.dumps([before, *values])
    return hashlib.blake2b(text.encode(), digest_size=BITS // 8).hexdigest()


def sealed_after(before: str, rows: Iterable[Sequence[Any]]) -> list[tuple[Any, ...]]:
    """Add to the columns of each row its seal, the first coming after the row with the seal `before`."""
    sealed = []
    for values in rows:
        before = seal(values, before)
        sealed.append((*values, before))
    return sealed


def is_sealed(values: Sequence[Any], told: str | None, before: str | None) -> bool:
    """Tell whether a row is what was written; one of format 1 has no seal, and stands before all that have one."""
    if told is None:
        return values[COLUMNS.index("format")] is None and not before
    try:
        return told == seal(values, before or "")
    except (TypeError, ValueError):  # a number has become bytes
        return False
