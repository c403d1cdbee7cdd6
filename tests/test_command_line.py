"""The command line as people expect it: help that reads, names however they are written, what is meant, time left."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from linesies.device import cli, progress
from linesies.device.commands import print as print_command
from linesies.device.commands import rules as rules_command
from linesies.device.commands.naming import game_name
from linesies.device.commands.rule import answers
from linesies.device.errors import BadInput
from linesies.device.progress import with_time_left
from linesies.device.settings.settings import Settings
from linesies.device.settings.tables import read_tables
from linesies.simulator.cards import kept_decks
from linesies.simulator.cards.stage import game_at
from tests.test_referee_commands import run

KING = ("skull-king", "skull_king", "skull king", "Skull King", "SKULLKING")


def said(monkeypatch, capsys, *arguments):
    monkeypatch.setattr(sys, "argv", ["linesies", *arguments])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    told = capsys.readouterr()
    return ended.value.code, told.out, told.err


@pytest.mark.parametrize("arguments", [(), ("--help",), ("journal",)])
def test_alone_it_prints_its_help_as_help(arguments, monkeypatch, capsys):
    status, out, err = said(monkeypatch, capsys, *arguments)
    assert (status, err) == (0, "")
    assert len(out.splitlines()) > 5
    assert max(len(line) for line in out.splitlines()) <= 120


def test_what_was_meant_is_asked(monkeypatch, capsys):
    assert said(monkeypatch, capsys, "demoo") == (2, "", 'linesies: there is no command "demoo"; did you mean demo?\n')
    status, _, err = said(monkeypatch, capsys, "rules", "skul-kin")
    assert status == 2
    assert "did you mean skull_king?" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("name", KING)
def test_a_game_s_name_is_taken_however_its_words_are_joined(name, tmp_path):
    assert game_name(name) == game_at(name) == "skull_king"
    assert "Skull King" in run(rules_command.command, name).output
    (tmp_path / "linesies.toml").write_text(f'[game]\nname = "{name}"\n')
    assert read_tables(tmp_path / "linesies.toml", Settings).game.name == "skull_king"
    start = json.dumps({"event": "start", "game": name, "players": ["ana", "bo"], "options": {}})
    assert next(answers(io.BytesIO(start.encode()), "-"))["ok"]


def test_a_name_that_is_no_game_is_refused_with_those_that_are():
    with pytest.raises(click.BadParameter, match="there are skully, skull, skull_king, skipbo"):
        game_name("chess")
    with pytest.raises(BadInput, match="painted board"):
        run(print_command.command, "mat", "--game", "skully")


def test_the_shell_completes_commands():
    environ = {**os.environ, "_LINESIES_COMPLETE": "bash_complete", "COMP_WORDS": "linesies calib", "COMP_CWORD": "1"}
    code = "import sys; sys.argv[0] = 'linesies'; from linesies.device.cli import main; main()"
    told = subprocess.run([sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=False)
    assert told.stdout == "plain,calibrate\n"


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_is_told_how_much_is_left_and_the_line_is_gone_at_the_end(monkeypatch):
    terminal, clock = Terminal(), iter(range(0, 1000, 30))
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(progress.time, "monotonic", lambda: float(next(clock)))
    assert list(with_time_left("abcd", "letters", 4)) == list("abcd")
    shown = terminal.getvalue().split(progress.CLEARED)
    assert [line for line in shown if line] == [
        "letters: 1 of 4, about 90 s left",
        "letters: 2 of 4, about 60 s left",
        "letters: 3 of 4, about 30 s left",
        "letters: 4 of 4, about 1 s left",
    ]
    assert shown[-1] == "", "and is gone"


def test_what_is_no_terminal_is_told_nothing(capsys):
    assert list(with_time_left(iter("ab"), "letters", 2)) == ["a", "b"]
    assert capsys.readouterr() == ("", "")


def test_a_simulated_deck_is_learned_once_and_kept(tmp_path, monkeypatch):
    learned = []

    class Deck:
        def save(self, path):
            Path(path).write_text("kept")

    def learn(*_):
        learned.append(True)
        return Deck()

    def opened(path):
        if not path.exists():
            raise kept_decks.BadInput(f"{path}: is not there")
        return "kept deck"

    monkeypatch.setattr(kept_decks.photos, "learn_drawn", learn)
    monkeypatch.setattr(kept_decks.LearnedDeck, "open", opened)
    stage = type("Stage", (), {"game": "skipbo", "seed": 1, "deck": None, "rng": lambda _self, _n: None})()
    table = type("Table", (), {"stage": stage})()
    kept_decks.learned_deck(table, tmp_path / "new")
    assert kept_decks.learned_deck(table, tmp_path / "new") == "kept deck"
    assert learned == [True]
    (tmp_path / "file").write_text("")
    kept_decks.learned_deck(table, tmp_path / "file" / "no folder")
    assert learned == [True, True], "where nothing can be kept it is learned each time"
