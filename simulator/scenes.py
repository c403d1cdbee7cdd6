"""What the demo plays: a simulated street or card table, the eyes over it, and how its game is told at the end."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl

from linesies.calibration import Calibration
from linesies.device.loop.cap_eyes import CapEyes
from linesies.device.loop.eyes import Eyes
from linesies.device.loop.table_eyes import TableEyes
from linesies.games import GAMES, CardsOnMat
from linesies.simulator.cards.kept_decks import learned_deck
from linesies.simulator.cards.opening import read_table_wishes
from linesies.simulator.cards.phones import TableByPhone
from linesies.simulator.cards.sitting import SimulatedTable
from linesies.simulator.cards.stage import game_at
from linesies.simulator.street.naming import read_wishes
from linesies.simulator.street.phones import ByPhone
from linesies.simulator.street.street import SimulatedStreet
from linesies.vision import Cap, Reader, open_reader

Simulated = SimulatedStreet | SimulatedTable


@dataclass(frozen=True, slots=True, kw_only=True)
class RefereedScene:
    """One simulated game about to be refereed."""

    source: Simulated
    caps: Sequence[Cap]
    look: Callable[[Calibration], Eyes]


def place_of(game: str) -> str:
    """Name the simulator's place for a game."""
    return "street" if game == "skully" else game


def open_scene(name: str, journal_path: str) -> RefereedScene:
    """Set up `sim:PLACE?options` with people who read this journal, as fast as frames are taken."""
    place, _, query = name.removeprefix("sim:").partition("?")
    options = dict(parse_qsl(query))
    if game_at(place):
        table = SimulatedTable(read_table_wishes(place, options), umpire=TableByPhone(journal_path))
        cards = GAMES[table.stage.game].seen
        assert isinstance(cards, CardsOnMat)
        return RefereedScene(source=table, caps=(), look=lambda found: TableEyes(found, _reader(table), cards=cards))
    street = SimulatedStreet(wishes=read_wishes(place, options), umpire=ByPhone(journal_path))
    return RefereedScene(source=street, caps=street.caps, look=lambda found: CapEyes(found, street.caps, settled_s=0.4))


def _reader(table: SimulatedTable) -> Reader:
    """Read an ordinary deck as any; learn one of a game with cards of its own from photographs of it."""
    if table.stage.game == "skull":
        return open_reader("standard")
    return learned_deck(table)


def result_of(public: dict[str, Any], events: Sequence[Any]) -> str:
    """Say who won, and after how much."""
    shots = sum(1 for event in events if event["event"] == "shot")
    if shots:
        return f"{public['winner']} won after {shots} shots"
    winners = public.get("winners") or [public.get("winner")]
    return f"{' and '.join(str(name) for name in winners)} won after {len(events) - 1} events"
