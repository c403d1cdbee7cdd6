"""Which of the rows that a board pushes join on to those a hub holds. Pure.

Each row's seal is a hash over the row and the seal before it. So whoever has the same seal at one row has the same rows
up to it, and a row that was lost, changed or put in shows itself.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from linesies.league.wire import HubAnswer, Pushed, Refusal, Values, row_of
from linesies.referee.seals import is_sealed


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """Rows that are new, and the answer once they are durably held."""

    rows: tuple[Values, ...]
    answer: HubAnswer


def joined(held: HubAnswer, pushed: Pushed, seal_at: Callable[[int], str | None]) -> Joined | Refusal:
    """Find the rows that follow those held; a repeat is none, a hole or a fork is refused with what is held.

    `seal_at` gives the seal of a row that is held, None where there is none of that number.
    """
    fault = _fault_in(pushed)
    if fault is not None:
        return Refusal(code="unsealed", message=fault, held=held.held, seal=held.seal)
    known = [row for row in pushed.rows if row[0] <= held.held]
    fresh = pushed.rows[len(known) :]
    if known and (seal_at(known[-1][0]) or "") != (known[-1][-1] or ""):
        return _refused("fork", f"row {known[-1][0]} is another than the one that is held", held)
    before = (known[-1][-1] or "") if known else pushed.before
    if fresh and before != held.seal:
        if held.held and (known or not before):
            return _refused("fork", f"row {fresh[0][0]} does not follow row {held.held}, which is held", held)
        return _refused("hole", f"rows between {held.held} and {fresh[0][0]} are missing", held)
    newest = HubAnswer(held=fresh[-1][0], seal=fresh[-1][-1] or "") if fresh else held
    return Joined(rows=tuple(fresh), answer=newest)


def _fault_in(pushed: Pushed) -> str | None:
    """Say which row of a message is not as it was sealed, or out of its order."""
    if any(a >= b for a, b in pairwise(row[0] for row in pushed.rows)):
        return "rows are not in their order"
    before = pushed.before
    for *values, seal in pushed.rows:
        if not is_sealed(values, seal, before):
            return f"row {values[0]} is not as it was sealed"
        before = seal or ""
        try:
            row_of((*values, seal))
        except ValueError:
            return f"row {values[0]} cannot be read"
    return None


def _refused(code: str, message: str, held: HubAnswer) -> Refusal:
    return Refusal(code=code, message=message, held=held.held, seal=held.seal)
