"""Which readings a doubtful sight has, and that people are asked only where the answer matters."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linesies import rules
from linesies.device.loop.set_up import set_up_json
from linesies.games import GAMES
from linesies.referee.doubt import only_touched, other_side, policy_of, question_about
from linesies.vision import Cap, Hit
from tests.calibrations import plain_calibration
from tests.refereeing import call, placed, shot
from tests.refereeing import other_side as beyond

PLAIN = plain_calibration()


def lying(x_mm, y_mm, location, gap_mm):
    return replace(call("ana", location, gap_mm), xy_mm=(x_mm, y_mm), diameter_mm=20.0)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (lying(50, 14.8, "line", -0.2), "1"),
        (lying(50, 15.2, "1", 0.2), "line"),
        (lying(85.2, 50, "skull_line", -0.2), "1"),
        (lying(84.8, 50, "1", 0.2), "skull_line"),
        (lying(114.8, 50, "skull_line", -0.2), "skull1"),
        (lying(50, -15.2, "open", 0.2), "line"),
        (lying(50, -14.8, "line", -0.2), "open"),
    ],
)
def test_the_other_side_of_the_nearest_edge(one, other):
    assert other_side(PLAIN, one) == other


def test_a_cap_whose_middle_is_over_the_paint_has_no_region_on_its_other_side():
    assert other_side(PLAIN, lying(100, 50, "skull_line", -15.0)) == "skull_line"


def state_of(*events):
    game, state, _ = rules.start(
        {"event": "start", "game": "skully", "players": ["ana", "bo"], "options": {"pipsies": 0}}
    )
    for event in events:
        state, _ = game.apply(state, event.as_json())
    return state


def ask(seen, *events, elsewhere=beyond):
    return question_about(seen, "skully", state_of(*events), elsewhere)


def test_nothing_is_asked_about_what_is_certain():
    assert ask(shot("ana", "1")) is None
    assert ask(placed("ana", "1")) is None


def test_a_miss_into_a_box_that_nobody_goes_for_is_not_asked_about():
    assert ask(shot("ana", "9", certain=False)) is None


def test_a_cap_in_the_skull_or_on_its_line_is_asked_about():
    events = (shot("ana", "1"), shot("ana", "2"))
    question = ask(shot("ana", "skull1", certain=False), *events, elsewhere=lambda _call: "skull_line")
    assert [answer["label"] for answer in question.answers] == ["In the skull", "On the line", "Do-over"]


def test_two_doubtful_caps_are_asked_about_together_the_likeliest_first():
    events = (shot("ana", "1"), shot("ana", "2"))
    other = call("bo", "1", gap_mm=0.1, certain=False)
    seen = replace(shot("ana", "3", hits=["bo"], others=[other], certain=False))
    question = ask(seen, *events, elsewhere=lambda _call: "line")
    assert len(question.answers) == 5
    assert question.answers[0]["event"] == seen.as_json()
    assert question.answers[0]["label"] == "bo: in 1, ana: in 3"


def test_an_uncertain_placing_offers_no_do_over():
    events = (
        shot("ana", "1"),
        shot("ana", "2"),
        shot("ana", "open", hits=["bo"], others=[call("bo", "open")]),
    )
    seen = replace(placed("ana", "3"), call=call("ana", "3", gap_mm=0.1, certain=False))
    question = ask(seen, *events, elsewhere=lambda _call: "skull_line")
    assert [answer["label"] for answer in question.answers] == ["In 3", "On the line"]


@pytest.mark.parametrize(("gap_mm", "sigma_mm", "is_asked"), [(107.6, 0.8, False), (45.0, 5.0, True), (4.0, 0.8, True)])
def test_on_which_side_a_cap_lies_is_not_asked_far_from_paint_whatever_else_is_doubted(gap_mm, sigma_mm, is_asked):
    events = (shot("ana", "1"), shot("ana", "2"))
    own = call("ana", "skull1", gap_mm=gap_mm, sigma_mm=sigma_mm, certain=False)
    seen = replace(shot("ana", "skull1", certain=False), calls=(own,))
    assert (ask(seen, *events, elsewhere=lambda _call: "skull_line") is not None) is is_asked


def test_only_hits_that_hang_together_with_the_shooter_remain():
    event = {"player": "ana", "hits": [["bo", "cy"], ["ana", "bo"]], "rest": {"ana": "1", "bo": "2", "cy": "3"}}
    assert only_touched(event) == {
        "player": "ana",
        "hits": [["ana", "bo"]],
        "rest": {"ana": "1", "bo": "2"},
    }


@given(gap_mm=st.floats(0.01, 30), sigma_mm=st.floats(0.05, 2))
def test_less_distance_to_the_line_never_turns_a_question_into_a_ruling(gap_mm, sigma_mm):
    """Certain is what stands by its sign; the nearer, the less certain, and the question depends on that alone."""

    def is_asked(gap):
        certain = gap > 3 * sigma_mm
        own = replace(call("ana", "1", gap_mm=gap, sigma_mm=sigma_mm, certain=certain))
        return ask(replace(shot("ana", "1"), calls=(own,))) is not None

    assert is_asked(gap_mm / 2) >= is_asked(gap_mm)


@pytest.mark.parametrize(
    ("choice", "location"),
    [("accept", "1"), ("player", "1"), ("line", "line"), ("do_over", None), ("ask", "nobody")],
)
def test_each_policy_gives_its_answer(choice, location):
    question = ask(shot("ana", "1", certain=False))
    answer = policy_of(line=choice, hit="ask", shooter="ask")(question)
    if location == "nobody":
        assert answer is None
    else:
        assert answer["event"].get("rest", {}).get("ana") == location


def test_a_policy_is_for_its_own_kind_of_doubt():
    events = (shot("ana", "1"), shot("ana", "2"))
    unsure = Hit(by="ana", victim="bo", t_s=1.0, is_certain=False)
    question = ask(shot("ana", "open", hits=[unsure], others=[call("bo", "open")]), *events)
    assert question.kind == "hit"
    assert policy_of(line="accept", hit="ask", shooter="accept")(question) is None
    assert policy_of(line="ask", hit="accept", shooter="ask")(question) == question.answers[0]


def test_places_are_said_as_people_do():
    said = [GAMES["skully"].label(place) for place in ("7", "skull2", "line", "skull_line", "open", "off")]
    assert said == ["In 7", "In the skull", "On the line", "On the line", "Outside the boxes", "Off the board"]


def test_the_page_is_told_board_lines_and_caps():
    cap = Cap(player="ana", colour_rgb=(192, 57, 43), diameter_mm=26.0, height_mm=6.0, kind="crown")
    told = set_up_json(PLAIN, [cap])
    assert told["board"]["size"] == [200.0, 100.0]
    assert [region["name"] for region in told["board"]["regions"]] == ["1", "skull1"]
    assert len(told["lines"]) == 5
    assert told["lines"][1]["class"] == "skull"
    assert sorted(told["lines"][0]["outline"]) == [[-5.0, 0.0], [-5.0, 100.0], [5.0, 0.0], [5.0, 100.0]]
    assert told["caps"] == [{"player": "ana", "colour": "#c0392b", "diameter": 26.0, "height": 6.0, "kind": "crown"}]
