"""The referee: takes what vision saw and what people ordered, asks the rules, writes the journal, then tells everyone.

Nothing is announced before it is durably in the journal: every path ends in `_write`, which appends all rows of one
cause in one transaction and hands them on afterwards. Whatever can't be ruled on yet is held, in its order.
"""

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import msgspec

from linesies import rules
from linesies.referee.agreement import givers
from linesies.referee.appeals import penalty
from linesies.referee.doubt import DO_OVER, NOTHING, Elsewhere, Policy, ask_people, event_of, question_about
from linesies.referee.orders import BadOrder, check_order
from linesies.referee.outcomes import rule_on
from linesies.referee.owner_orders import CHECKS as HOUSEKEEPING
from linesies.referee.ports import RowStore, Telling
from linesies.referee.rows import Draft, Row, Submitted
from linesies.referee.saying import Trouble
from linesies.referee.story import Entry, Held, Reading, Story, fold, reread, story_of
from linesies.referee.table_doubt import table_question
from linesies.vision import CameraMoved, Placed, Shot, TableEvent

OFF_BOARD = ("start", "off", "town", "out")


class Referee:
    """Remembers the story so far, as the journal tells it; a new referee on the same journal stands where it stood."""

    def __init__(
        self, journal: RowStore, announcers: Telling, *, elsewhere: Elsewhere, policy: Policy = ask_people
    ) -> None:
        self.journal = journal
        self.story = story_of(journal)
        self._announcers = announcers
        self._elsewhere = elsewhere
        self._policy = policy

    @property
    def has_game(self) -> bool:
        """Tell whether a game is under way."""
        return self.story.start is not None and self.story.hole is None and not self.is_over

    @property
    def is_over(self) -> bool:
        """Tell whether the game has ended."""
        return self.story.start is not None and self.story.public.get("phase") == "over"

    def begin(self, set_up: Mapping[str, Any], start: Mapping[str, Any]) -> None:
        """Begin a game; raises rules.BadStart before anything is written."""
        self._write(*_beginning(self.journal.next_id(), set_up, start))

    def redraw(self, set_up: Mapping[str, Any]) -> None:
        """Draw the same game on a board that was learned again."""
        self._write(Draft(origin="referee", kind="set_up", body={**(self.story.set_up or {}), **set_up}))

    def see(self, seen: Shot | Placed | CameraMoved | TableEvent) -> tuple[Row, ...]:
        """Take what vision saw: rule on it, or hold it and ask people; returns the rows written."""
        if isinstance(seen, TableEvent):
            return self._see_table(seen)
        if isinstance(seen, CameraMoved):
            message = "The camera was moved: hold play until the board is found again."
            return self.tell_camera("camera_moved", message)
        if isinstance(seen, Placed) and self._is_mere_fetching(seen):
            return self._write(Draft(origin="vision", kind="noted", body=seen.as_json()))
        question = question_about(seen, self.story.start["game"], self.story.state, self._elsewhere)
        number = self.journal.next_id()
        event = event_of(seen)
        drafts = [Draft(origin="vision", kind="seen", body={**event, "certain": question is None})]
        if question is not None:
            body = {"event": event, "why": question.why, "answers": question.answers}
            drafts.append(Draft(origin="referee", kind="proposal", about=number, body=body))
            answer = self._policy(question)
            if answer is not None:
                settle = {"order": "settle", "about": number + 1, "settles": number, "event": answer["event"]}
                drafts.append(Draft(origin="settings", kind="order", about=number + 1, body=settle))
        return self._write_and_rule(drafts)

    def _see_table(self, seen: TableEvent) -> tuple[Row, ...]:
        """Rule on what cards did, or ask; cards gathered up are noted and are no event of the game."""
        event = seen.as_json()
        if seen.kind == "taken" or self._is_mere_touch(seen):
            return self._write(Draft(origin="vision", kind="noted", body={**event, "calls": {}}))
        question = table_question(seen, self.story.public)
        drafts = [Draft(origin="vision", kind="seen", body={**event, "certain": question is None})]
        if question is not None:
            body = {"event": event, "why": question.why, "answers": question.answers}
            drafts.append(Draft(origin="referee", kind="proposal", about=self.journal.next_id(), body=body))
        return self._write_and_rule(drafts)

    def _is_mere_touch(self, seen: TableEvent) -> bool:
        """Tell whether a card that may only have been touched could not have been laid by the rules anyway."""
        return seen.doubt is not None and self._rules_refuse(seen.as_json())

    def _rules_refuse(self, event: Mapping[str, Any]) -> bool:
        if None in (event.get("player", ""), event.get("card", "")):
            return False  # people are asked
        return rule_on(self.story.start["game"], self.story.state, event).refused is not None

    def _is_mere_fetching(self, seen: Placed) -> bool:
        """Tell whether a cap from off the board was put down outside all boxes: no event of the game."""
        players = self.story.public.get("players", ())
        is_off = any(player["name"] == seen.player and player.get("at") in OFF_BOARD for player in players)
        return is_off and seen.call.location in ("open", "off")

    def take_orders(self) -> tuple[Row, ...]:
        """Take what waits in the inbox, one order a transaction; returns the rows written."""
        return tuple(row for order in self.journal.inbox() for row in self._take(order))

    def tell_camera(self, event: str, message: str) -> tuple[Row, ...]:
        """Write what happened to the camera."""
        return self._write(Draft(origin="camera", kind="camera", body={"event": event, "message": message}))

    def tell_evidence(self, about: int, body: Mapping[str, Any]) -> None:
        """Write which pictures and which clip show what was seen; `linesies.device.announcers.evidence` says how."""
        self._write(Draft(origin="referee", kind="evidence", about=about, body=body))

    def troubles(self) -> list[Trouble]:
        """Take what announcers fail at, or do again, since the last time."""
        return self._announcers.troubles()

    def tell_trouble(self, trouble: Trouble) -> None:
        """Write that something beside the game fails, or is well again; the game goes on."""
        over = {"is_over": True} if trouble.is_over else {}
        self._write(Draft(origin=trouble.who, kind="trouble", body={**trouble.saying.as_json(), **over}))

    def catch_up(self) -> bool:
        """Take over rows that were written although it had seemed that they could not be; tells if there were any."""
        rows = tuple(self.journal.rows_after(self.story.row))
        self.story = fold(rows, self.story)
        self._announcers.announce(rows)
        return bool(rows)

    def alarm(self, message: str) -> None:
        """Tell everyone that nothing can be written, so nothing be ruled on; the only news that is in no journal."""
        row = Row(id=0, at_s=time.time(), origin="journal", kind="unwritten", about=None, body={"message": message})
        self._announcers.announce((row,))

    def _take(self, order: Submitted) -> tuple[Row, ...]:
        number = self.journal.next_id()
        try:
            body = check_order(order.body, self.story, order.origin)
        except BadOrder as fault:
            body = order.body if isinstance(order.body, dict) else {"order": order.body}
            return self._write(
                Draft(origin=order.origin, kind="order", body={**body, "refused": True}),
                _refusal(number, {"code": "bad_order", **fault.saying.as_json()}),
                takes=order,
            )
        draft = Draft(origin=order.origin, kind="order", about=body.get("about"), body=body)
        if body["order"] == "new_game":
            set_up = {**(self.story.set_up or {}), **body.get("house", {})}
            return self._write(draft, *_beginning(number + 1, set_up, body["start"]), takes=order)
        if "asked" in body or body["order"] in ("decline", *HOUSEKEEPING):
            return self._write(draft, takes=order)
        if body["order"] == "deny":
            return self._write_and_rule([draft, *self._cost(body)], takes=order)
        if body["order"] in ("amend", "undo", "redo"):
            by = givers(order.origin, body.get("agreed", ()))
            return self._write(draft, self._correction(number, body, by), takes=order)
        return self._write_and_rule([draft], takes=order)

    def _cost(self, denial: Mapping[str, Any]) -> list[Draft]:
        """Order what a wrong appeal costs beside itself."""
        event = penalty(self.story, denial["appeal"]["by"]) if denial["appeal"]["costs_turn"] else None
        body = {"order": "event", "event": event, "why": "a wrong appeal"}
        return [] if event is None else [Draft(origin="settings", kind="order", body=body)]

    def _correction(self, number: int, order: Mapping[str, Any], by: str) -> Draft:
        """Re-read an entry and say what becomes of those after it; refused if the rules refuse the new reading."""
        entry = self.story.entry(order["about"])
        told = reread(self.story, entry, Reading(row=number + 1, event=order["event"]))
        read = told.entry(entry.row)
        if read.refused is not None:
            return _refusal(number, read.refused)
        changed = [e for e in told.entries if e.row != entry.row and _is_changed(e, self.story)]
        body = {
            "event": order["event"],
            "rulings": list(read.rulings),
            "re_reads": entry.row,
            "by": by,
            "why": order.get("why", ""),
            "changed": [{"row": e.row, "rulings": list(e.rulings), "refused": e.refused} for e in changed],
        }
        return _ruled(self.story.start["game"], number, body, told.state)

    def _write_and_rule(self, drafts: list[Draft], takes: Submitted | None = None) -> tuple[Row, ...]:
        """Write a cause together with everything that can be ruled on after it."""
        number = self.journal.next_id()
        story = fold(_as_rows(drafts, number), self.story)
        while story.held and not story.held[0].is_waiting:
            ruled = _rule_on_held(story, story.held[0])
            story = fold(_as_rows(ruled, number + len(drafts)), story)
            drafts = [*drafts, *ruled]
        return self._write(*drafts, takes=takes)

    def _write(self, *drafts: Draft, takes: Submitted | None = None) -> tuple[Row, ...]:
        rows = self.journal.append(*drafts, takes=takes)
        self.story = fold(rows, self.story)
        self._announcers.announce(rows)
        return rows


