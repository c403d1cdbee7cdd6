"""Skully: bottle caps over a painted board."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

from linesies.games.calls import NEXT, OUT, WON, UmpireCall, UmpireCalls, is_among
from linesies.games.game import Caps, Game, Part
from linesies.games.tallies import Tally
from linesies.rules import Json
from linesies.rules.skully.board import BOX_OF, GOING_FOR_KILLER, PATH, STEP, TRAPEZOIDS, Place
from linesies.rules.skully.game import SKULLY as RULES

IN_PLAY = ("playing", "stuck", "killer")
SAYABLE = {"status": (*IN_PLAY, "eliminated"), "at": get_args(Place)}  # what people may say of a player
LINES = ("line", "skull_line")
LABELS = {
    **dict.fromkeys(LINES, "On the line"),
    **dict.fromkeys(TRAPEZOIDS, "In the skull"),
    "open": "Outside the boxes",
    "off": "Off the board",
}
HITS = frozenset({"hit_bonus", "hit_into_target", "skull_hit", "hit_no_bonus", "killer_hit"})
MADE = frozenset({"word_made", "box_made by=shot"})
FOR_NOTHING = frozenset({"early_hit", "out_of_turn"})


def victims_of(event: Json, _rulings: Sequence[Json]) -> tuple[str, ...]:
    """Hit: whose caps a shot hit, each once, whatever was ruled on it; of killers and of chains no ruling tells all."""
    hits = event.get("hits", ()) if event.get("event") == "shot" else ()
    return tuple(dict.fromkeys(victim for _, victim in hits if victim != event["player"]))


def hitters_of(event: Json, rulings: Sequence[Json]) -> Iterator[str]:
    """Hit: the shooter, once for each cap that he hit; not too early (3.2.1), nor out of turn (3.1)."""
    if not any(is_among(one, FOR_NOTHING) for one in rulings):
        yield from (event["player"] for _ in victims_of(event, rulings))


TALLIES = (
    Tally(code="made", title="boxes", of=MADE, an_hour="boxes an hour", fastest="most boxes an hour"),
    Tally(code="hits", title="hits", whom=hitters_of, most="most hits in a game"),
    Tally(code="was_hit", title="was hit", whom=victims_of),
    Tally(
        code="pipsies",
        title="pipsies",
        of=frozenset({"pipsies"}),
        longest="longest pipsies, boxes",
        longest_of="boxes",
    ),
)
HIT = UmpireCall("hit", "{player} hits {victim}!")
ON_THE_LINE = UmpireCall("line", "On the line! No box for {player}.")
MISS = UmpireCall("miss", "No box for {player}.")


def a_miss(event: Json, rulings: Sequence[Json]) -> UmpireCall | None:
    """Call a shot that neither made its box nor hit anything."""
    if event.get("event") != "shot" or victims_of(event, rulings):
        return None
    return ON_THE_LINE if (event.get("rest") or {}).get(event.get("player")) in LINES else MISS


CALLS = UmpireCalls(
    headlines={
        "game_won": WON,
        "foul": UmpireCall("foul", "Foul by {player}!"),
        "out_of_turn": UmpireCall("turn", "Not your turn, {player}!"),
        "early_hit": UmpireCall("early", "Too early! {player} starts over."),
        "killer_made": UmpireCall("killer", "{player} is a killer!"),
        "word_made": UmpireCall("word", "In! {player} goes on round the skull."),
        "box_made by=shot": UmpireCall("in", "In! {player} makes {box}."),
        "stuck_in_skull": UmpireCall("stuck", "{player} is stuck in the skull!"),
    },
    too={
        **dict.fromkeys(sorted(HITS), HIT),
        "eliminated": OUT,
        "next_turn": NEXT,
    },
    otherwise=a_miss,
)


def is_place_weighty(player: Json) -> bool:
    """3.3.1, 3.3.2: where a cap lies counts in the box last made, which pipsies start from, and in the skull."""
    place = player.get("at")
    return place in TRAPEZOIDS or place == BOX_OF.get(player.get("made") or "", "")


def loses_next_turn(player: Json) -> Json:
    """3.1: what costs a turn is written as people would set it right."""
    return {"event": "correct", "players": {player["name"]: {"skip": player["skip"] + 1}}}


def head_start(boxes: Mapping[str, int]) -> Json:
    """1.1: who begins at a box goes for it forwards, from behind the start line, as if he had made those before it."""
    return {"event": "correct", "players": {player: {"going_for": PATH[box - 1]} for player, box in boxes.items()}}


def keep(was: Json, would: Json, now: Json) -> Json | None:
    """1.1: people set right what one shot did to each player, and let all stand that came after it."""
    old, new = ({one["name"]: one for one in state["players"]} for state in (was, would))
    there = [one for one in now["players"] if one["name"] in old and one["name"] in new]
    edits = {one["name"]: edit for one in there if (edit := _edit(old[one["name"]], new[one["name"]], one))}
    return {"event": "correct", "players": edits} if edits else None


def _edit(old: Json, new: Json, now: Json) -> dict[str, Any]:
    """Write what differs for one player: a target and penalties move on by as much, the rest only where it stayed."""
    edit: dict[str, Any] = {}
    if now["status"] not in IN_PLAY:
        return edit
    for key in ("status", "at"):
        if old[key] != new[key] and now[key] == old[key] and new[key] in SAYABLE[key]:
            edit[key] = new[key]
    if new["skip"] != old["skip"]:
        edit["skip"] = max(0, now["skip"] + new["skip"] - old["skip"])
    steps = STEP[new["going_for"]] - STEP[old["going_for"]]
    target = new["going_for"] if "status" in edit else _moved_on(now["going_for"], steps)
    if target != now["going_for"]:
        edit["going_for"] = target
    return edit


def _moved_on(target: str, steps: int) -> str:
    """Name the target so many steps on, or back; those beyond 13 are not moved to by bonuses, nor by people."""
    last = STEP[GOING_FOR_KILLER]
    if STEP[target] > last:
        return target
    return PATH[min(last, max(0, STEP[target] + steps))]


SKULLY = Game(
    rules=RULES,
    seen=Caps(boards=Part("linesies.calibration.standard_boards:nominal_board")),
    own_events=frozenset({"choice", "leave", "switch_cap"}),
    labels=LABELS,
    put_back=frozenset({"victim_back"}),
    is_place_weighty=is_place_weighty,
    penalty=loses_next_turn,
    keep=keep,
    head_start=head_start,
    decisive={"eliminated": 8, "killer_made": 6, "killer_failed": 3, "stuck_in_skull": 2, "early_hit": 2},
    calls=CALLS,
    made=MADE,
    tallies=TALLIES,
    columns=("shots", "made", "hits", "pipsies"),
    page="games/skully/game.js",
)
