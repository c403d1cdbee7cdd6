"""Views: the same story as each phone may see it, by the players it plays for."""

from dataclasses import dataclass
from typing import Any

from linesies.web.language import ENGLISH, in_language
from linesies.web.ports import Told


@dataclass(frozen=True, slots=True)
class PhoneView:
    """Whose secrets a phone may know, and in which language it is told."""

    seats: tuple[str, ...] = ()
    language: str = ENGLISH


EVERYBODYS = PhoneView()


def story_for(journal: Told, view: PhoneView) -> dict[str, Any]:
    """Write the story for a view."""
    return in_language(journal.story_json(view.seats), view.language)
