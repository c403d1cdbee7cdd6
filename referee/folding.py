"""Folding: the story is told from the journal's rows, one after the other, and from nothing else. Pure.

What was ruled on an entry stands as it was written, with the state after it, whatever today's rules would say. Only
from a correction on are they asked anew (`retelling`), and where rows of other rules were written, so that it can be
said where today's would rule otherwise.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from msgspec import UNSET, structs

from linesies import rules
from linesies.referee.agreement import Motion, givers
from linesies.referee.appeals import STANDS, UPHELD
from linesies.referee.entries import DO_OVER, NOTHING, Compared, Entry, EntryReading, Held, Proposal, calls_of
from linesies.referee.outcomes import Outcome, is_same, rule_on
from linesies.referee.ports import Rows
from linesies.referee.retelling import told_anew
from linesies.referee.rows import (
    DAMAGED,
    CameraTold,
    Draft,
    Noted,
    Ordered,
    Proposed,
    RefusedBy,
    Row,
    Ruled,
    Troubled,
    as_rows,
    read_body,
)
from linesies.referee.story import Story, is_of_match
from linesies.rules import Json


def fold(rows: Iterable[Row], story: Story | None = None) -> Story:
    """Tell the story on through rows, up to the first of a game that is not as a referee writes it."""
    told = Story() if story is None else story
    for row in rows:
        told = replace(_told_on(told, row), row=row.id)
    return told


def story_of(journal: Rows, known: Story | None = None) -> Story:
    """Fold a journal, or only what it holds beyond a story already known."""
    known = known or Story()
    return fold(journal.rows_after(known.row), known)


def foretold(story: Story, drafts: Sequence[Draft], first: int) -> Story:
    """Tell the story on as it will be once these drafts are written, from that number on."""
    return fold(as_rows(drafts, first), story)


def _told_on(story: Story, row: Row) -> Story:
    step = _STEPS.get(row.kind)
    if step is None or (story.hole is not None and row.kind not in BEGINNINGS):
        return story
    body = read_body(row)
    told = None if body is None else step(story, row, body)
    if told is None:
        return replace(story, hole=row.id, unread=story.unread or row.id, held=(), motions=())
    return told


def _as_written(story: Story, row: Row, entry: Entry) -> Story:
    """Add an entry as it was ruled on, with the state that was written beside it."""
    version = rules.GAMES[story.game_name].version
    written = story.state if entry.refused is not None else _state_in(row, story.game_name)
    if row.rules == version and written is not None:
        state, differs = written, story.differs
    else:
        outcome = rule_on(story.game_name, story.state, entry.event)
        state = outcome.state if written is None else written
        is_other = not is_same(outcome, entry.rulings, entry.refused)
        differs = story.differs | ({row.id} if is_other else set())
        entry = replace(entry, state=state if is_other or row.rules is not None else None)
    entries = (*story.entries, entry)
    return replace(
        story, state=state, differs=differs, entries=entries, calls={**story.calls, **calls_of(entries[-1:])}
    )


def _state_in(row: Row, game_name: str) -> Any | None:
    return None if row.state is None else rules.read_state(rules.GAMES[game_name], row.state)


def _as_corrected(story: Story, row: Row, body: Ruled) -> Story | None:
    """Read an entry otherwise, or put a missed one before another, with all that was written to follow from it."""
    meant = body.inserts_before if body.re_reads is None else body.re_reads
    entry = None if meant is None else story.entry(meant)
    if entry is None or body.event is UNSET:
        return None
    number = story.number_of(entry)
    if body.re_reads is None:
        corrected, rest = _missed(row, body, entry), story.entries[number:]
    else:
        corrected, rest = replace(entry, readings=(*entry.readings, _reading(row, body))), story.entries[number + 1 :]
    now = {one.row: (one.rulings, one.refused) for one in body.changed}
    now[corrected.row] = (body.rulings, None)
    entries = [
        replace(one, rulings=rulings, refused=refused, state=None)
        for one in (corrected, *rest)
        for rulings, refused in [now.get(one.row, (one.rulings, one.refused))]
    ]
    state = _state_in(row, story.game_name)
    is_known = row.rules == rules.GAMES[story.game_name].version and state is not None
    differs = frozenset(one for one in story.differs if one < entry.row)
    if not is_known:
        anew = told_anew(story, number, (corrected, *rest))
        state = anew.state if state is None else state
        differs |= _differing(anew.entries[number:], entries)
        entries[-1] = replace(entries[-1], state=state)
    entries = [*story.entries[:number], *entries]
    motions = tuple(motion for motion in story.motions if not _is_about_reading_of(motion, corrected))
    return replace(
        story, state=state, differs=differs, entries=tuple(entries), calls=calls_of(entries), motions=motions
    )


def _is_about_reading_of(motion: Motion, corrected: Entry) -> bool:
    """Tell whether a motion or appeal is about how an entry was read before: it wants what is so now, or is too late.

    An appeal that is let go so has cost nothing. What was missed before the entry was missed all the same.
    """
    return motion.order.about == corrected.row and motion.order.order != "insert"


def _differing(today: Iterable[Entry], written: Iterable[Entry]) -> set[int]:
    pairs = ((was, Outcome(None, told.rulings, told.refused)) for told, was in zip(today, written, strict=True))
    return {was.row for was, outcome in pairs if not is_same(outcome, was.rulings, was.refused)}


def _set_up(story: Story, _row: Row, body: Json) -> Story:
    return replace(story, set_up=body)


def _start(story: Story, row: Row, body: Json) -> Story | None:
    game = body.get("game")
    if isinstance(game, str) and game not in rules.GAMES:
        return replace(_fresh(story, body), hole=row.id, absent=game)
    state = None if game is None else _state_in(row, game)
    differs = frozenset({row.id} if state is None and row.state is not None else ())
    try:
        state = rules.start(body)[1] if state is None else state
    except rules.BadStart:
        return None
    return replace(_fresh(story, body), start=body, start_row=row.id, state=state, began=state, differs=differs)


def _fresh(story: Story, start: Json) -> Story:
    """Keep what is known beside any game; a match that was called is on once its players play."""
    is_on = story.match is not None and is_of_match(start.get("players"), story.match.players)
    match, playing = (None, story.match) if is_on else (story.match, story.playing)
    return Story(
        set_up=story.set_up,
        camera=story.camera,
        troubles=story.troubles,
        unread=story.unread,
        match=match,
        playing=playing,
    )


def _seen(story: Story, row: Row, body: Json) -> Story:
    event = {key: value for key, value in body.items() if key not in ("certain", "blind")}
    held = Held(row=row.id, at_s=row.at_s, origin=row.origin, event=event, is_blind=bool(body.get("blind")))
    return replace(story, held=(*story.held, held))


def _proposal(story: Story, row: Row, body: Proposed) -> Story:
    proposal = Proposal(row=row.id, why=body.why, answers=body.answers)
    held = tuple(
        replace(one, proposal=proposal, event=body.event) if one.row == row.about else one for one in story.held
    )
    return replace(story, held=held)


def _order(story: Story, row: Row, body: Ordered) -> Story:
    if body.refused:
        return story
    if body.order == "decline" or body.motion is not None:
        meant = row.about if body.motion is None else body.motion
        story = replace(story, motions=tuple(motion for motion in story.motions if motion.row != meant))
    if body.order == "match":
        return replace(story, match=body.match, playing=None)
    if not body.is_agreed:
        return replace(story, motions=(*story.motions, _motion(row, body)))
    if body.appeal is not None:
        story = replace(story, appeals=(*story.appeals, _decided(row, body)))
    by = givers(row.origin, body.agreed)
    if body.order == "event":
        held = Held(row=row.id, at_s=row.at_s, origin=by, event=body.event)
        return replace(story, held=(*story.held, held))
    if body.order == "settle" and body.settles is not None:
        answer = EntryReading(row=row.id, event=body.event, by=by, why=body.why)
        return replace(story, held=tuple(replace(h, answer=answer) if h.row == body.settles else h for h in story.held))
    return story


def _motion(row: Row, body: Ordered) -> Motion:
    order = structs.replace(body, asked=(), agreed=(), declined=(), motion=None)
    return Motion(
        row=row.id if body.motion is None else body.motion,
        at_s=row.at_s,
        order=order,
        asked=body.asked,
        agreed=body.agreed,
        declined=body.declined,
    )


def _decided(row: Row, body: Ordered) -> Json:
    """Write how an appeal ended, and who decided it: whoever of the others was of that mind, or the referee."""
    appeal = body.appeal or {}
    sides = {UPHELD: body.agreed, STANDS: body.declined}
    voices = sides.get(str(appeal.get("outcome")), (*body.agreed, *body.declined))
    by = givers(row.origin, [name for name in voices if name != appeal.get("by")])
    return {"row": row.id, "at": row.at_s, "about": row.about, "why": body.why, "decided_by": by, **appeal}


def _ruled(story: Story, row: Row, body: Ruled) -> Story | None:
    if story.start is None:
        return None
    if body.re_reads is not None or body.inserts_before is not None:
        return _as_corrected(story, row, body)
    if body.event is UNSET:
        return replace(story, rulings=body.rulings)
    told = replace(story, compared=(*story.compared, *_compared(row, body, story)))
    return _as_written(_let_go(told, row), row, replace(_entry(row, body, story), rulings=body.rulings))


def _compared(row: Row, body: Ruled, story: Story) -> Iterable[Compared]:
    """Compare what people called blind with what was measured, where they called it."""
    held = next((one for one in story.held if one.row == row.about and one.is_blind), None)
    event = body.event if isinstance(body.event, Mapping) else {}
    player = event.get("player", "")
    said = event.get("rest", {}).get(player)
    if held is None or held.answer is None or held.answer.event == DO_OVER or said is None:
        return ()
    return (
        Compared(row=row.id, about=held.row, player=player, measured=str(held.event["rest"].get(player)), said=said),
    )


def _noted(story: Story, _row: Row, body: Noted) -> Story:
    return replace(story, calls={**story.calls, **body.calls})


def _refused(story: Story, row: Row, body: RefusedBy) -> Story | None:
    if body.event is UNSET:
        told = _let_go(story, row)
        return told if _is_dropped(story, row) else replace(told, refusal={"row": row.id, **row.body})
    if story.start is None:
        return None
    refused = {"code": body.code, "message": body.message, "details": body.details}
    return _as_written(_let_go(story, row), row, replace(_entry(row, body, story), refused=refused))


def _is_dropped(story: Story, row: Row) -> bool:
    """Tell whether a row lets go of what people say was nothing at all: whoever says so is refused nothing."""
    answers = (held.answer for held in story.held if held.row == row.about)
    return any(answer is not None and answer.event == NOTHING for answer in answers)


def _entry(row: Row, body: Ruled | RefusedBy, story: Story) -> Entry:
    origin = next((held.origin for held in story.held if held.row == row.about), row.origin)
    about = row.id if row.about is None else row.about
    return Entry(row=row.id, at_s=row.at_s, origin=origin, about=about, readings=(_reading(row, body),))


def _missed(row: Row, body: Ruled, before: Entry) -> Entry:
    """Make the entry of an event that nobody saw, as happened just before another."""
    return Entry(
        row=row.id,
        at_s=before.at_s,
        origin=body.by or row.origin,
        about=row.id if row.about is None else row.about,
        readings=(_reading(row, body),),
        before=before.row,
    )


def _reading(row: Row, body: Ruled | RefusedBy) -> EntryReading:
    return EntryReading(row=row.id, event=None if body.event is UNSET else body.event, by=body.by, why=body.why)


def _let_go(story: Story, row: Row) -> Story:
    """Forget what is dealt with, and what players wanted before it: it was about how things stood then."""
    motions = tuple(m for m in story.motions if m.order.order != "event" and m.order.settles != row.about)
    return replace(story, held=tuple(held for held in story.held if held.row != row.about), motions=motions)


def _evidence(story: Story, row: Row, body: Json) -> Story:
    return story if row.about is None else replace(story, evidence={**story.evidence, row.about: body})


def _camera(story: Story, row: Row, _body: CameraTold) -> Story:
    return replace(story, camera=row.body)


def _trouble(story: Story, row: Row, body: Troubled) -> Story:
    others = {who: trouble for who, trouble in story.troubles.items() if who != row.origin}
    told = {} if body.is_over else {row.origin: {**row.body, "row": row.id}}  # the same may fail in the same way again
    return replace(story, troubles={**others, **told})


def _damaged(_story: Story, _row: Row, _body: Json) -> None:
    return None


BEGINNINGS = ("set_up", "start")  # what is told even after a hole
_STEPS: Mapping[str, Callable[[Story, Row, Any], Story | None]] = {
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
    DAMAGED: _damaged,
}
