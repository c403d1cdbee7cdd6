"""The story: how things stand, folded from the journal's rows and from nothing else.

An entry is one event that the rules were given. A correction adds a reading to it: another event in its place, or
none (undo); taking an undo back adds the reading before it again. Whenever a reading is added, every entry is ruled
on anew from the start, so that what no longer fits shows itself as refused. Seen events that the rules refused stay
as entries too: they may fit once an earlier one has been corrected.

What was seen or ordered but not yet given to the rules is `held`, in its order: the first of them waits for people.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from linesies import rules
from linesies.referee.agreement import Motion, givers
from linesies.referee.entries import Entry, Held, Json, Proposal, Reading
from linesies.referee.ports import RowStore
from linesies.referee.rows import Row


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """Everything that the rows say: the game as it stands, what is held, all entries, evidence and the camera."""

    row: int = 0
    set_up: Json | None = None
    start: Json | None = None
    state: Any = None
    rulings: tuple[Json, ...] = ()  # of the start
    held: tuple[Held, ...] = ()
    motions: tuple[Motion, ...] = ()  # what players want, waiting for agreement
    appeals: tuple[Json, ...] = ()  # those decided: row, at, about, why, decided_by, and what `appeals` says of each
    entries: tuple[Entry, ...] = ()
    calls: Mapping[str, Json] = field(default_factory=dict)
    evidence: Mapping[int, Json] = field(default_factory=dict)
    camera: Json = field(default_factory=dict)
    troubles: Mapping[str, Json] = field(default_factory=dict)  # what fails beside the game, by who
    refusal: Json | None = None  # of the newest order that was not taken

    @property
    def public(self) -> dict[str, Any] | None:
        """Give the public state of the game as the rules write it, None before any game."""
        return None if self.start is None else rules.GAMES[self.start["game"]].public(self.state)

    @property
    def pending(self) -> tuple[Held, ...]:
        """List what people are asked, oldest first."""
        return tuple(held for held in self.held if held.is_waiting)

    def entry(self, row: int) -> Entry | None:
        """Find the newest entry by its row, by the row it is about, or by one of its readings."""
        found = (e for e in reversed(self.entries) if row in (e.row, e.about) or row in (r.row for r in e.readings))
        return next(found, None)

    @property
    def effective_events(self) -> list[Json]:
        """List the start and all events that act on the game, as `linesies rule` accepts them."""
        if self.start is None:
            return []
        return [self.start, *(entry.event for entry in self.entries if entry.is_effective)]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the rules say to an event: the state after it and the rulings, or why it is refused."""

    state: Any
    rulings: tuple[Json, ...] = ()
    refused: Json | None = None


def rule_on(game_name: str, state: Any, event: Any) -> Outcome:
    """Give one event to the rules."""
    result = rules.GAMES[game_name].apply(state, event)
    if isinstance(result, rules.Refused):
        return Outcome(state, refused={**rules.refused_json(game_name, result), "details": dict(result.details)})
    after, rulings = result
    return Outcome(after, tuple(rules.ruling_json(game_name, ruling) for ruling in rulings))


def fold(rows: Iterable[Row], story: Story | None = None) -> Story:
    """Tell the story on through rows; raises rules.BadStart only for a journal that no referee has written."""
    told = Story() if story is None else story
    for row in rows:
        step = _STEPS.get(row.kind)
        told = replace(told if step is None else step(told, row), row=row.id)
    return told


def story_of(journal: RowStore, known: Story | None = None) -> Story:
    """Fold a journal, or only what it holds beyond a story already known."""
    known = known or Story()
    return fold(journal.rows_after(known.row), known)


def reread(story: Story, entry: Entry, reading: Reading) -> Story:
    """Read one entry otherwise and rule on all of them anew."""
    readings = (*entry.readings, reading)
    entries = tuple(replace(e, readings=readings) if e.row == entry.row else e for e in story.entries)
    return _ruled_anew(replace(story, entries=entries))


def _ruled_anew(story: Story) -> Story:
    _, state, _ = rules.start(story.start)
    told = replace(story, state=state, entries=(), calls={})
    for entry in story.entries:
        told = _with_entry(told, entry)
    return told


def _with_entry(story: Story, entry: Entry) -> Story:
    if entry.event is None:
        return replace(story, entries=(*story.entries, replace(entry, rulings=(), refused=None)))
    outcome = rule_on(story.start["game"], story.state, entry.event)
    ruled = replace(entry, rulings=outcome.rulings, refused=outcome.refused)
    calls = entry.event.get("calls")
    return replace(
        story,
        state=outcome.state,
        entries=(*story.entries, ruled),
        calls={**story.calls, **calls} if isinstance(calls, Mapping) else story.calls,
    )


def _set_up(story: Story, row: Row) -> Story:
    return replace(story, set_up=row.body)


