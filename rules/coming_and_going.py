"""Who leaves a card game and who joins one, of which no book says anything: by agreement, alike in every game.

Whoever has left keeps his place and what is counted of him, and may come back to both; who joins late sits down last.
At a table whose seats are all taken he sits down where somebody has left: behind him, in the order of play. So does who
comes back when his own seat has been given away.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol, TypeVar

from linesies.rules.forms import Field, Form, a_player
from linesies.rules.game import Refused, Ruling
from linesies.rules.setting_right import NOT_IN_THE_BOOK

Presence = Literal["in", "waiting", "left"]  # waiting: for the next round

LEAVE = Form("leave", (a_player(),))
JOIN = Form("join", (Field(name="player", kind="text"),))
FORMS = (LEAVE, JOIN)


class AtTable(Protocol):
    """Whoever has a place in the order of play at a table."""

    @property
    def name(self) -> str:
        """What the player is called."""
        ...


P = TypeVar("P", bound=AtTable)


def fault_of_newcomer(event: Mapping[str, Any]) -> str | None:
    """Say what is wrong with who joins, and behind whom, or None."""
    name, after = event.get("player"), event.get("after")
    if not isinstance(name, str) or not name:
        return '"player" must be a name'
    return None if after is None or isinstance(after, str) else '"after" must be a name'


def sits_behind(event: Mapping[str, Any], names: Sequence[str]) -> str | None:
    """Name behind whom somebody who joins sits down; None: last, as behind one whose coming was struck out."""
    after = event.get("after")
    return after if after in names and after != event["player"] else None


def sat_down(players: Sequence[P], comer: P, after: str | None) -> tuple[P, ...]:
    """Give the players with one who joins: at his old place, or else last, or else behind whom he sits down."""
    names = [player.name for player in players]
    if after is None and comer.name in names:
        return tuple(comer if player.name == comer.name else player for player in players)
    others = [player for player in players if player.name != comer.name]
    place = len(others) if after is None else [player.name for player in others].index(after) + 1
    return (*others[:place], comer, *others[place:])


def cannot_join(name: str, present: Mapping[str, Presence], most: int) -> Refused | None:
    """Refuse somebody who is there already, or who would be one too many at the table."""
    if present.get(name, "left") != "left":
        return Refused("already_in", {"player": name})
    if sum(presence != "left" for presence in present.values()) >= most:
        return Refused("table_full", {"most": most})
    return None


def left(name: str) -> Ruling:
    """Announce that somebody has left."""
    return Ruling("left", NOT_IN_THE_BOOK, {"player": name})


def joined(name: str, presence: Presence, after: str | None) -> tuple[Ruling, ...]:
    """Announce that somebody joins or has come back, from when on, and behind whom he sits if that must be said."""
    when = "next_round" if presence == "waiting" else "now"
    joins = Ruling("joined", NOT_IN_THE_BOOK, {"player": name, "when": when})
    if after is None:
        return (joins,)
    return joins, Ruling("sits_after", NOT_IN_THE_BOOK, {"player": name, "by": after})


def last_left(names: list[str]) -> Ruling:
    """Announce who has won because nobody else is left."""
    return Ruling("game_won", NOT_IN_THE_BOOK, {"players": names, "how": "last"})


def status_of(presence: Presence) -> dict[str, str]:
    """Write, for the public state, that somebody does not take part; of those who do nothing is written."""
    return {} if presence == "in" else {"status": presence}
