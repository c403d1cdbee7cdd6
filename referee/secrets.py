"""Secrets: what is in the journal and not yet for everybody, such as a bid before all have bid.

A phone that may not know something is sent an event without it; who may know is the player himself.
"""

from collections.abc import Collection, Mapping

from linesies.games import GAMES
from linesies.referee.folding import fold
from linesies.referee.rows import Row
from linesies.referee.story import Story
from linesies.rules import Json

NEVER_SECRET = ("event", "player")


def secret_rows(story: Story) -> frozenset[int]:
    """Find the entries whose secret is still one, by their rows; what an undone or refused entry said is as secret."""
    until = _until(story)
    hidden: dict[str, set[int]] = {kind: set() for kind in until}
    for entry in story.entries:
        for reading in entry.readings:
            if reading.event is not None and reading.event.get("event") in until:
                hidden[reading.event["event"]].add(entry.row)
        told = {ruling["code"] for ruling in entry.rulings}
        for kind, code in until.items():
            if code in told:
                hidden[kind].clear()
    return frozenset(row for rows in hidden.values() for row in rows)


def is_secret(event: Json | None, story: Story) -> bool:
    """Tell whether an event is of a kind that others may not know while the game stands as it does."""
    return event is not None and event.get("event") in _until(story)


def told_to(event: Json | None, seats: Collection[str]) -> Json | None:
    """Write a secret event for whoever sits in these seats: whole if it is his own, else only that there is one."""
    if event is None or event.get("player") in seats:
        return event
    return {key: event[key] for key in NEVER_SECRET if key in event}


def told_events(story: Story, seats: Collection[str]) -> list[Json]:
    """List the start and all events that act on the game, but for what these seats may not know yet."""
    if story.start is None:
        return []
    secret = secret_rows(story)
    events = [(entry.row, entry.acts) for entry in story.entries if entry.is_effective]
    return [story.start, *(e for row, e in events if row not in secret or e.get("player") in seats)]


class Curtain:
    """Tells, row after row, whether all that was written so far may be known to everybody.

    What the camera saw of a shot that people call first is nobody's until they have.

    Of a game that has secrets it remembers the story; those that have none, as over caps, are not folded a second time.
    A refused order is in no story, and says all the same what a player wanted: it is as secret as one that was taken.
    """

    def __init__(self) -> None:
        self._story: Story | None = None
        self._refused: set[str] = set()
        self._blind: set[int] = set()  # what was seen and is called by people first

    def is_open_after(self, row: Row) -> bool:
        """Take one row more, and tell."""
        if row.kind == "start":
            has_secrets = row.body.get("game") in GAMES and GAMES[row.body["game"]].secrets
            self._story, self._refused, self._blind = Story() if has_secrets else None, set(), set()
        if row.kind == "seen" and row.body.get("blind"):
            self._blind.add(row.id)
        elif row.kind in ("ruled", "refused") and row.about is not None:
            self._blind.discard(row.about)
        return not (self._blind or (self._story is not None and self._has_secret_after(row, self._story)))

    def _has_secret_after(self, row: Row, before: Story) -> bool:
        story = self._story = fold([row], before)
        until = _until(story)
        if row.kind == "order" and row.body.get("refused"):
            event = row.body.get("event")
            kind = event.get("event") if isinstance(event, Mapping) else None
            self._refused |= {one for one in until if one == kind}
        told = {ruling.get("code") for ruling in row.body.get("rulings", ())}
        self._refused = {kind for kind in self._refused if kind in until and until[kind] not in told}
        waiting = [*(held.event for held in story.held), *(one.order.event for one in story.motions)]
        is_held = any(is_secret(event, story) for event in waiting if isinstance(event, Mapping))
        return bool(self._refused or is_held or secret_rows(story))


def _until(story: Story) -> Mapping[str, str]:
    """Name the secret kinds of event, each with the ruling by which all that was kept back becomes known.

    Once the game is over nothing is: a round that somebody left may have been the last.
    """
    secrets = GAMES[story.game_name].secrets if story.start else {}
    return secrets if secrets and not story.is_over else {}
