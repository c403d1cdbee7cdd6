"""What was seen and ordered becomes rulings, in the journal first; doubt goes to people; corrections fold again."""

import json
import threading
from contextlib import closing

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linesies import rules
from linesies.device.announcers.announcing import Announcers
from linesies.device.journal.journal import Journal
from linesies.referee.doubt import policy_of
from linesies.referee.folding import story_of
from linesies.referee.referee import Referee
from linesies.referee.saying import Saying, Trouble
from linesies.referee.snapshot import story_json
from linesies.vision import CameraMoved, Hit
from tests.refereeing import (
    SET_UP,
    START,
    Listener,
    call,
    codes,
    other_side,
    placed,
    player,
    quick_journal,
    referee_on,
    shot,
)


@pytest.fixture
def ears():
    return Listener()


@pytest.fixture
def referee(ears):
    with quick_journal() as path:
        made = referee_on(path, ears)
        yield made
        made.journal.close()


def order(referee, body, origin="phone"):
    referee.journal.submit(body, origin)
    referee.take_orders()


def kinds(referee, after=2):
    return [row.kind for row in referee.journal.rows_after(after)]


def is_as_the_journal_says(referee):
    with closing(Journal(referee.journal.path)) as other:
        return story_of(other) == referee.story


def test_a_certain_shot_is_ruled_on_at_once(referee):
    rows = referee.see(shot("ana", "1"))
    assert [row.kind for row in rows] == ["seen", "ruled"]
    assert rows[0].body["certain"] is True
    assert rows[1].about == rows[0].id
    assert codes(referee) == [["box_made", "shoot_again"]]
    assert player(referee, "ana")["going_for"] == "2f"
    assert is_as_the_journal_says(referee)


def test_what_is_announced_is_in_the_journal_already(tmp_path):
    class Checker(Listener):
        def announce(self, rows):
            other = Journal(tmp_path / "journal.sqlite")
            known = {row.id for row in other.rows_after(0)}
            self.rows += [row.id in known for row in rows]
            other.close()

    checker = Checker()
    referee = referee_on(tmp_path / "journal.sqlite", checker)
    for _ in range(5):
        referee.see(shot("ana", "open"))
        referee.see(shot("bo", "line"))
    referee._announcers.close()
    assert checker.rows == [True] * 22


def test_a_new_referee_on_the_same_journal_stands_where_the_last_one_stood(referee):
    referee.see(shot("ana", "1"))
    referee.see(shot("ana", "2", certain=False))
    with closing(Journal(referee.journal.path)) as other:
        again = Referee(other, Announcers([]), elsewhere=other_side)
    assert again.story == referee.story
    assert again.has_game
    assert len(again.story.pending) == 1


def test_too_close_is_held_and_people_are_asked_with_the_likely_answers_first(referee):
    rows = referee.see(shot("ana", "1", certain=False))
    assert [row.kind for row in rows] == ["seen", "proposal"]
    assert rows[0].body["certain"] is False
    assert [answer["label"] for answer in rows[1].body["answers"]] == ["In 1", "On the line", "Do-over"]
    assert "+0.2 mm" in rows[1].body["why"]
    assert codes(referee) == []
    assert story_json(referee.story)["pending"][0]["row"] == rows[1].id


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (0, [["box_made", "shoot_again"]]),
        (1, [["turn_over", "next_turn"]]),
        (2, [["box_made", "shoot_again"], ["do_over"]]),
    ],
)
def test_an_answer_settles_the_question(referee, answer, expected):
    rows = referee.see(shot("ana", "1", certain=False))
    event = rows[1].body["answers"][answer]["event"]
    order(referee, {"order": "settle", "about": rows[1].id, "event": event})
    assert codes(referee) == expected
    assert referee.story.held == ()
    assert player(referee, "ana")["going_for"] == ("2f" if answer == 0 else "1f")
    assert is_as_the_journal_says(referee)


def test_the_confirm_button_takes_the_likeliest_answer_of_the_oldest_question(referee):
    referee.see(shot("ana", "line", certain=False))
    order(referee, {"order": "settle"}, "button")
    assert codes(referee) == [["turn_over", "next_turn"]]


