"""Setting a card game right: what people agree each player has, which no book says anything of."""

from collections.abc import Mapping
from typing import Any

from linesies.rules.forms import Field, Form
from linesies.rules.game import Ruling

NOT_IN_THE_BOOK = "Not in the book"


def correct_form(*numbers: Field) -> Form:
    """Make the form of `correct`: for each player named, those of the numbers that are to be others."""
    record = Field(name="", kind="record", of=numbers)
    return Form("correct", (Field(name="players", kind="table", by="player", of=(record,)),))


def fault_of_edits(form: Form, edits: Any, names: list[str]) -> str | None:
    """Say what makes the `players` of a `correct` senseless, or None."""
    [record] = form.fields[0].of
    bounds = {one.name: one for one in record.of}
    if not isinstance(edits, dict) or not edits or not all(name in names for name in edits):
        return f'"players" must say what is to be set right of {", ".join(names)}'
    for edit in edits.values():
        if not isinstance(edit, dict) or not edit or not all(_is_within(bounds.get(k), v) for k, v in edit.items()):
            told = ", ".join(f"{one.name} from {one.least} to {one.most}" for one in record.of)
            return f"of a player there can be set right: {told}"
    return None


def corrected(edits: Mapping[str, Any]) -> tuple[Ruling, ...]:
    """Announce that a game was set right."""
    return (Ruling("corrected", NOT_IN_THE_BOOK, {"players": list(edits)}),)


def _is_within(bound: Field | None, value: Any) -> bool:
    if bound is None or type(value) is not int:
        return False
    assert bound.least is not None
    assert bound.most is not None
    return bound.least <= value <= bound.most
