"""Doubt: which readings a shot or a placing has, whether it matters which is right, and the question to people.

A call that is not certain can be read as the other side of the paint's edge; a hit that is not certain, as no hit; a
shooter who is not certain, as the other cap that moved. The rules are asked about every reading: only
where they answer differently does it matter, and only then are people asked.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from operator import itemgetter
from typing import Any

import numpy as np

from linesies.calibration import Calibration, is_on_line, locate
from linesies.games import GAMES
from linesies.referee.entries import DO_OVER, NOTHING
from linesies.referee.outcomes import Outcome, rule_on
from linesies.rules import GameRules, Json
from linesies.vision import Call, Placed, Shot

MOST_ANSWERS = 4
NEAR_MM = 30.0  # further from paint nobody quarrels; the calls that figures count end there too
FAR_SIGMAS = 10.0  # of its standard error: a cap so far from paint is on its side, whatever else is doubted
AGAIN = {"label": "Do-over", "event": DO_OVER}
HAIR_MM = 0.02  # how far over the edge the other reading is taken


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What people are asked: why, and answers {label, event}, likeliest first; `kind` is line, hit or shooter."""

    kind: str
    why: str
    answers: tuple[Json, ...]


@dataclass(frozen=True, slots=True)
class _Reading:
    label: str
    event: Json


Elsewhere = Callable[[Call], str]
Label = Callable[[str], str]  # a location as people say it
Policy = Callable[[Question], Json | None]  # the answer that settings give, or None: ask people


def ask_people(_question: Question) -> None:
    """Leave every question to people."""


def policy_of(line: str, hit: str, shooter: str) -> Policy:
    """Make the policy that settings name for each kind of doubt: ask, accept, player, line or do_over."""
    choices = {"line": line, "hit": hit, "shooter": shooter}
    return lambda question: _CHOICES[choices[question.kind]](question)


def _for_the_line(question: Question) -> Json:
    return next((answer for answer in question.answers if _is_on_line(answer["event"])), question.answers[0])


def _for_the_player(question: Question) -> Json:
    return next((answer for answer in question.answers if not _is_on_line(answer["event"])), question.answers[0])


def _do_over(question: Question) -> Json:
    return next((answer for answer in question.answers if answer["event"] == DO_OVER), question.answers[0])


def _is_on_line(event: Json) -> bool:
    return is_on_line(event.get("rest", {}).get(event.get("player"), event.get("at")) or "")


_CHOICES: Mapping[str, Policy] = {
    "ask": ask_people,
    "accept": lambda question: question.answers[0],
    "player": _for_the_player,
    "line": _for_the_line,
    "do_over": _do_over,
}


def other_side(calibration: Calibration, call: Call) -> str:
    """Name the location that the call would have on the other side of the nearest edge of paint."""
    beyond_mm = HAIR_MM if call.gap_mm > 0 else -HAIR_MM
    diameter_mm = max(call.diameter_mm + 2 * call.gap_mm + beyond_mm, HAIR_MM)
    return locate(calibration, np.array(call.xy_mm), diameter_mm).location


def question_about(seen: Shot | Placed, game_name: str, state: Any, elsewhere: Elsewhere) -> Question | None:
    """Ask people about what was seen, or None when it is certain wherever the rules care."""
    for kind, why, readings in _doubts(seen, elsewhere, GAMES[game_name].label):
        told = list(islice(readings, MOST_ANSWERS))
        if _matters(told, game_name, state):
            answers: list[Json] = [{"label": r.label, "event": r.event} for r in told]
            if isinstance(seen, Shot):
                answers.append(AGAIN)
            return Question(kind=kind, why=why, answers=tuple(answers))
    return None


def blind_question(seen: Shot | Placed, game_name: str, state: Any, elsewhere: Elsewhere) -> Question | None:
    """Ask people to call a certain shot first, or None where paint is far or either side of it rules alike.

    The answers stand in the order of their labels, which tells nothing of what was measured.
    """
    if not isinstance(seen, Shot):
        return None
    near = [call for call in seen.calls if call.player == seen.player and abs(call.gap_mm) <= NEAR_MM]
    told = list(_line_readings(seen, near, elsewhere, GAMES[game_name].label))
    if not _matters(told, game_name, state):
        return None
    answers = sorted(({"label": r.label, "event": r.event} for r in told), key=itemgetter("label"))
    return Question(kind="line", why=f"call {seen.player}'s cap before the camera does", answers=(*answers, AGAIN))


def _matters(readings: Sequence[_Reading], game_name: str, state: Any) -> bool:
    """Tell whether the rules answer differently to these readings."""
    outcomes = [_essence(rule_on(game_name, state, reading.event), GAMES[game_name].rules) for reading in readings]
    return any(outcome != outcomes[0] for outcome in outcomes[1:])


def event_of(seen: Shot | Placed) -> dict[str, Any]:
    """Write what was seen as the rules take it: caps that moved without being touched are left out."""
    return only_touched(seen.as_json()) if isinstance(seen, Shot) else seen.as_json()