def test_the_do_over_button_settles_an_open_question_and_else_undoes_the_last_shot(referee):
    referee.see(shot("ana", "line", certain=False))
    order(referee, {"order": "event", "event": {"event": "do_over"}}, "button")
    assert codes(referee) == [["turn_over", "next_turn"], ["do_over"]]
    referee.see(shot("ana", "1"))
    order(referee, {"order": "event", "event": {"event": "do_over"}}, "button")
    assert codes(referee)[2:] == [["box_made", "shoot_again"], ["do_over"]]
    assert player(referee, "ana")["going_for"] == "1f"


def test_doubt_that_changes_nothing_asks_nobody(referee):
    aside = shot("ana", "line", certain=False)
    referee._elsewhere = lambda _call: "open"
    assert [row.kind for row in referee.see(aside)] == ["seen", "ruled"]


def test_what_comes_after_a_question_waits_for_its_answer(referee):
    asked = referee.see(shot("ana", "1", certain=False))
    later = referee.see(shot("ana", "2"))
    assert [row.kind for row in later] == ["seen"]
    order(referee, {"order": "event", "event": {"event": "pause"}})
    assert codes(referee) == []
    order(referee, {"order": "settle", "about": asked[1].id})
    assert codes(referee) == [["box_made", "shoot_again"], ["box_made", "shoot_again"], ["paused"]]
    assert is_as_the_journal_says(referee)


def test_a_later_question_may_be_answered_first(referee):
    first = referee.see(shot("ana", "1", certain=False))
    second = referee.see(shot("ana", "1", certain=False))
    order(referee, {"order": "settle", "about": second[1].id})
    assert codes(referee) == []
    assert [held.row for held in referee.story.pending] == [first[0].id]
    order(referee, {"order": "settle", "about": first[1].id})
    assert len(codes(referee)) == 2
    assert is_as_the_journal_says(referee)


def test_an_uncertain_hit_is_asked_about(referee):
    referee.see(shot("ana", "1"))
    referee.see(shot("ana", "2"))
    unsure = Hit(by="ana", victim="bo", t_s=1.0, is_certain=False)
    rows = referee.see(shot("ana", "open", hits=[unsure], others=[call("bo", "open")]))
    assert [answer["label"] for answer in rows[1].body["answers"]] == ["Hit bo", "Did not hit bo", "Do-over"]
    assert rows[1].body["answers"][1]["event"]["rest"] == {"ana": "open"}
    order(referee, {"order": "settle", "about": rows[1].id, "event": rows[1].body["answers"][1]["event"]})
    assert codes(referee)[-1] == ["turn_over", "next_turn"]


def test_an_uncertain_shooter_is_asked_about(referee):
    rows = referee.see(shot("ana", "1", hits=["bo"], others=[call("bo", "open")], is_shooter_certain=False))
    assert [answer["label"] for answer in rows[1].body["answers"]] == ["ana shot", "bo shot", "Do-over"]
    assert rows[1].body["answers"][1]["event"]["hits"] == [["bo", "ana"]]


def test_a_cap_that_moved_without_a_certain_touch_is_asked_about(referee):
    referee.see(shot("ana", "1"))
    referee.see(shot("ana", "2"))
    rows = referee.see(shot("ana", "open", others=[call("bo", "open")]))
    assert [answer["label"] for answer in rows[1].body["answers"]] == ["Hit bo", "Did not hit bo", "Do-over"]
    assert rows[1].body["answers"][0]["event"]["hits"] == [["ana", "bo"]]
    order(referee, {"order": "settle", "event": rows[1].body["answers"][1]["event"]})
    assert codes(referee)[-1] == ["turn_over", "next_turn"]


def test_a_nudge_may_be_said_to_be_nothing(referee):
    before = referee.story.public
    rows = referee.see(shot("ana", "1", is_shooter_certain=False))
    assert [answer["label"] for answer in rows[1].body["answers"]] == ["ana shot", "Nobody shot", "Do-over"]
    order(referee, {"order": "settle", "event": rows[1].body["answers"][1]["event"]})
    assert kinds(referee) == ["seen", "proposal", "order", "refused"]
    assert (referee.story.public, referee.story.entries, referee.story.held) == (before, (), ())
    assert referee.story.refusal is None, "who said so is refused nothing"
    assert is_as_the_journal_says(referee)


