"""Whole simulated card games, refereed as fast as the machine can: the rulings on each event against the truth.

People settle what the referee asks and object where he is wrong, as they would at the table; so every event is ruled
on from the true standing, and one mistake is counted once.
"""

from collections.abc import Mapping
from typing import Any

from device.games import Difference, GameReport, play_and_compare
from device.journal.journal import Row
from device.journal.story import Outcome, Story, fold, rule_on
from device.simulator.cards.umpire import card_event

SLACK_S = 1.0  # by how much rest may be told early or late
TOLD = ("player", "owner", "card", "pile", "from", "n", "face", "as")


def play_table_game(game: str, seed: int) -> GameReport:
    """Play and referee one card game in a folder of its own."""
    return play_and_compare(game, seed, compare_table)


def compare_table(rows: list[Row], truth: list[Mapping[str, Any]]) -> GameReport:
    """Hold a journal against the truth of its game."""
    done = [told for told in truth if "t_start" in told and told["event"] != "taken"]
    unseen = list(done)
    asked: set[int] = set()
    equal = asked_equal = corrections = 0
    differences: list[Difference] = []
    story = Story()
    for row in rows:
        if row.kind == "proposal":
            asked.add(row.about)
        corrections += "re_reads" in row.body
        seen = _first_seen(row, story)
        if seen is not None:
            true = next((t for t in unseen if _is_about(t, seen)), None)
            fault = _fault(row, true, story)
            if true is not None:
                unseen.remove(true)
            if fault is None:
                equal += 1
                asked_equal += row.about in asked
            else:
                differences.append(Difference(t_s=seen["t_end"], cause=fault, truth=true, seen=seen))
        story = fold([row], story)
    differences += [Difference(t_s=t["t"], cause="not seen", truth=t, seen=None) for t in unseen]
    winners = story.public.get("winners") or [story.public.get("winner")]
    return GameReport(
        seed=0,
        players=len(story.start["players"]),
        winner=" and ".join(name for name in winners if name) or None,
        shots=len(done),
        equal=equal,
        asked=asked_equal,
        corrections=corrections,
        took_s=0.0,
        differences=tuple(sorted(differences, key=lambda difference: difference.t_s)),
    )


def _first_seen(row: Row, story: Story) -> Mapping[str, Any] | None:
    """Give what was seen, if this row is the first word on something that cameras saw."""
    held = next((held for held in story.held if held.row == row.about), None)
    is_first = row.kind in ("ruled", "refused") and held is not None and held.origin == "vision"
    return held.event if is_first else None


def _is_about(true: Mapping[str, Any], seen: Mapping[str, Any]) -> bool:
    in_time = true["t"] - SLACK_S <= seen["t_end"] <= true["t_clear"] + SLACK_S
    return bool(in_time and true["event"] == seen["event"])


def _fault(row: Row, true: Mapping[str, Any] | None, before: Story) -> str | None:
    """Say what is wrong with a ruling, None when it is as it should be."""
    read = row.body.get("event") or {}
    if true is None:
        return f"nobody did that ({'refused by the rules' if row.kind == 'refused' else 'ruled on'})"
    meant = card_event(true)
    wanted = rule_on(before.start["game"], before.state, meant)
    told = Outcome(None, tuple(row.body.get("rulings", ())), row.body if row.kind == "refused" else None)
    misread = [key for key in TOLD if key in meant and read.get(key) != meant[key]]
    if misread:
        return "; ".join(f"{key} {read.get(key)}, truly {meant[key]}" for key in misread)
    is_equal = (wanted.refused is None) == (told.refused is None) and list(wanted.rulings) == list(told.rulings)
    return None if is_equal else "another ruling on the same reading"
