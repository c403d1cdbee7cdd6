"""The commands round the referee: init, journal, and a real game from its settings."""

import json

import pytest
from click.testing import CliRunner

from linesies.calibration import write_calibration
from linesies.device.commands import init, journal, referee, rule
from linesies.device.errors import BadInput
from linesies.device.places import journal_file
from linesies.device.settings.settings import Settings
from linesies.device.settings.tables import read_tables
from linesies.rules import BadStart
from tests.calibrations import plain_calibration
from tests.refereeing import SET_UP, START, referee_on, shot
from tests.test_match import ScriptedEyes, ScriptedSource


def run(command, *arguments, text=None):
    return CliRunner().invoke(command, [str(a) for a in arguments], input=text, catch_exceptions=False)


def test_init_writes_a_file_that_reads_back_to_the_defaults_and_never_writes_over_one(tmp_path):
    path = tmp_path / "linesies.toml"
    assert run(init.command, path).exit_code == 0
    assert read_tables(path, Settings) == Settings()
    with pytest.raises(BadInput, match="--force"):
        run(init.command, path)
    assert run(init.command, path, "--force").exit_code == 0
    assert run(init.command, "-").output == path.read_text()
    with pytest.raises(BadInput, match="another place"):
        run(init.command, tmp_path / "no folder" / "linesies.toml")


@pytest.fixture
def state(tmp_path):
    made = referee_on(journal_file(tmp_path))
    made.see(shot("ana", "1"))
    wrong = made.see(shot("ana", "open"))
    made.see(shot("ana", "3", certain=False))
    made.journal.submit({"order": "settle"}, "phone")
    right = {"event": "shot", "player": "ana", "hits": [], "rest": {"ana": "2"}}
    made.journal.submit({"order": "amend", "about": wrong[1].id, "event": right, "why": "it was in"}, "phone")
    made.take_orders()
    made.standing = made.story.public
    yield made
    made.journal.close()


def test_an_exported_game_is_ruled_to_the_same_state_without_a_refusal(state, tmp_path):
    exported = run(journal.command, "export", tmp_path)
    lines = [json.loads(line) for line in run(rule.command, "-", text=exported.output).output.splitlines()]
    assert len(lines) == 4
    assert all(line["ok"] for line in lines)
    assert lines[-1]["state"] == state.standing


def test_each_game_of_a_journal_can_be_exported(state, tmp_path):
    state.begin(SET_UP, {**START, "players": ["dee", "eve"]})
    state.see(shot("dee", "1"))
    first = run(journal.command, "export", tmp_path, "--game", 1).output.splitlines()
    last = run(journal.command, "export", tmp_path).output.splitlines()
    assert [len(first), len(last)] == [4, 2]
    assert json.loads(last[0])["players"] == ["dee", "eve"]
    with pytest.raises(BadInput, match="holds 2 games, not 3"):
        run(journal.command, "export", tmp_path, "--game", 3)


def test_the_journal_is_shown_in_words(state, tmp_path):
    shown = run(journal.command, "show", tmp_path).output
    assert "phone: order about" in shown
    assert "why: it was in" in shown
    assert "(3.2.1)" in shown
    assert run(journal.command, "show", tmp_path, "--after", 10_000).output == ""


def test_a_journal_that_is_not_there_is_told_in_one_line(tmp_path):
    with pytest.raises(BadInput, match="no journal"):
        run(journal.command, "show", tmp_path)
    referee_on(journal_file(tmp_path)).journal.close()
    assert run(journal.command, "export", tmp_path).output.count("\n") == 1


@pytest.fixture
def street(tmp_path, monkeypatch):
    """A folder with settings, caps and a calibration, and eyes that see what a script has for them."""
    write_calibration(plain_calibration(), tmp_path / "calibration.json")
    caps = [{"player": n, "colour": "#c0392b", "diameter": 26.0, "height": 6.0} for n in ("ana", "bo", "cy")]
    (tmp_path / "caps.json").write_text(json.dumps({"caps": caps}))
    (tmp_path / "linesies.toml").write_text(
        '[camera]\nsource = "film.mp4"\n[pins]\nlibrary = "mock"\n[web]\nserve = false\n'
        '[game]\noptions = { pipsies = 0 }\n[keep]\nstate = "state"\npictures = 0\nclips = 0\n'
    )
    script = {1: [shot("ana", "1")], 2: [shot("ana", "open")]}

    def eyes(calibration, _caps, *, settled_s):
        made = ScriptedEyes(script)
        made.calibration = calibration
        made.elsewhere = lambda _call: "line"
        return made

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("linesies.device.loop.refereeing.CapEyes", eyes)
    monkeypatch.setattr("linesies.device.loop.refereeing.open_source", lambda _name: ScriptedSource(range(4)))
    return tmp_path


def test_a_game_is_refereed_from_its_settings_and_goes_on_when_started_again(street):
    for lives in (1, 2):
        assert run(referee.command).exit_code == 0
        exported = run(journal.command, "export", street / "state").output.splitlines()
        assert json.loads(exported[0])["players"] == ["ana", "bo", "cy"]
        assert json.loads(exported[0])["options"] == {"pipsies": 0}
        assert len(exported) == 1 + 2 * lives


def test_a_player_without_a_cap_is_told_with_the_mend(street):
    with (street / "linesies.toml").open("a") as settings:
        settings.write("[camera2]\n")
    with pytest.raises(BadInput, match=r"linesies.toml:13: \[camera2\] is no table"):
        run(referee.command)
    (street / "linesies.toml").write_text('[game]\nplayers = ["ana", "dee"]\n')
    with pytest.raises(BadInput, match="no cap for dee"):
        run(referee.command)


def test_options_that_the_game_does_not_know_are_told_before_anything_is_written(street):
    text = (street / "linesies.toml").read_text().replace("pipsies = 0", "tipsies = 0")
    (street / "linesies.toml").write_text(text)
    with pytest.raises(BadStart):
        run(referee.command)
    assert run(journal.command, "show", street / "state").output == ""


def test_nothing_is_drawn_where_no_picture_is_to_be_kept(street):
    run(referee.command)
    assert list((street / "state" / "evidence").iterdir()) == []
