"""Whole simulated games, refereed as fast as the machine can: the rulings of each shot against what truly happened.

People settle what the referee asks and object where he is wrong, as they would in the street; so every shot is ruled
on from the true standing, and one mistake is counted once. A shot counts as equal when the rulings announced for it are
those that the rules give for the true event.
"""

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2

from device.demo import Audience, DemoWishes, play_demo
from device.journal.journal import Journal, Row
from device.journal.story import Outcome, Story, fold, rule_on
from device.places import journal_file
from device.simulator import rules_event

SLACK_S = 0.5  # by how much first motion and rest may be seen early or late


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One shot that was ruled on otherwise: when, what is wrong with it, and the two readings."""

    t_s: float
    cause: str
    truth: Mapping[str, Any] | None
    seen: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameReport:
    """One game: how many shots were taken, how many ruled on as true, how many of these after asking people."""

    seed: int
    players: int
    winner: str | None
    shots: int
    equal: int
    asked: int
    corrections: int
    took_s: float
    differences: tuple[Difference, ...]


Compare = Callable[[list[Row], list[Mapping[str, Any]]], GameReport]


def play_game(seed: int) -> GameReport:
    """Play and referee one game in a folder of its own."""
    return play_and_compare("skully", seed, compare)


def play_and_compare(game: str, seed: int, hold: Compare) -> GameReport:
    """Play and referee one game of any kind in a folder of its own, and hold its journal against its truth."""
    cv2.setNumThreads(1)
    began_s = time.monotonic()
    truth: list[Mapping[str, Any]] = []
    with tempfile.TemporaryDirectory(prefix="linesies-") as folder:
        wishes = DemoWishes(state=Path(folder), game=game, seed=seed, is_fast=True, games=1)
        play_demo(wishes, Audience(say=lambda _line: None, after_game=lambda scene: truth.extend(scene.truth)))
        journal = Journal(journal_file(Path(folder)))
        rows = journal.rows_after(0)
        journal.close()
    report = hold(rows, truth)
    return replace(report, seed=seed, took_s=round(time.monotonic() - began_s, 1))


def compare(rows: list[Row], truth: list[Mapping[str, Any]]) -> GameReport:
    """Hold a journal against the truth of its game."""
    shots = [told for told in truth if told["event"] == "shot"]
    unseen = list(shots)
    asked: set[int] = set()
    equal = asked_equal = corrections = 0
    differences: list[Difference] = []
    story = Story()
    for row in rows:
        if row.kind == "proposal":
            asked.add(row.about)
        corrections += "re_reads" in row.body
        if _is_first_word_on_shot(row, story):
            seen = next(held.event for held in story.held if held.row == row.about)
            true = _meant_by(seen, unseen)
            fault = _fault(row, seen, true, story)
            if true is not None:
                unseen.remove(true)
            if fault is None:
                equal += 1
                asked_equal += row.about in asked
            else:
                differences.append(Difference(t_s=seen["t_start"], cause=fault, truth=_short(true), seen=_short(seen)))
        story = fold([row], story)
    differences += [Difference(t_s=t["t_start"], cause="not seen", truth=_short(t), seen=None) for t in unseen]
    return GameReport(
        seed=0,
        players=len(story.start["players"]),
        winner=story.public["winner"],
        shots=len(shots),
        equal=equal,
        asked=asked_equal,
        corrections=corrections,
        took_s=0.0,
        differences=tuple(sorted(differences, key=lambda difference: difference.t_s)),
    )


def _is_first_word_on_shot(row: Row, story: Story) -> bool:
    held = next((held for held in story.held if held.row == row.about), None)
    return row.kind in ("ruled", "refused") and held is not None and held.origin == "vision" and _is_shot(held.event)


def _is_shot(event: Mapping[str, Any]) -> bool:
    return event.get("event") == "shot"


def _meant_by(seen: Mapping[str, Any], unseen: list[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Find the true shot at the same time, the shooter's own before another's."""
    near = [t for t in unseen if seen["t_start"] < t["t_end"] + SLACK_S and t["t_start"] < seen["t_end"] + SLACK_S]
    return min(near, key=lambda t: (t["player"] != seen["player"], abs(t["t_start"] - seen["t_start"])), default=None)


def _fault(row: Row, seen: Mapping[str, Any], true: Mapping[str, Any] | None, before: Story) -> str | None:
    """Say what is wrong with a ruling, None when it is as it should be."""
    if true is None:
        return f"nobody shot ({'refused by the rules' if row.kind == 'refused' else 'ruled on'})"
    event = rules_event(true)
    wanted = rule_on(before.start["game"], before.state, event)
    told = Outcome(None, tuple(row.body.get("rulings", ())), row.body if row.kind == "refused" else None)
    if wanted.refused is None and told.refused is None and list(wanted.rulings) == list(told.rulings):
        return None
    if wanted.refused is not None and told.refused is not None:
        return None
    read = row.body.get("event") or seen
    return "; ".join(_misread(read, event, true)) or "another ruling on the same reading"


def _misread(seen: Mapping[str, Any], event: Mapping[str, Any], true: Mapping[str, Any]) -> Iterator[str]:
    if seen["player"] != event["player"]:
        yield f"shooter {seen['player']}, truly {event['player']}"
    victims, true_victims = ({victim for _, victim in e["hits"]} for e in (seen, event))
    if victims != true_victims:
        yield f"hit {', '.join(sorted(victims)) or 'nobody'}, truly {', '.join(sorted(true_victims)) or 'nobody'}"
    for player in sorted({*seen["rest"], *event["rest"]}):
        place, true_place = seen["rest"].get(player), event["rest"].get(player)
        if place != true_place:
            yield f"{player} at {place}, truly {true_place} ({_gaps(player, seen, true)})"


def _gaps(player: str, seen: Mapping[str, Any], true: Mapping[str, Any]) -> str:
    call, place = seen.get("calls", {}).get(player), true["rest"].get(player)
    measured = f"measured {call['gap']:+.2f}±{call['sigma']:.2f} mm" if call else "not measured"
    return f"{measured}, truly {place['gap']:+.2f}, moved {place.get('moved', 0):.0f} mm" if place else measured


def _short(event: Mapping[str, Any] | None) -> Mapping[str, Any] | None:
    return None if event is None else {key: event[key] for key in ("player", "hits", "rest", "t_start", "t_end")}
