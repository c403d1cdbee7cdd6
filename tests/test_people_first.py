"""Shadow mode: people call a close shot before they are told what was measured; agreement is counted."""

import json

import pytest

from linesies.device.cases.archives import settled_in
from linesies.device.loop.match import Match
from linesies.device.places import journal_file
from linesies.device.serving.webapp import JournalFace
from linesies.device.settings.settings import DoubtSettings, Settings
from linesies.referee.calling import newest_call
from linesies.referee.doubt import policy_of
from linesies.referee.folding import story_of
from linesies.referee.secrets import Curtain
from linesies.referee.snapshot import story_json
from linesies.referee.summary import summary_json
from linesies.web import create_app
from tests.refereeing import SET_UP, START, call, codes, quick_journal, referee_on, shot
from tests.test_match import ScriptedEyes, ScriptedSource

MEASURED = ("gap", "sigma", "certain")


@pytest.fixture
def referee():
    with quick_journal() as path:
        yield playing(referee_on(path))


def playing(referee):
    referee.begin({**SET_UP, "appeals": {"people_first": True}}, START)
    return referee


def says(referee, who, label):
    """Somebody taps the answer with that label, as the page offers it."""
    [pending] = story_json(referee.story)["pending"]
    event = next(answer["event"] for answer in pending["answers"] if answer["label"] == label)
    referee.journal.submit({"order": "settle", "about": pending["row"], "event": event}, who)
    return referee.take_orders()


def test_a_certain_close_shot_waits_until_people_have_called_it(referee):
    referee.see(shot("ana", "1"))
    assert codes(referee) == []
    assert newest_call(referee.story)["sayings"][0]["message"] == "Your call first!"
    says(referee, "referee:ab12cd", "In 1")
    assert codes(referee)[-1][0] == "box_made"


def test_until_then_nobody_is_shown_a_picture_or_a_case_of_it_or_where_the_cap_lies(referee, tmp_path):
    eyes = ScriptedEyes({1: [shot("ana", "1")]})
    match = Match(eyes, referee)
    match.follow(ScriptedSource(range(2)))
    row = referee.story.held[0].row
    for name in (names := [f"{row:08d}-0.jpg", f"{row:08d}-0.webp", f"{row:08d}-clip.mp4"]):
        (tmp_path / name).write_bytes(b"seen")
    face = JournalFace(referee.journal)
    page = create_app(face, referee.journal.submit, dict, evidence_dir=tmp_path, case_file=lambda _row: b"case")

    def answers():
        paths = [*(f"/evidence/{name}" for name in names), f"/case/{row}.zip"]
        return {answer.status_code for path in paths for answer in [page.test_client().get(path, buffered=True)]}

    assert answers() == {404}
    assert match._now()["caps"] == {}
    says(referee, "referee:ab12cd", "In 1")
    assert answers() == {200}
    assert match._now()["caps"] == {"ana": [1.0, 2.0]}


@pytest.mark.parametrize("location", ["1", "line"])
def test_until_then_no_phone_can_tell_what_was_measured(referee, location):
    referee.see(shot("ana", location))
    referee.tell_evidence(referee.story.held[0].row, {"pictures": {"ana": "ana.jpg"}})
    told = story_json(referee.story)
    [pending] = told["pending"]
    assert [answer["label"] for answer in pending["answers"]] == ["In 1", "On the line", "Do-over"]
    assert pending["event"] == {"event": "shot", "player": "ana"}
    assert not any(f'"{word}"' in json.dumps(told) for word in (*MEASURED, "ana.jpg", "calls_of"))


def test_what_was_measured_is_in_the_ruling_all_the_same(referee):
    referee.see(shot("ana", "1"))
    says(referee, "referee:ab12cd", "On the line")
    [entry] = referee.story.entries
    assert entry.event["rest"]["ana"] == "line"
    assert entry.event["calls"]["ana"]["gap"] == 20.0
    assert story_json(referee.story)["entries"][-1]["measured"] == "1"