def test_a_cap_that_no_hand_was_seen_at_may_have_been_kicked_and_nobody_shot(referee):
    before = referee.story.public
    rows = referee.see(shot("ana", "1", hits=["bo"], others=[call("bo", "open")], is_aimed=False))
    assert [answer["label"] for answer in rows[1].body["answers"]] == ["Nobody shot", "ana shot", "bo shot", "Do-over"]
    order(referee, {"order": "settle", "event": rows[1].body["answers"][0]["event"]})
    assert (referee.story.public, referee.story.entries) == (before, ())


def test_a_first_shot_not_from_behind_the_start_line_is_asked_about(referee):
    before = referee.story.public
    rows = referee.see(shot("ana", "1", is_behind_start=False))
    assert [answer["label"] for answer in rows[1].body["answers"]] == [
        "It counts",
        "Again, from behind the line",
        "Do-over",
    ]
    order(referee, {"order": "settle", "event": rows[1].body["answers"][1]["event"]})
    assert referee.story.public == before
    rows = referee.see(shot("ana", "1", is_behind_start=False))
    order(referee, {"order": "settle", "event": rows[1].body["answers"][0]["event"]})
    assert codes(referee)[-1] == ["box_made", "shoot_again"]


def test_settings_can_settle_at_once(tmp_path):
    wanted = {
        "accept": [["box_made", "shoot_again"]],
        "player": [["box_made", "shoot_again"]],
        "line": [["turn_over", "next_turn"]],
        "do_over": [["box_made", "shoot_again"], ["do_over"]],
    }
    for name, expected in wanted.items():
        policy = policy_of(line=name, hit="ask", shooter="ask")
        referee = referee_on(tmp_path / f"{name}.sqlite", policy=policy)
        referee.see(shot("ana", "1", certain=False))
        assert codes(referee) == expected, name
        assert is_as_the_journal_says(referee)


def test_a_placing_is_ruled_on_like_a_shot(referee):
    referee.see(shot("ana", "1"))
    referee.see(shot("ana", "2"))
    referee.see(shot("ana", "open", hits=["bo"], others=[call("bo", "open")]))
    assert referee.story.public["awaiting"] == [{"player": "ana", "what": "place", "box": "3"}]
    referee.see(placed("ana", "3"))
    assert codes(referee)[-1] == ["placed"]


def test_a_cap_fetched_from_off_the_board_is_noted_and_nothing_is_ruled(referee):
    before = referee.story.public
    rows = referee.see(placed("bo", "open"))
    assert [row.kind for row in rows] == ["noted"]
    assert (referee.story.public, referee.story.entries) == (before, ())
    assert referee.story.calls["bo"]["location"] == "open"
    assert is_as_the_journal_says(referee)


def test_what_the_rules_refuse_is_kept_as_seen_and_changes_nothing(referee):
    referee.see(shot("ana", "open"))
    before = referee.story.public
    rows = referee.see(placed("ana", "5"))
    assert [row.kind for row in rows] == ["seen", "refused"]
    assert referee.story.public == before
    assert story_json(referee.story)["entries"][1]["refused"]["code"] == "not_your_turn"
    assert is_as_the_journal_says(referee)


def test_an_amended_shot_is_ruled_on_anew_with_all_that_follows(referee):
    first = referee.see(shot("ana", "line"))  # a miss, says the camera; then Ana shoots on
    referee.see(shot("ana", "2"))
    assert codes(referee)[1] == ["out_of_turn"]
    event = {"event": "shot", "player": "ana", "hits": [], "rest": {"ana": "1"}}
    order(referee, {"order": "amend", "about": first[1].id, "event": event, "why": "it was in"})
    assert codes(referee) == [["box_made", "shoot_again"], ["box_made", "shoot_again"]]
    assert player(referee, "ana")["going_for"] == "3f"
    entries = story_json(referee.story)["entries"]
    assert entries[0]["corrected_by"] == referee.story.row
    assert entries[1]["corrected_by"] is None
    last = referee.journal.rows_after(0)[-1]
    assert [changed["row"] for changed in last.body["changed"]] == [entries[1]["row"]]
    assert is_as_the_journal_says(referee)


