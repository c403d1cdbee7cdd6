"""Testimony: what was seen, as rows, with the question that it leaves open. Pure."""

from dataclasses import replace

from linesies.referee.doubt import Elsewhere, Policy, Question, blind_question, event_of, question_about
from linesies.referee.drafting import camera_draft, order_draft
from linesies.referee.house import house_of
from linesies.referee.outcomes import rule_on
from linesies.referee.rows import Draft, Ordered
from linesies.referee.story import Story
from linesies.referee.table_doubt import NOTHING_AT_ALL, table_question
from linesies.rules import Json
from linesies.vision import CameraMoved, Placed, Shot, TableEvent

OFF_BOARD = ("start", "off", "town", "out")
MOVED = "The camera was moved: hold play until the board is found again."

Seen = Shot | Placed | CameraMoved | TableEvent


def testify(story: Story, seen: Seen, first: int, *, elsewhere: Elsewhere, policy: Policy) -> list[Draft]:
    """Write what was seen, the first row of that number, with its question and what settings answer."""
    match seen:
        case CameraMoved():
            return [camera_draft("camera_moved", MOVED)]
        case TableEvent():
            return _seen_on_table(story, seen, first)
    if isinstance(seen, Placed) and _is_mere_fetching(story, seen):
        return [Draft(origin="vision", kind="noted", body=seen.as_json())]
    question = question_about(seen, story.game_name, story.state, elsewhere)
    if question is None and house_of(story).people_first:
        return _called_first(seen, story, elsewhere, first)
    answer = None if question is None else policy(question)
    drafts = _with_question(event_of(seen), question, first)
    if answer is None:
        return drafts
    settled = Ordered(order="settle", about=first + 1, settles=first, event=answer["event"])
    return [*drafts, order_draft("settings", settled)]


def _seen_on_table(story: Story, seen: TableEvent, first: int) -> list[Draft]:
    """Take what cards did; cards gathered up or merely touched are noted and are no event of the game."""
    event, question = seen.as_json(), table_question(seen, story.standing)
    if seen.kind == "taken" or (seen.doubt is not None and _is_refused(story, event, question)):
        return [Draft(origin="vision", kind="noted", body={**event, "calls": {}})]
    return _with_question(event, question, first)


def _called_first(seen: Shot | Placed, story: Story, elsewhere: Elsewhere, first: int) -> list[Draft]:
    """Take what was seen with certainty, kept from people until they have called it where it is a close call."""
    question = blind_question(seen, story.game_name, story.state, elsewhere)
    told, *asked = _with_question(event_of(seen), question, first)
    return [told if question is None else replace(told, body={**told.body, "certain": True, "blind": True}), *asked]


def _with_question(event: Json, question: Question | None, first: int) -> list[Draft]:
    seen = Draft(origin="vision", kind="seen", body={**event, "certain": question is None})
    if question is None:
        return [seen]
    body = {"event": event, "why": question.why, "answers": question.answers}
    return [seen, Draft(origin="referee", kind="proposal", about=first, body=body)]


def _is_refused(story: Story, event: Json, question: Question | None) -> bool:
    """Tell whether the rules refuse a doubtful event, however people would settle what they were asked of it."""
    if None in (event.get("player", ""), event.get("card", "")):
        return False  # people are asked
    answers = () if question is None else question.answers
    meant = [answer["event"] for answer in answers if answer != NOTHING_AT_ALL] or [event]
    return all(rule_on(story.game_name, story.state, one).refused is not None for one in meant)


def _is_mere_fetching(story: Story, seen: Placed) -> bool:
    """Tell whether a cap from off the board was put down outside all boxes: no event of the game."""
    players = story.standing.get("players", ())
    is_off = any(player["name"] == seen.player and player.get("at") in OFF_BOARD for player in players)
    return is_off and seen.call.location in ("open", "off")