def test_agreement_is_counted_and_differences_are_kept_with_their_picture(referee):
    for who, location, label in (("ana", "1", "In 1"), ("ana", "line", "On the line"), ("bo", "1", "On the line")):
        referee.see(shot(who, location))
        referee.tell_evidence(referee.story.held[0].row, {"pictures": {who: f"{who}.jpg"}})
        says(referee, "referee:ab12cd", label)
    told = summary_json(referee.story)
    assert (told["compared"]["calls"], told["compared"]["alike"], told["asked"]) == (3, 2, 0)
    [unlike] = told["compared"]["unlike"]
    assert (unlike["player"], unlike["said"], unlike["measured"]) == ("bo", "line", "1")
    assert unlike["evidence"] == {"pictures": {"bo": "bo.jpg"}}


def test_only_what_people_called_otherwise_is_disputed(referee):
    referee.see(shot("ana", "1"))
    says(referee, "referee:ab12cd", "In 1")
    assert referee.story.disputed == frozenset()
    referee.see(shot("ana", "line"))
    about = referee.story.held[0].row
    says(referee, "referee:ab12cd", "In 1")
    assert referee.story.disputed == {about}


def test_two_players_who_say_the_same_call_it(referee):
    referee.see(shot("ana", "1"))
    says(referee, "player:ana", "In 1")
    assert codes(referee) == []
    says(referee, "player:bo", "In 1")
    assert codes(referee)[-1][0] == "box_made"


def test_a_shot_far_from_paint_or_in_doubt_is_dealt_with_as_ever(referee):
    far = call("ana", "1", gap_mm=80.0)
    seen = shot("ana", "1")
    referee.see(type(seen)(player="ana", hits=(), calls=(far,), t_start_s=1.0, t_end_s=2.0))
    assert codes(referee)[-1][0] == "box_made"
    referee.see(shot("ana", "line", certain=False))
    [pending] = story_json(referee.story)["pending"]
    assert not pending["blind"]
    assert pending["event"]["calls"]["ana"]["gap"] == -0.2


def test_a_do_over_is_no_call(referee):
    referee.see(shot("ana", "1"))
    says(referee, "referee:ab12cd", "Do-over")
    assert referee.story.compared == ()
    assert codes(referee)[-1] == ["do_over"]


def test_the_button_that_takes_the_likeliest_answer_calls_nothing(referee):
    referee.see(shot("ana", "1"))
    referee.journal.submit({"order": "settle"}, "button:confirm")
    referee.take_orders()
    assert referee.story.pending
    assert referee.story.refusal["said"]["code"] == "say_which"


def test_settings_that_answer_doubts_do_not_call_for_people():
    with quick_journal() as path:
        referee = playing(referee_on(path, policy=policy_of("accept", "accept", "accept")))
        referee.see(shot("ana", "1"))
        assert referee.story.pending


def test_no_hub_is_told_before_people_have_called(referee):
    curtain = Curtain()
    referee.see(shot("ana", "1"))
    seen = referee.story.held[0].row
    is_open = {row.id: curtain.is_open_after(row) for row in referee.journal.rows_after(0)}
    assert not any(is_open[row] for row in is_open if row >= seen)
    rows = says(referee, "referee:ab12cd", "In 1")
    assert [curtain.is_open_after(row) for row in rows] == [False, True]


def test_a_new_referee_on_the_same_journal_counts_alike(referee):
    referee.see(shot("ana", "1"))
    says(referee, "referee:ab12cd", "On the line")
    assert story_of(referee.journal).compared == referee.story.compared


def test_calls_made_first_are_what_cases_are_measured_against(tmp_path):
    referee = playing(referee_on(journal_file(tmp_path)))
    referee.see(shot("ana", "1"))
    about = referee.story.held[0].row
    says(referee, "referee:ab12cd", "In 1")
    assert settled_in(str(tmp_path)) == {(about, "ana"): "1"}


def test_it_is_off_until_people_ask_for_it():
    assert Settings().doubt == DoubtSettings(people_first=False)
