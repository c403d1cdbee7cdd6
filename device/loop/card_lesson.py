"""A game's own cards, learned in a process of its own while all else goes on, from photographs taken by phone."""

import contextlib
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from linesies.device.places import deck_file, learning_file, photographs_folder
from linesies.referee.saying import Saying, Trouble

WHO = "cards"


@dataclass(frozen=True, slots=True)
class _Learning:
    """A process that learns a game's cards; what it says is in the game's learning file."""

    game: str
    process: subprocess.Popen[bytes]


class CardLesson:
    """Remembers what is being learned; one game's cards at a time."""

    def __init__(self, state: Path) -> None:
        self._state = state
        self._learning: _Learning | None = None

    def begin(self, game: str) -> list[Trouble]:
        """Begin to learn a game's cards; says why not."""
        if self._learning is not None:
            return []
        folder, deck = photographs_folder(self._state, game), deck_file(self._state, game)
        command = [sys.executable, "-P", "-m", "linesies", "learn", str(folder), "-o", f"{deck}.new"]
        try:
            deck.parent.mkdir(parents=True, exist_ok=True)
            with learning_file(self._state, game).open("wb") as said:
                process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=said)  # noqa: S603 - our own words
        except OSError as fault:
            return [Trouble(WHO, Saying("cards_unlearned", why=str(fault)))]
        self._learning = _Learning(game, process)
        return []

    def done(self) -> list[Trouble]:
        """Tell once what became of it; the deck takes the place of the last one as soon as it is whole."""
        if self._learning is None or self._learning.process.poll() is None:
            return []
        game, status = self._learning.game, self._learning.process.returncode
        self._learning = None
        said, deck = learning_file(self._state, game), deck_file(self._state, game)
        told = ""
        with contextlib.suppress(OSError):
            told = said.read_text()
            if status == 0:
                Path(f"{deck}.new").replace(deck)
            said.unlink()
        again = named_cards(told, photographs_folder(self._state, game))
        if status != 0:
            missing = Saying("cards_missing", {"cards": again}, why=told)
            return [Trouble(WHO, missing if again else Saying("cards_unlearned", why=told))]
        return [Trouble(WHO, Saying("cards_again", {"cards": again})) if again else Trouble.over(WHO)]


def named_cards(told: str, folder: Path) -> list[str]:
    """List the cards of whose photographs in that folder something is said.

    >>> named_cards("linesies: warning: d/skipbo/7 and d/skipbo/11: cannot be told apart", Path("d/skipbo"))
    ['7', '11']
    """
    found = re.findall(rf"{re.escape(str(folder))}/((?:die/)?[\w:-]+)", told)
    return list(dict.fromkeys(found))
