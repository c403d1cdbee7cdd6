"""Whole simulated games on the street: a shot counts as equal when its rulings are those for the true event."""

from collections.abc import Iterator

from linesies.referee.rows import Row
from linesies.referee.story import Story
from linesies.simulator.street.umpire import rules_event
from linesies.simulator.whole_games.comparison import Event, GameReport, hold_against, outcomes

SLACK_S = 0.5  # by how much first motion and rest may be seen early or late


def compare(rows: list[Row], truth: list[Event]) -> GameReport:
    """Hold a journal against the truth of its game."""
    return hold_against(rows, [told for told in truth if told["event"] == "shot"], Shots())


class Shots:
    """Shots are the same when they overlap in time; their rulings, or at least a refusal, must be."""

    def is_counted(self, seen: Event) -> bool:
        """Tell whether it is a shot."""
        return bool(seen.get("event") == "shot")

    def t_s(self, event: Event) -> float:
        """Tell when the first cap moved."""
        return float(event["t_start"])

    def meant_by(self, seen: Event, unseen: list[Event]) -> Event | None:
        """Find the true shot at the same time, the shooter's own before another's."""
        near = [t for t in unseen if seen["t_start"] < t["t_end"] + SLACK_S and t["t_start"] < seen["t_end"] + SLACK_S]
        return min(
            near, key=lambda t: (t["player"] != seen["player"], abs(t["t_start"] - seen["t_start"])), default=None
        )

    def fault(self, row: Row, seen: Event, true: Event, before: Story) -> str | None:
        """Say what is wrong with a ruling, None when it is as it should be."""
        event = rules_event(true)
        wanted, told = outcomes(row, event, before)
        if wanted.refused is not None and told.refused is not None:
            return None
        if wanted.refused == told.refused and list(wanted.rulings) == list(told.rulings):
            return None
        read = row.body.get("event") or seen
        return "; ".join(_misread(read, event, true)) or "another ruling on the same reading"

    def short(self, event: Event) -> Event:
        """Leave who shot, whom he hit, where all came to rest, and when."""
        return {key: event[key] for key in ("player", "hits", "rest", "t_start", "t_end")}


def _misread(seen: Event, event: Event, true: Event) -> Iterator[str]:
    if seen["player"] != event["player"]:
        yield f"shooter {seen['player']}, truly {event['player']}"
    victims, true_victims = ({victim for _, victim in e["hits"]} for e in (seen, event))
    if victims != true_victims:
        yield f"hit {', '.join(sorted(victims)) or 'nobody'}, truly {', '.join(sorted(true_victims)) or 'nobody'}"
    for player in sorted({*seen["rest"], *event["rest"]}):
        place, true_place = seen["rest"].get(player), event["rest"].get(player)
        if place != true_place:
            yield f"{player} at {place}, truly {true_place} ({_gaps(player, seen, true)})"


def _gaps(player: str, seen: Event, true: Event) -> str:
    call, place = seen.get("calls", {}).get(player), true["rest"].get(player)
    measured = f"measured {call['gap']:+.2f}±{call['sigma']:.2f} mm" if call else "not measured"
    return f"{measured}, truly {place['gap']:+.2f}, moved {place.get('moved', 0):.0f} mm" if place else measured
