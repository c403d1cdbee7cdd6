"""What follows from something seen or ordered: the rows to be written. Pure; `referee` writes and announces them.

A cause is what vision saw, or an order with who gave it. Whatever can't be ruled on yet is held, in its order; so with
each cause everything is ruled on that can be now.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from linesies import rules
from linesies.referee.agreement import givers, player_of
from linesies.referee.appeals import penalty
from linesies.referee.completing import complete
from linesies.referee.doubt import DO_OVER, NOTHING, Elsewhere, Policy, Question, ask_people, event_of, question_about
from linesies.referee.entries import Entry, Held, Json, Reading
from linesies.referee.orders import read_order
from linesies.referee.outcomes import rule_on
from linesies.referee.rows import Draft, Ordered, Row, Submitted
from linesies.referee.saying import Saying
from linesies.referee.shallow import is_deep
from linesies.referee.story import Story, fold, reread
from linesies.referee.table_doubt import table_question
from linesies.vision import CameraMoved, Placed, Shot, TableEvent

OFF_BOARD = ("start", "off", "town", "out")
MOVED = "The camera was moved: hold play until the board is found again."

Seen = Shot | Placed | CameraMoved | TableEvent
Cause = Seen | Submitted


@dataclass(frozen=True, slots=True, kw_only=True)
class Circumstances:
    """What decisions rest on beside the story: the number of the next row, the second readings, the settings."""

    first: int
    elsewhere: Elsewhere
    policy: Policy = ask_people


def decide(story: Story, cause: Cause, at: Circumstances) -> tuple[Draft, ...]:
    """Write what follows from a cause, with all that can be ruled on after it."""
    match cause:
        case Submitted():
            drafts: Sequence[Draft] = _ordered(story, cause, at.first)
        case CameraMoved():
            drafts = [camera_draft("camera_moved", MOVED)]
        case TableEvent():
            drafts = _seen_on_table(story, cause, at.first)
        case _:
            drafts = _seen(story, cause, at)
    return _with_rulings(story, drafts, at.first)


def beginning(first: int, set_up: Mapping[str, Any], start: Mapping[str, Any]) -> list[Draft]:
    """Write the rows that begin a game, of which the first gets this number; raises rules.BadStart."""
    game, state, rulings = rules.start(start)
    told = [rules.ruling_json(game.name, ruling) for ruling in rulings]
    rows = [
        Draft(origin="referee", kind="set_up", body=set_up),
        Draft(origin="referee", kind="start", body=start, rules=game.version, state=rules.write_state(game, state)),
    ]
    return [*rows, Draft(origin="referee", kind="ruled", about=first + 1, body={"rulings": told})] if told else rows


def camera_draft(event: str, message: str) -> Draft:
    """Write what happened to the camera."""
    return Draft(origin="camera", kind="camera", body={"event": event, "message": message})


def _seen(story: Story, seen: Shot | Placed, at: Circumstances) -> list[Draft]:
    """Take a shot or a placing as it was seen, with the question that it leaves and what settings answer."""
    if isinstance(seen, Placed) and _is_mere_fetching(story, seen):
        return [Draft(origin="vision", kind="noted", body=seen.as_json())]
    question = question_about(seen, story.game_name, story.state, at.elsewhere)
    drafts = _testimony(event_of(seen), question, at.first)
    answer = None if question is None else at.policy(question)
    if answer is not None:
        settled = Ordered(order="settle", about=at.first + 1, settles=at.first, event=answer["event"])
        drafts.append(_order_draft("settings", settled))
    return drafts


def _seen_on_table(story: Story, seen: TableEvent, first: int) -> list[Draft]:
    """Take what cards did; cards gathered up or merely touched are noted and are no event of the game."""
    event = seen.as_json()
    if seen.kind == "taken" or (seen.doubt is not None and _is_refused(story, event)):
        return [Draft(origin="vision", kind="noted", body={**event, "calls": {}})]
    return _testimony(event, table_question(seen, story.standing), first)


def _testimony(event: Json, question: Question | None, first: int) -> list[Draft]:
    seen = Draft(origin="vision", kind="seen", body={**event, "certain": question is None})
    if question is None:
        return [seen]
    body = {"event": event, "why": question.why, "answers": question.answers}
    return [seen, Draft(origin="referee", kind="proposal", about=first, body=body)]


def _is_refused(story: Story, event: Json) -> bool:
    if None in (event.get("player", ""), event.get("card", "")):
        return False  # people are asked
    return rule_on(story.game_name, story.state, event).refused is not None


def _is_mere_fetching(story: Story, seen: Placed) -> bool:
    """Tell whether a cap from off the board was put down outside all boxes: no event of the game."""
    players = story.standing.get("players", ())
    is_off = any(player["name"] == seen.player and player.get("at") in OFF_BOARD for player in players)
    return is_off and seen.call.location in ("open", "off")


def _ordered(story: Story, sent: Submitted, first: int) -> Sequence[Draft]:
    """Write an order, completed, with its consequences beside rulings; or that it makes no sense, and why."""
    order = read_order(sent.body)
    if isinstance(order, str):
        return unheeded(sent, Saying("not_understood", why=order), first)
    told = complete(order, story, player_of(sent.origin))
    if isinstance(told, Saying):
        return unheeded(sent, told, first)
    consequences = _consequences(story, told, givers(sent.origin, told.agreed), first) if told.is_agreed else []
    return [_order_draft(sent.origin, told), *consequences]


def _consequences(story: Story, told: Ordered, by: str, first: int) -> list[Draft]:
    """Write what follows from an order, its own row being of that number, but for rulings on what it reports."""
    match told.order:
        case "new_game":
            return beginning(first + 1, {**(story.set_up or {}), **(told.house or {})}, told.start)
        case "deny":
            return _cost(story, told)
        case "amend" | "undo" | "redo":
            return [_correction(story, told, by, first)]
        case _:
            return []


def _order_draft(origin: str, told: Ordered) -> Draft:
    return Draft(origin=origin, kind="order", about=told.about, body=msgspec.to_builtins(told))


def unheeded(sent: Submitted, why: Saying, first: int) -> tuple[Draft, ...]:
    """Write that an order is not taken, and why."""
    is_kept = isinstance(sent.body, dict) and not is_deep(sent.body)
    body = sent.body if is_kept else {"order": None if is_deep(sent.body) else sent.body}
    return (
        Draft(origin=sent.origin, kind="order", body={**body, "refused": True}),
        _refusal(first, {"code": "bad_order", **why.as_json()}),
    )


def _cost(story: Story, denial: Ordered) -> list[Draft]:
    """Order what a wrong appeal costs beside itself."""
    appeal = denial.appeal or {}
    event = penalty(story, appeal["by"]) if appeal.get("costs_turn") else None
    order = Ordered(order="event", event=event, why="a wrong appeal")
    return [] if event is None else [_order_draft("settings", order)]


def _correction(story: Story, order: Ordered, by: str, first: int) -> Draft:
    """Re-read an entry and say what becomes of those after it; refused if the rules refuse the new reading."""
    entry = story.entry(order.about)
    assert entry is not None  # it was found when the order was completed
    told = reread(story, entry, Reading(row=first + 1, event=order.event))
    read = next(one for one in told.entries if one.row == entry.row)
    if read.refused is not None:
        return _refusal(first, read.refused)
    changed = [one for one in told.entries if one.row != entry.row and _is_changed(one, story)]
    body = {
        "event": order.event,
        "rulings": list(read.rulings),
        "re_reads": entry.row,
        "by": by,
        "why": order.why,
        "changed": [{"row": one.row, "rulings": list(one.rulings), "refused": one.refused} for one in changed],
    }
    return _ruled(story, first, body, told.state)


def _is_changed(entry: Entry, before: Story) -> bool:
    was = next(one for one in before.entries if one.row == entry.row)
    return (was.rulings, was.refused) != (entry.rulings, entry.refused)


def _with_rulings(story: Story, drafts: Sequence[Draft], first: int) -> tuple[Draft, ...]:
    """Add what the rules say to everything that waits for nobody."""
    drafts = tuple(drafts)
    story = fold(_as_rows(drafts, first), story)
    while story.held and not story.held[0].is_waiting:
        ruled = _rule_on_held(story, story.held[0])
        story = fold(_as_rows(ruled, first + len(drafts)), story)
        drafts = (*drafts, *ruled)
    return drafts


def _rule_on_held(story: Story, held: Held) -> list[Draft]:
    settled = {}
    if held.answer is not None:
        settled = {"settled_by": held.answer.row, "by": held.answer.by, "why": held.answer.why}
    event = held.event if held.answer is None else held.answer.event
    if event == NOTHING and held.answer is not None:
        return [_refusal(held.row, {"code": "nothing", "message": "People say that this was nothing.", **settled})]
    if event != DO_OVER or held.answer is None:
        return [_ruling(story, held.row, event, settled)]
    shot = _ruling(story, held.row, held.event, settled)  # by the book it was taken; then it is done over
    after = fold(_as_rows([shot], held.row), story)
    return [shot, _ruling(after, held.answer.row, DO_OVER, settled)] if shot.kind == "ruled" else [shot]


def _ruling(story: Story, about: int, event: Any, extra: Mapping[str, Any]) -> Draft:
    outcome = rule_on(story.game_name, story.state, event)
    if outcome.refused is None:
        return _ruled(story, about, {"event": event, "rulings": list(outcome.rulings), **extra}, outcome.state)
    held = next((one for one in story.held if one.row == about), None)
    was_seen = held is not None and held.origin == "vision"
    refusal = _refusal(about, outcome.refused, {"event": event, **extra} if was_seen else {})
    return replace(refusal, rules=rules.GAMES[story.game_name].version)


def _ruled(story: Story, about: int, body: Mapping[str, Any], state: Any) -> Draft:
    """Write what was ruled with the state after it, so that no later rules are asked what it was."""
    game = rules.GAMES[story.game_name]
    written = rules.write_state(game, state)
    return Draft(origin="referee", kind="ruled", about=about, body=body, rules=game.version, state=written)


def _refusal(about: int, refused: Mapping[str, Any], extra: Mapping[str, Any] | None = None) -> Draft:
    return Draft(origin="referee", kind="refused", about=about, body={**refused, **(extra or {})})


def _as_rows(drafts: Sequence[Draft], first: int) -> list[Row]:
    """Give drafts the numbers that the journal will."""
    return [
        Row(
            id=first + number,
            at_s=0.0,
            origin=draft.origin,
            kind=draft.kind,
            about=draft.about,
            body=msgspec.to_builtins(draft.body),
            rules=draft.rules,
            state=draft.state,
        )
        for number, draft in enumerate(drafts)
    ]
