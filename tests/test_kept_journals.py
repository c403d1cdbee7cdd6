"""The journal outlives its program: what any release wrote is read by all later ones, and told as it was announced."""

import gzip
import json
from contextlib import closing

import pytest

from linesies import rules
from linesies.device.journal.journal import Journal
from linesies.device.journal.salvage import is_sound
from linesies.referee.folding import story_of
from linesies.referee.past_games import games_of
from linesies.referee.snapshot import story_json
from linesies.rules import registry
from tests.kept_journals import KEPT, told
from tests.refereeing import codes, quick_journal, referee_on, shot
from tests.refereeing import player as player_of

RELEASES = sorted(path.name.removesuffix(".sqlite.gz") for path in KEPT.glob("*.sqlite.gz"))


def opened(release, folder):
    path = folder / "journal.sqlite"
    path.write_bytes(gzip.decompress((KEPT / f"{release}.sqlite.gz").read_bytes()))
    return path


def expected(release):
    return json.loads(gzip.decompress((KEPT / f"{release}.json.gz").read_bytes()))


def lessened_to(then, now):
    """Of what is shown now what was shown then: keys that came since are left out."""
    if isinstance(then, dict) and isinstance(now, dict):
        return {key: lessened_to(then[key], value) for key, value in now.items() if key in then}
    if isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        return [lessened_to(*pair) for pair in zip(then, now, strict=True)]
    return now


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("what", ["exported", "entries", "shown"])
def test_a_releases_journal_tells_the_same_stories_for_ever(release, what, tmp_path):
    path = opened(release, tmp_path)
    assert is_sound(path)
    with closing(Journal(path)) as journal:
        now, was = told(journal.rows_after(0))[what], expected(release)[what]
    for today, then in zip(now, was, strict=True):
        if what != "shown":
            assert today == then
        elif "rules" not in today["troubles"]:  # else it is said that today's rules differ
            assert lessened_to(then, today) == then, "a page may be shown more than it was, and nothing else"
    assert is_sound(path), "brought up to date where it lies"


@pytest.fixture
def harsher(monkeypatch):
    """Today's rules are another version, by which nobody ever makes a box."""
    book = rules.GAMES["skully"]

    class Harsher(type(book)):
        version = book.version + 1

        def apply(self, state, event):
            if isinstance(event, dict) and event.get("event") == "shot":
                event = {**event, "rest": dict.fromkeys(event["rest"], "open"), "hits": []}
            return super().apply(state, event)

    def impose():
        monkeypatch.setitem(registry._known, "skully", Harsher())

    return impose


def test_what_was_announced_stands_whatever_todays_rules_would_say(harsher):
    with quick_journal() as path:
        referee = referee_on(path)
        for box in ("1", "2", "open"):
            referee.see(shot("ana", box))
        was = referee.story
        harsher()
        now = story_of(referee.journal)
    assert [entry.rulings for entry in now.entries] == [entry.rulings for entry in was.entries]
    assert now.public == was.public
    assert now.differs == {entry.row for entry in was.entries[:2]}
    assert "two events of this game otherwise" in story_json(now)["troubles"]["rules"]["message"]


def test_rules_are_asked_anew_only_from_a_correction_on(harsher):
    with quick_journal() as path:
        first = referee_on(path)
        for player, box in (("ana", "1"), ("ana", "2"), ("ana", "3"), ("ana", "open")):
            first.see(shot(player, box))
        entries = first.story.entries
        first.journal.close()
        harsher()
        referee = referee_on(path)
        referee.journal.submit({"order": "undo", "about": entries[2].row}, "referee:x")
        referee.take_orders()
        assert codes(referee) == [["box_made", "shoot_again"]] * 2 + [[], ["turn_over", "next_turn"]]
        assert player_of(referee, "ana")["going_for"] == "3f"
        assert referee.story.differs == {entry.row for entry in entries[:2]}
        assert story_of(referee.journal) == referee.story


def test_a_row_without_its_state_is_ruled_on_by_todays_rules_and_that_is_said(harsher, tmp_path):
    path = opened("format-1", tmp_path)
    harsher()
    with closing(Journal(path)) as journal:
        rows = journal.rows_after(0)
        stories = games_of(rows)
    before = [[row, list(rulings)] for row, _, rulings, _ in expected("format-1")["entries"][0]]
    assert [[entry.row, list(entry.rulings)] for entry in stories[0].entries] == before
    assert stories[0].differs


@pytest.mark.parametrize("release", RELEASES)
def test_rules_of_one_version_rule_alike(release, tmp_path):
    """Who changes what rules say raises their version; this finds who forgets it."""
    with closing(Journal(opened(release, tmp_path))) as journal:
        rows = journal.rows_after(0)
    ruled = {row.id: row for row in rows if row.kind == "ruled"}
    for story in games_of(rows):
        game, state, _ = rules.start(story.start)
        if {ruled[entry.row].rules for entry in story.entries if entry.row in ruled} == {game.version}:
            for event in story.effective_events[1:]:
                state, _ = game.apply(state, event)
            assert game.public(state) == story.public, f"{game.name}: the rules rule otherwise; raise their version"


def ruled(story):
    """What was ruled on each entry, in whatever words."""
    return [[{**ruling, "text": None} for ruling in entry.rulings] for entry in story.entries]


@pytest.mark.parametrize("release", RELEASES)
def test_a_game_of_any_release_goes_on_and_is_corrected(release, tmp_path):
    path = opened(release, tmp_path)
    referee = referee_on(path)
    before = referee.story
    for order in ("undo", "redo"):
        referee.journal.submit({"order": order}, "referee:x")
        referee.take_orders()
    assert ruled(referee.story) == ruled(before)
    assert referee.story.public == before.public
    assert story_of(referee.journal) == referee.story
    referee.journal.close()
    assert is_sound(path)