def test_what_no_longer_fits_after_a_correction_is_shown(referee):
    for box in ("1", "2"):
        first = referee.see(shot("ana", box))
    referee.see(shot("ana", "open", hits=["bo"], others=[call("bo", "open")]))
    referee.see(placed("ana", "3"))
    miss = {"event": "shot", "player": "ana", "hits": [], "rest": {"ana": "open"}}
    order(referee, {"order": "amend", "about": first[1].id, "event": miss})
    assert story_json(referee.story)["entries"][-1]["refused"]["code"] == "awaiting_choice"
    order(referee, {"order": "undo", "about": first[1].id})
    order(referee, {"order": "amend", "about": first[1].id, "event": {**miss, "rest": {"ana": "2"}}})
    assert codes(referee)[-1] == ["placed"]
    assert is_as_the_journal_says(referee)


def test_a_correction_that_the_rules_refuse_changes_nothing(referee):
    rows = referee.see(shot("ana", "1"))
    before = story_json(referee.story)
    nonsense = {"event": "shot", "player": "ana", "hits": [["bo", "bo"]], "rest": {"ana": "1"}}
    order(referee, {"order": "amend", "about": rows[1].id, "event": nonsense})
    assert kinds(referee)[-1] == "refused"
    told = {"row": 0, "refusal": None}
    assert {**story_json(referee.story), **told} == {**before, **told}
    assert story_json(referee.story)["refusal"]["code"] == "bad_hits"


def test_undo_takes_the_last_entry_out_and_redo_brings_it_back(referee):
    referee.see(shot("ana", "1"))
    referee.see(shot("ana", "2"))
    was = referee.story.public
    order(referee, {"order": "undo"})
    assert player(referee, "ana")["going_for"] == "2f"
    order(referee, {"order": "undo"})
    assert player(referee, "ana")["going_for"] == "1f"
    order(referee, {"order": "redo"})
    order(referee, {"order": "redo"})
    assert referee.story.public == was
    assert is_as_the_journal_says(referee)


@pytest.mark.parametrize(
    "body",
    [
        None,
        [],
        {},
        {"order": "dance"},
        {"order": ["event"]},
        {"order": "event"},
        {"order": "event", "event": "do_over"},
        {"order": "settle"},
        {"order": "settle", "about": 3, "event": {}},
        {"order": "amend", "about": 999, "event": {"event": "pause"}},
        {"order": "amend", "about": "last", "event": {"event": "pause"}},
        {"order": "undo"},
        {"order": "redo"},
        {"order": "settle", "settles": 3, "refused": 1},
    ],
)
def test_an_order_that_makes_no_sense_is_refused_and_told_why(referee, body):
    order(referee, body)
    assert kinds(referee) == ["order", "refused"]
    assert referee.journal.rows_after(3)[0].body["code"] == "bad_order"
    assert referee.journal.inbox() == []
    assert is_as_the_journal_says(referee)


def test_an_event_that_the_rules_refuse_is_refused_with_their_reason(referee):
    order(referee, {"order": "event", "event": {"event": "do_over"}})
    assert kinds(referee) == ["order", "refused"]
    assert referee.journal.rows_after(3)[0].body["code"] == "nothing_to_redo"
    assert referee.story.entries == ()


def test_a_moved_camera_is_journaled_and_shown(referee):
    referee.see(CameraMoved(t_s=3.0))
    assert story_json(referee.story)["camera"]["event"] == "camera_moved"
    referee.tell_camera("camera_back", "The board is found again.")
    assert story_json(referee.story)["camera"]["event"] == "camera_back"


def test_an_announcer_that_raises_is_journaled_and_the_game_goes_on(tmp_path):
    class Raiser(Listener):
        def announce(self, rows):
            raise OSError("the wire is loose")

    referee = referee_on(tmp_path / "journal.sqlite", Raiser())
    referee.see(shot("ana", "1"))
    referee._announcers.close()
    for trouble in referee.troubles():
        referee.tell_trouble(trouble)
    assert kinds(referee) == ["seen", "ruled", "trouble"]
    assert player(referee, "ana")["going_for"] == "2f"


def test_an_announcer_that_blocks_does_not_delay_the_game(tmp_path):
    held = threading.Event()

    class Blocker(Listener):
        def announce(self, rows):
            held.wait(20)

    referee = referee_on(tmp_path / "journal.sqlite", Blocker())
    for _ in range(30):
        referee.see(shot("ana", "open"))
    assert len(referee.story.entries) == 30
    held.set()


