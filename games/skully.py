"""Skully: bottle caps over a painted board."""

from linesies.games.game import Caps, Game, Json, Part
from linesies.rules.skully.board import BOX_OF, TRAPEZOIDS
from linesies.rules.skully.game import SKULLY as RULES

LABELS = {
    "line": "On the line",
    "skull_line": "On the line",
    **dict.fromkeys(TRAPEZOIDS, "In the skull"),
    "open": "Outside the boxes",
    "off": "Off the board",
}


def is_place_weighty(player: Json) -> bool:
    """3.3.1, 3.3.2: where a cap lies counts in the box last made, which pipsies start from, and in the skull."""
    place = player.get("at")
    return place in TRAPEZOIDS or place == BOX_OF.get(player.get("made") or "", "")


def loses_next_turn(player: Json) -> Json:
    """3.1: what costs a turn is written as people would set it right."""
    return {"event": "correct", "players": {player["name"]: {"skip": player["skip"] + 1}}}


SKULLY = Game(
    rules=RULES,
    seen=Caps(boards=Part("linesies.calibration.standard_boards:nominal_board")),
    own_events=frozenset({"choice", "leave", "switch_cap"}),
    labels=LABELS,
    is_place_weighty=is_place_weighty,
    penalty=loses_next_turn,
    decisive={"eliminated": 8, "killer_made": 6, "killer_failed": 3, "stuck_in_skull": 2, "early_hit": 2},
    columns=("shots", "made", "hits", "pipsies"),
)