def _start(story: Story, row: Row) -> Story:
    game, state, rulings = rules.start(row.body)
    told = tuple(rules.ruling_json(game.name, ruling) for ruling in rulings)
    kept = {"set_up": story.set_up, "camera": story.camera, "troubles": story.troubles}
    return Story(start=row.body, state=state, rulings=told, **kept)


def _seen(story: Story, row: Row) -> Story:
    event = {key: value for key, value in row.body.items() if key != "certain"}
    held = Held(row=row.id, at_s=row.at_s, origin=row.origin, event=event)
    return replace(story, held=(*story.held, held))


def _proposal(story: Story, row: Row) -> Story:
    proposal = Proposal(row=row.id, why=row.body["why"], answers=tuple(row.body["answers"]))
    event = row.body["event"]
    return replace(
        story, held=tuple(replace(h, proposal=proposal, event=event) if h.row == row.about else h for h in story.held)
    )


def _order(story: Story, row: Row) -> Story:
    order = row.body
    if order.get("refused"):
        return story
    if order.get("order") == "decline" or "motion" in order:
        meant = order.get("motion", row.about)
        story = replace(story, motions=tuple(motion for motion in story.motions if motion.row != meant))
    if order.get("asked"):
        return replace(story, motions=(*story.motions, _motion(row)))
    if "appeal" in order:
        story = replace(story, appeals=(*story.appeals, _decided(row)))
    if order.get("order") == "event":
        held = Held(row=row.id, at_s=row.at_s, origin=givers(row.origin, order), event=order.get("event"))
        return replace(story, held=(*story.held, held))
    if order.get("order") == "settle" and "settles" in order:
        by = givers(row.origin, order)
        answer = Reading(row=row.id, event=order["event"], by=by, why=order.get("why", ""))
        held = tuple(replace(h, answer=answer) if h.row == order["settles"] else h for h in story.held)
        return replace(story, held=held)
    return story


def _motion(row: Row) -> Motion:
    order = {key: value for key, value in row.body.items() if key not in ("asked", "agreed", "declined", "motion")}
    told = row.body
    return Motion(
        row=told.get("motion", row.id),
        at_s=row.at_s,
        order=order,
        asked=tuple(told["asked"]),
        agreed=tuple(told["agreed"]),
        declined=tuple(told.get("declined", ())),
    )


def _decided(row: Row) -> Json:
    by = givers(row.origin, row.body)
    about = {"about": row.about, "why": row.body.get("why", ""), "decided_by": by}
    return {"row": row.id, "at": row.at_s, **about, **row.body["appeal"]}


def _ruled(story: Story, row: Row) -> Story:
    if "re_reads" in row.body:
        entry = story.entry(row.body["re_reads"])
        return reread(story, entry, _reading(row))
    return _with_entry(_let_go(story, row), _entry(row, story)) if "event" in row.body else story


def _noted(story: Story, row: Row) -> Story:
    return replace(story, calls={**story.calls, **row.body["calls"]})


def _refused(story: Story, row: Row) -> Story:
    has_event = "event" in row.body  # something seen, which may fit once an earlier entry is corrected
    let_go = _let_go(story, row)
    if has_event:
        return _with_entry(let_go, _entry(row, story))
    return replace(let_go, refusal={"row": row.id, **row.body})


def _entry(row: Row, story: Story) -> Entry:
    origin = next((held.origin for held in story.held if held.row == row.about), row.origin)
    return Entry(row=row.id, at_s=row.at_s, origin=origin, about=row.about, readings=(_reading(row),))


def _reading(row: Row) -> Reading:
    return Reading(row=row.id, event=row.body["event"], by=row.body.get("by"), why=row.body.get("why", ""))


def _let_go(story: Story, row: Row) -> Story:
    """Forget what is dealt with, and what players wanted before it: it was about how things stood then."""
    motions = tuple(m for m in story.motions if m.order["order"] != "event" and m.order.get("settles") != row.about)
    return replace(story, held=tuple(held for held in story.held if held.row != row.about), motions=motions)


def _evidence(story: Story, row: Row) -> Story:
    return replace(story, evidence={**story.evidence, row.about: row.body})


def _camera(story: Story, row: Row) -> Story:
    return replace(story, camera=row.body)


def _trouble(story: Story, row: Row) -> Story:
    others = {who: trouble for who, trouble in story.troubles.items() if who != row.origin}
    return replace(story, troubles=others if row.body.get("is_over") else {**others, row.origin: row.body})


_STEPS: Mapping[str, Callable[[Story, Row], Story]] = {
    "set_up": _set_up,
    "start": _start,
    "seen": _seen,
    "noted": _noted,
    "proposal": _proposal,
    "order": _order,
    "ruled": _ruled,
    "refused": _refused,
    "evidence": _evidence,
    "camera": _camera,
    "trouble": _trouble,
}