def _doubts(seen: Shot | Placed, elsewhere: Elsewhere, label: Label) -> Iterator[tuple[str, str, Iterator[_Reading]]]:
    if isinstance(seen, Placed):
        if _is_side_open(seen.call):
            yield "line", _why_line([seen.call]), _placed_readings(seen, elsewhere, label)
        return
    if not seen.is_aimed:
        why = f"no hand was seen at {seen.player}'s cap before it moved: it may have been kicked or knocked"
        yield "shooter", why, chain([_Reading("Nobody shot", NOTHING)], _shooter_readings(seen))
    elif not seen.is_shooter_certain:
        yield "shooter", f"it is not certain that {seen.player} took this shot", _shooter_readings(seen)
    if not seen.is_behind_start:
        why = f"{seen.player}'s cap did not lie behind the start line"
        yield "shooter", why, _start_readings(seen)
    for other in event_of(seen)["rest"].keys() ^ seen.as_json()["rest"].keys():
        why = f"{other}'s cap moved, though it is not certain that it was touched"
        yield "hit", why, _touch_readings(seen, other)
    for hit in seen.hits:
        if not hit.is_certain:
            why = f"it is not certain that {hit.by}'s cap touched {hit.victim}'s"
            yield "hit", why, _hit_readings(seen, hit.by, hit.victim)
    doubtful = (c for c in seen.calls if _is_side_open(c) and c.player in event_of(seen)["rest"])
    unsure = sorted(doubtful, key=lambda c: abs(c.gap_mm) / max(c.sigma_mm, 1e-6))
    if unsure:
        yield "line", _why_line(unsure), _line_readings(seen, unsure[:2], elsewhere, label)


def _is_side_open(call: Call) -> bool:
    """Tell whether a cap may lie on the other side of the paint; far from any, what else is doubted no side answers."""
    return not call.is_certain and abs(call.gap_mm) < max(NEAR_MM, FAR_SIGMAS * call.sigma_mm)


def _essence(outcome: Outcome, game: GameRules[Any]) -> Any:
    """Reduce an outcome to what people would quarrel about: rulings, and the state but for caps in nobody's way."""
    if outcome.refused is not None:
        return outcome.refused["code"]
    rulings = [{key: value for key, value in ruling.items() if key not in ("text", "at")} for ruling in outcome.rulings]
    return rulings, standing_of(game.public(outcome.state))


def standing_of(public: Json) -> Json:
    """Reduce a public state to what counts: forget where a cap lies unless later shots depend on it."""
    has_weight = GAMES[public["game"]].is_place_weighty
    players = [player if has_weight(player) else {**player, "at": None} for player in public["players"]]
    return {**public, "players": players}


def _why_line(calls: list[Call]) -> str:
    told = (
        f"{c.player}'s cap: {c.gap_mm:+.1f} mm to the paint's edge, give or take {2 * c.sigma_mm:.1f}" for c in calls
    )
    return "; ".join(told)


def _line_readings(seen: Shot, unsure: list[Call], elsewhere: Elsewhere, label: Label) -> Iterator[_Reading]:
    event = event_of(seen)
    choices: list[dict[str, str]] = [{}]
    for call in unsure:
        sides = (call.location, elsewhere(call))
        choices = [{**choice, str(call.player): side} for side in sides for choice in choices]
    for rest in choices:
        names = [label(p) if len(unsure) == 1 else f"{n}: {label(p).lower()}" for n, p in rest.items()]
        yield _Reading(", ".join(names), {**event, "rest": {**event["rest"], **rest}})


def _placed_readings(seen: Placed, elsewhere: Elsewhere, label: Label) -> Iterator[_Reading]:
    event = event_of(seen)
    for location in (seen.call.location, elsewhere(seen.call)):
        yield _Reading(label(location), {**event, "at": location})


def _hit_readings(seen: Shot, by: str, victim: str) -> Iterator[_Reading]:
    event = event_of(seen)
    yield _Reading(f"Hit {victim}", event)
    without = [hit for hit in event["hits"] if hit != [by, victim]]
    yield _Reading(f"Did not hit {victim}", only_touched({**event, "hits": without}))


def _touch_readings(seen: Shot, other: str) -> Iterator[_Reading]:
    event = seen.as_json()
    touched = {**event, "hits": [*event["hits"], [seen.player, other]]}
    yield _Reading(f"Hit {other}", only_touched(touched))
    yield _Reading(f"Did not hit {other}", event_of(seen))


def _shooter_readings(seen: Shot) -> Iterator[_Reading]:
    event = seen.as_json()
    yield _Reading(f"{seen.player} shot", event_of(seen))
    if len(event["rest"]) == 1 and seen.is_aimed:
        yield _Reading("Nobody shot", NOTHING)
    for other in event["rest"]:
        if other != seen.player:
            turned = {**event, "player": other, "hits": [[other, seen.player]]}
            yield _Reading(f"{other} shot", only_touched(turned))


def _start_readings(seen: Shot) -> Iterator[_Reading]:
    event = event_of(seen)
    yield _Reading("It counts", {key: value for key, value in event.items() if key != "behind_start"})
    yield _Reading("Again, from behind the line", NOTHING)


def only_touched(event: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out hits that no longer hang together with the shooter, and the rests of caps that nobody touched."""
    touched = {event["player"]}
    hits = []
    for by, victim in event["hits"]:
        if by in touched:
            touched.add(victim)
            hits.append([by, victim])
    return {**event, "hits": hits, "rest": {n: place for n, place in event["rest"].items() if n in touched}}
