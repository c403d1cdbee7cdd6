"""Who leaves a card game and who joins one, of which no book says anything: by agreement, alike in every game.

Whoever has left keeps his place and what is counted of him, and may come back to both; who joins late sits down last.
"""

from collections.abc import Mapping
from typing import Any, Literal

from linesies.rules.forms import Field, Form, a_player
from linesies.rules.game import Refused, Ruling
from linesies.rules.setting_right import NOT_IN_THE_BOOK

Presence = Literal["in", "waiting", "left"]  # waiting: for the next round

LEAVE = Form("leave", (a_player(),))
JOIN = Form("join", (Field(name="player", kind="text"),))
FORMS = (LEAVE, JOIN)


def fault_of_newcomer(name: Any) -> str | None:
    """Say what is wrong with the name of somebody who joins, or None: he need not be known."""
    return None if isinstance(name, str) and name else '"player" must be a name'


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


def joined(name: str, presence: Presence) -> Ruling:
    """Announce that somebody joins or has come back, and from when on."""
    when = "next_round" if presence == "waiting" else "now"
    return Ruling("joined", NOT_IN_THE_BOOK, {"player": name, "when": when})


def last_left(names: list[str]) -> Ruling:
    """Announce who has won because nobody else is left."""
    return Ruling("game_won", NOT_IN_THE_BOOK, {"players": names, "how": "last"})


def status_of(presence: Presence) -> dict[str, str]:
    """Write, for the public state, that somebody does not take part; of those who do nothing is written."""
    return {} if presence == "in" else {"status": presence}
