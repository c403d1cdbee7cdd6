"""Whole simulated card games: an event counts as equal when it is read as it was and ruled on as the true one is."""

from linesies.referee.rows import Row
from linesies.referee.story import Story
from linesies.simulator.cards.umpire import card_event
from linesies.simulator.whole_games.comparison import Event, GameReport, hold_against, outcomes

SLACK_S = 1.0  # by how much rest may be told early or late
TOLD = ("player", "owner", "card", "pile", "from", "n", "face", "as", "die")


def compare_table(rows: list[Row], truth: list[Event]) -> GameReport:
    """Hold a journal against the truth of its game; what was only said, and what ends a trick, is not counted."""
    return hold_against(
        rows, [told for told in truth if "t_start" in told and told["event"] != "taken"], CardComparison()
    )


class CardComparison:
    """Events at a table are the same when they are of one kind and came to rest at the same time."""

    def is_counted(self, seen: Event) -> bool:  # noqa: ARG002 - whatever is seen at a table counts
        """Tell whether it counts: everything does."""
        return True

    def t_s(self, event: Event) -> float:
        """Tell when the card lay still: as seen, or as it was."""
        return float(event["t_end"] if "t_end" in event else event["t"])

    def meant_by(self, seen: Event, unseen: list[Event]) -> Event | None:
        """Find the first true event of this kind that came to rest then."""
        return next((true for true in unseen if _is_about(true, seen)), None)

    def fault(self, row: Row, seen: Event, true: Event, before: Story) -> str | None:
        """Say what is wrong with a ruling, None when it is as it should be."""
        read = row.body.get("event") or seen
        meant = card_event(true)
        said = {"owner": read.get("player"), **read}  # whose pile it came from, if nothing else is said
        misread = [key for key in TOLD if key in meant and said.get(key) != meant[key]]
        if misread:
            return "; ".join(f"{key} {said.get(key)}, truly {meant[key]}" for key in misread)
        wanted, told = outcomes(row, meant, before)
        is_equal = (wanted.refused is None) == (told.refused is None) and list(wanted.rulings) == list(told.rulings)
        return None if is_equal else "another ruling on the same reading"

    def short(self, event: Event) -> Event:
        """Leave all: an event at a table is short."""
        return event


def _is_about(true: Event, seen: Event) -> bool:
    in_time = true["t"] - SLACK_S <= seen["t_end"] <= true["t_clear"] + SLACK_S
    return bool(in_time and true["event"] == seen["event"])
