"""The rule book in plain words: one paragraph for each of the printed book's, under the label that rulings rest on."""

from collections.abc import Callable
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph: its label in the printed book, what it is about, what it says, and what its drawing shows.

    `shows` names regions of the board or cards, as the game's rules do.
    """

    rule: str
    title: str
    text: str
    shows: tuple[str, ...] = ()

    def translated(self, translate: Callable[[str], str]) -> "Paragraph":
        """Say it in another language."""
        return replace(self, title=translate(self.title), text=translate(self.text))
