"""Game option: what players agree on before they play (section 2), and the sets that are really agreed on."""

import math
from typing import Any

from msgspec import Struct

from linesies.rules.options import Choosing, Option, Preset, is_whole, one_of, whole, yes_or_no


class Options(Struct, frozen=True, kw_only=True):
    """What has been agreed on for one game; the contract's table says what each means."""

    linesies: bool
    pipsies: int
    early_hits: str
    skull_numbers: tuple[int, ...]
    hit_killer: str
    skull_lines: str
    killer_hits: int
    killer_board: str
    killer_round: str
    blastsies: bool
    marksies: bool
    holdsies: bool
    rollsies: bool
    spinsies: bool
    switchsies: str
    out_of_town: int | float | None
    teams: int

    @property
    def kills_for_hitting_a_killer(self) -> bool:
        """Hit a killer and you're dead: the penalty is agreed on, not the bonus."""
        return self.hit_killer == "dead"

    @property
    def gives_lines_to_the_skull(self) -> bool:
        """3.3.1, Skull: its lines belong to the skull, so that a cap hit onto them is not out of it."""
        return self.skull_lines == "skull"

    @property
    def lets_killers_own_the_board(self) -> bool:
        """3.2.4, alternate rule: it is agreed on."""
        return self.killer_board == "owns_board"


def _are_skull_numbers(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 4 and all(is_whole(number, 1) for number in value)


def _is_distance(value: Any) -> bool:
    return value is None or (type(value) in (int, float) and 0 < value < math.inf)


OPTIONS = (
    yes_or_no("linesies", default=True),
    whole("pipsies", 2, 0),
    one_of("early_hits", "start_over", "allowed"),
    Option(
        "skull_numbers",
        [2, 4, 6, 8],
        "a list of four whole numbers from 1",
        _are_skull_numbers,
        choosing=Choosing(kind="numbers", least=1, count=4),
    ),
    one_of("hit_killer", "be_killer", "dead"),
    one_of("skull_lines", "open", "skull"),
    whole("killer_hits", 3, 1),
    one_of("killer_board", "board_gone", "owns_board"),
    one_of("killer_round", "in_order", "any_order"),
    yes_or_no("blastsies", default=True),
    yes_or_no("marksies", default=True),
    yes_or_no("holdsies", default=False),
    yes_or_no("rollsies", default=False),
    yes_or_no("spinsies", default=False),
    one_of("switchsies", "no", "turn", "any"),
    Option(
        "out_of_town",
        None,
        "null or a number of millimetres above 0",
        _is_distance,
        choosing=Choosing(kind="number", least=100, step=100, none="A board's width"),
    ),
    one_of("teams", 0, 2, 3),
)

PRESETS = (
    Preset(
        "street",
        {"linesies": True, "pipsies": 2, "early_hits": "start_over", "hit_killer": "be_killer", "killer_hits": 3},
    ),
    Preset(
        "schoolyard",
        {
            "early_hits": "allowed",
            "killer_hits": 1,
            "killer_round": "any_order",
            "blastsies": False,
            "holdsies": True,
            "rollsies": True,
            "spinsies": True,
            "switchsies": "turn",
        },
    ),
    Preset("killer-rules", {"hit_killer": "dead", "killer_board": "owns_board"}),
)