def _beginning(number: int, set_up: Mapping[str, Any], start: Mapping[str, Any]) -> list[Draft]:
    """Write the rows that begin a game, of which the first gets this number; raises rules.BadStart."""
    game, state, rulings = rules.start(start)
    told = [rules.ruling_json(game.name, ruling) for ruling in rulings]
    rows = [
        Draft(origin="referee", kind="set_up", body=set_up),
        Draft(origin="referee", kind="start", body=start, rules=game.version, state=rules.write_state(game, state)),
    ]
    if told:
        rows.append(Draft(origin="referee", kind="ruled", about=number + 1, body={"rulings": told}))
    return rows


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
    outcome = rule_on(story.start["game"], story.state, event)
    if outcome.refused is None:
        body = {"event": event, "rulings": list(outcome.rulings), **extra}
        return _ruled(story.start["game"], about, body, outcome.state)
    held = next((h for h in story.held if h.row == about), None)
    was_seen = held is not None and held.origin == "vision"
    refusal = _refusal(about, outcome.refused, {"event": event, **extra} if was_seen else {})
    return replace(refusal, rules=rules.GAMES[story.start["game"]].version)


def _ruled(game_name: str, about: int, body: Mapping[str, Any], state: Any) -> Draft:
    """Write what was ruled with the state after it, so that no later rules are asked what it was."""
    game = rules.GAMES[game_name]
    written = rules.write_state(game, state)
    return Draft(origin="referee", kind="ruled", about=about, body=body, rules=game.version, state=written)


def _refusal(about: int, refused: Mapping[str, Any], extra: Mapping[str, Any] | None = None) -> Draft:
    return Draft(origin="referee", kind="refused", about=about, body={**refused, **(extra or {})})


def _is_changed(entry: Entry, before: Story) -> bool:
    was = before.entry(entry.row)
    return (was.rulings, was.refused) != (entry.rulings, entry.refused)


def _as_rows(drafts: list[Draft], first: int) -> list[Row]:
    """Give drafts the numbers that the journal will."""
    return [
        Row(
            id=first + i,
            at_s=0.0,
            origin=d.origin,
            kind=d.kind,
            about=d.about,
            body=msgspec.to_builtins(d.body),
            rules=d.rules,
            state=d.state,
        )
        for i, d in enumerate(drafts)
    ]
