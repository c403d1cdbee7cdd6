"""The feed says everything once, resumes where a phone left off, and tells the moment."""

import gc
import json
import threading
import time

import pytest

from linesies.referee.snapshot import story_json
from linesies.web.changes import dated, news, updated
from linesies.web.feed import Feed
from tests import scenes
from tests.page_server import Stage
from tests.refereeing import SET_UP, START, quick_journal, referee_on, shot


def story(row, entries=(), **parts):
    return {"row": row, "state": None, "entries": list(entries), **parts}


def events(text):
    """Split what a stream said into (event, id, data)."""
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.splitlines() if line and not line.startswith(":"))
        if "data" in fields:
            found.append((fields.get("event"), fields.get("id"), json.loads(fields["data"])))
    return found


def heard(stream, kind):
    """Read on until an event of that kind."""
    while True:
        for event, row, data in events(next(stream)):
            if event == kind:
                return row, data


@pytest.fixture
def stage():
    stage = Stage()
    scenes.playing(stage)
    return stage


def test_a_new_reader_gets_the_whole_story():
    told = news(dated(story(7, [{"row": 3}], state="s")), None)
    assert told == {"row": 7, "whole": True, "state": "s", "entries": [{"row": 3}]}


def test_a_reader_who_knows_gets_only_what_changed():
    known = updated(dated(story(5, [{"row": 3}], state="s", game="g")), story(6, [{"row": 3}], state="s", game="g"))
    known = updated(known, story(8, [{"row": 3}, {"row": 8}], state="t", game="g"))
    assert news(known, 6) == {"row": 8, "whole": False, "state": "t", "entries": [{"row": 8}]}


def test_a_corrected_entry_is_told_again():
    known = updated(dated(story(5, [{"row": 3}, {"row": 4}])), story(6, [{"row": 3}, {"row": 4}]))
    known = updated(known, story(7, [{"row": 3, "corrected_by": 7}, {"row": 4}]))
    assert news(known, 6)["entries"] == [{"row": 3, "corrected_by": 7}]


@pytest.mark.parametrize("row", [0, 4, 9, 99])
def test_a_reader_whose_row_this_page_never_told_gets_the_whole_story(row):
    known = updated(dated(story(5, [{"row": 3}])), story(8, [{"row": 3}]))
    assert news(known, row)["whole"] is True


def test_another_journal_is_another_story():
    known = updated(dated(story(9, [{"row": 3}])), story(2, [{"row": 2}]))
    assert news(known, 9)["whole"]
    known = updated(dated(story(9, [{"row": 3}])), story(12, [{"row": 11}, {"row": 12}]))
    assert news(known, 9)["whole"] is False, "old entries fall out of the newest 200"
    known = updated(dated(story(9, [{"row": 3}, {"row": 9}])), story(12, [{"row": 3}, {"row": 12}]))
    assert news(known, 9)["whole"] is True, "but one never goes missing among them"


def test_a_game_that_has_begun_again_replaces_the_last_one_although_it_has_an_entry_already():
    with quick_journal() as path:
        referee = referee_on(path)
        referee.see(shot("ana", "open"))
        known = dated(story_json(referee.story))
        heard_row = referee.story.row
        referee.begin(SET_UP, START)
        referee.see(shot("ana", "1"))
        told = news(updated(known, story_json(referee.story)), heard_row)
    assert told["whole"] is True
    assert len(told["entries"]) == 1


def test_the_first_byte_comes_at_once_and_then_the_story_with_its_id(stage):
    stream = Feed(stage, stage.now).stream(None)
    assert next(stream).startswith(": hello")
    row, told = heard(stream, "story")
    assert row == str(stage.last_id())
    assert told["whole"]
    assert told["state"]["turn"] == "ana"


def test_for_a_feed_that_is_gone_nobody_looks(stage):
    looked = []

    def now():
        looked.append(1)
        return stage.now()

    stream = Feed(stage, now).stream(None)
    heard(stream, "story")
    stream.close()
    del stream
    gc.collect()
    time.sleep(0.2)  # a look that is under way ends
    count = len(looked)
    time.sleep(0.5)
    assert len(looked) == count > 0


def test_a_row_reaches_the_phone_without_waiting_for_a_beat(stage):
    stream = Feed(stage, stage.now, beat_every_s=60.0).stream(None)
    heard(stream, "story")
    written_s = time.monotonic()
    scenes.made(stage)
    _, told = heard(stream, "story")
    assert time.monotonic() - written_s < 30.0
    assert [entry["row"] for entry in told["entries"]] == [stage.last_id()]
    assert "set_up" not in told


def test_a_phone_that_comes_back_hears_what_it_missed(stage):
    feed = Feed(stage, stage.now)
    stream = feed.stream(None)
    heard(stream, "story")
    scenes.made(stage)
    row, _ = heard(stream, "story")
    stream.close()
    scenes.on_the_line(stage)
    feed.look()
    _, told = heard(feed.stream(int(row)), "story")
    assert told["whole"] is False
    assert len(told["entries"]) == 1


def test_a_phone_of_an_earlier_page_gets_the_whole_story(stage):
    _, told = heard(Feed(stage, stage.now).stream(stage.last_id()), "story")
    assert told["whole"] is True


def test_a_slow_phone_skips_moments_but_no_row(stage):
    feed = Feed(stage, stage.now)
    stream = feed.stream(None)
    heard(stream, "story")
    rows = []
    for number in range(5):
        stage.moment = scenes.moment({"ana": [number, 0]})
        rows.append(stage.enter(event={"event": "foul", "player": "ana", "kind": "kick"}))
        feed.look()
    _, told = heard(stream, "story")
    assert [entry["row"] for entry in told["entries"]] == rows


def test_moments_are_told_as_they_change_and_have_no_id(stage):
    feed = Feed(stage, stage.now)
    stream = feed.stream(None)
    heard(stream, "now")
    stage.moment = scenes.moment({"ana": [5, 6]})
    row, told = heard(stream, "now")
    assert (row, told["caps"]) == (None, {"ana": [5, 6]})


def test_a_quiet_stream_still_beats_and_a_clock_alone_is_no_news(stage):
    feed = Feed(stage, stage.now, beat_every_s=0.3)
    stream = feed.stream(None)
    heard(stream, "now")
    stage.moment = {**stage.moment, "t": 5.0, "fps": 59.0}
    asked_s = time.monotonic()
    beat = next(stream)
    assert time.monotonic() - asked_s > 0.25
    assert beat.startswith(": beat\n")
    assert '"t":5.0' in beat


def test_a_stream_ends_when_the_journal_cannot_be_read_and_later_ones_go_on(stage, caplog, monkeypatch):
    monkeypatch.setattr("linesies.web.feed.REPAIR_EVERY_S", 0.1)
    feed = Feed(stage, stage.now)
    stream = feed.stream(None)
    heard(stream, "story")
    stage.is_broken = True
    list(stream)
    assert "cannot be read" in caplog.text
    stage.is_broken = False
    time.sleep(0.3)
    assert heard(feed.stream(None), "story")


def test_one_thread_looks_for_all_phones(stage):
    before = set(threading.enumerate())
    feed = Feed(stage, stage.now)
    streams = [feed.stream(None) for _ in range(20)]
    for stream in streams:
        heard(stream, "story")
    assert len([one for one in set(threading.enumerate()) - before if one.name == "feed"]) == 1