def test_a_second_game_follows_the_first_in_the_same_journal(referee):
    referee.see(shot("ana", "1"))
    referee.begin(SET_UP, {**START, "players": ["dee", "eve"]})
    assert referee.story.entries == ()
    referee.see(shot("dee", "1"))
    assert player(referee, "dee")["going_for"] == "2f"
    assert is_as_the_journal_says(referee)


def test_a_start_that_cannot_be_used_writes_nothing(referee):
    with pytest.raises(rules.BadStart):
        referee.begin(SET_UP, {**START, "players": ["dee"]})
    assert kinds(referee) == []


PLACES = st.sampled_from(["1", "2", "3", "13", "skull1", "line", "skull_line", "open", "off"])
NAMES = st.sampled_from(["ana", "bo", "cy"])
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("shot"), NAMES, PLACES, st.booleans()),
        st.tuples(st.just("hit"), NAMES, NAMES, PLACES),
        st.tuples(st.just("placed"), NAMES, PLACES),
        st.tuples(st.just("order"), st.sampled_from(["settle", "undo", "redo"]), st.integers(0, 40)),
        st.tuples(st.just("amend"), st.integers(0, 40), NAMES, PLACES),
        st.tuples(st.just("event"), st.sampled_from(["do_over", "pause", "resume"])),
    ),
    max_size=25,
)


def take_step(referee, step):
    kind, *rest = step
    if kind == "shot":
        referee.see(shot(rest[0], rest[1], certain=rest[2]))
    elif kind == "hit" and rest[0] != rest[1]:
        referee.see(shot(rest[0], rest[2], hits=[rest[1]], others=[call(rest[1], rest[2])]))
    elif kind == "placed":
        referee.see(placed(*rest))
    elif kind == "order":
        order(referee, {"order": rest[0]} if rest[1] < 20 else {"order": rest[0], "about": rest[1] - 20})
    elif kind == "amend":
        event = {"event": "shot", "player": rest[1], "hits": [], "rest": {rest[1]: rest[2]}}
        order(referee, {"order": "amend", "about": rest[0], "event": event})
    elif kind == "event":
        order(referee, {"order": "event", "event": {"event": rest[0]}})


@settings(max_examples=100)
@given(steps=STEPS)
def test_whatever_happens_the_journal_folds_to_the_live_story_and_exports_to_the_same_state(steps):
    with quick_journal() as path:
        referee = referee_on(path)
        for step in steps:
            take_step(referee, step)
            assert is_as_the_journal_says(referee)
        start, *events = referee.story.effective_events
        game, state, _ = rules.start(start)
        for event in events:
            state, _ = game.apply(state, event)
        assert game.public(state) == referee.story.public
        assert json.loads(json.dumps(story_json(referee.story)))["row"] == referee.journal.last_id()
        referee.journal.close()


@settings(max_examples=50)
@given(steps=STEPS, number=st.integers(0, 24))
def test_undo_and_redo_of_any_entry_leave_the_state_as_it_was(steps, number):
    with quick_journal() as path:
        referee = referee_on(path)
        for step in steps:
            take_step(referee, step)
        effective = [entry for entry in referee.story.entries if entry.is_effective]
        if effective:
            before = (referee.story.public, codes(referee), referee.story.held)
            entry = effective[number % len(effective)]
            order(referee, {"order": "undo", "about": entry.row})
            assert referee.story.entry(entry.row).event is None
            order(referee, {"order": "redo", "about": entry.row})
            assert (referee.story.public, codes(referee), referee.story.held) == before
        referee.journal.close()


def test_what_fails_beside_the_game_is_shown_until_it_is_well_again(referee):
    referee.tell_trouble(Trouble("signals", Saying("fails", why="OSError: the buzzer is loose")))
    referee.tell_trouble(Trouble("page", Saying("page_ended")))
    referee.tell_trouble(Trouble.over("signals"))
    told = story_json(referee.story)["troubles"]
    assert {who: trouble["message"] for who, trouble in told.items()} == {
        "page": "the page ended by itself and was started again"
    }
    referee.begin(SET_UP, START)
    assert set(story_json(referee.story)["troubles"]) == {"page"}
