"""A game's own cards, learned in a process of its own while all else goes on, from photographs taken by phone."""

import re
from pathlib import Path

from linesies.device.loop.child import Child
from linesies.device.places import deck_file, learning_file, photographs_folder
from linesies.referee.saying import Saying, Trouble

WHO = "cards"


class CardLesson:
    """Remembers whose cards are being learned; one game's at a time."""

    def __init__(self, state: Path) -> None:
        self._state = state
        self._child = Child()
        self._game = ""

    def begin(self, game: str) -> list[Trouble]:
        """Begin to learn a game's cards; says why not."""
        if self._child.is_at_work:
            return []
        folder, deck = photographs_folder(self._state, game), deck_file(self._state, game)
        try:
            deck.parent.mkdir(parents=True, exist_ok=True)
            said_file = learning_file(self._state, game)
            self._child.begin(["linesies", "learn", str(folder), "-o", f"{deck}.new"], said_file=said_file)
        except OSError as fault:
            return [Trouble(WHO, Saying("cards_unlearned", why=str(fault)))]
        self._game = game
        return []

    def done(self) -> list[Trouble]:
        """Tell once what became of it; the deck takes the place of the last one as soon as it is whole."""
        outcome = self._child.done(self._settle)
        if outcome is None:
            return []
        again = named_cards(outcome.said, photographs_folder(self._state, self._game))
        if outcome.status != 0:
            missing = Saying("cards_missing", {"cards": again}, why=outcome.said)
            return [Trouble(WHO, missing if again else Saying("cards_unlearned", why=outcome.said))]
        return [Trouble(WHO, Saying("cards_again", {"cards": again})) if again else Trouble.over(WHO)]

    def _settle(self, status: int) -> None:
        if status == 0:
            deck = deck_file(self._state, self._game)
            Path(f"{deck}.new").replace(deck)


def named_cards(told: str, folder: Path) -> list[str]:
    """List the cards of whose photographs in that folder something is said.

    >>> named_cards("linesies: warning: d/skipbo/7 and d/skipbo/11: cannot be told apart", Path("d/skipbo"))
    ['7', '11']
    """
    found = re.findall(rf"{re.escape(str(folder))}/((?:die/)?[\w-]+(?::[\w-]+)*)", told)
    return list(dict.fromkeys(found))
