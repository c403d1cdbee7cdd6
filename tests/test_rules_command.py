"""`linesies rule` from outside: every line is answered at once, whatever comes in, and never with a traceback."""

import io
import json
import resource
import subprocess
import sys

import pytest
from click.testing import CliRunner

from linesies import rules
from linesies.device.commands.rule import answers
from linesies.device.commands.rules import command as rules_command
from linesies.device.errors import BadInput

RULE = [sys.executable, "-c", "from linesies.device.cli import main; main()", "rule"]
START = b'{"event": "start", "game": "skully", "players": ["ana", "bo"]}\n'
SHOT = b'{"event": "shot", "player": "ana", "hits": [], "rest": {"ana": "1"}}\n'


def rule(given, *args):
    return subprocess.run([*RULE, *(args or ["-"])], input=given, capture_output=True, timeout=30, check=False)


def test_each_line_is_answered_before_the_next_is_sent():
    with subprocess.Popen([*RULE, "-"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as live:
        for n, line in enumerate((START, SHOT, b"nonsense\n"), start=1):
            live.stdin.write(line)
            live.stdin.flush()
            assert json.loads(live.stdout.readline())["n"] == n
        live.stdin.close()
        assert live.wait(timeout=30) == 0


HOSTILE = {
    "not a number": b'{"event": "shot", "player": NaN}',
    "infinity": b'{"event": "shot", "hits": Infinity}',
    "no UTF-8": b'{"event": "shot", "player": "\xff\xfe"}',
    "bare control": b'{"event": "sh\x00ot"}',
    "deep": b"[" * 200_000,
    "deep object": b'{"event":' * 200_000,
    "endless number": b'{"event": "correct", "players": {"ana": {"skip": ' + b"9" * 50_000 + b"}}}",
    "huge exponent": b'{"event": "correct", "players": {"ana": {"skip": 1e999}}}',
    "half a pair": b'{"event": "\\ud800"}',
    "half a pair in a place": b'{"event": "shot", "player": "ana", "hits": [], "rest": {"ana": "\\ud800"}}',
    "list of names": b'{"event": ["shot"], "player": ["ana"]}',
    "empty": b"",
    "spaces": b"   ",
    "two values": b"{} {}",
    "a word": b'"shot"',
    "mark first": b"\xef\xbb\xbf{}",
}


def test_hostile_lines_are_refused_and_the_game_goes_on():
    done = rule(START + b"\n".join(HOSTILE.values()) + b"\n" + SHOT)
    first, *refused, after = [json.loads(answer) for answer in done.stdout.splitlines()]
    assert done.returncode == 0
    assert done.stderr == b""
    assert {name: answer.get("error", {}).get("code") for name, answer in zip(HOSTILE, refused, strict=True)} == (
        dict.fromkeys(HOSTILE, "bad_event")
    )
    assert all(answer["state"] == first["state"] for answer in refused)
    assert after["ok"]


def test_of_a_key_given_twice_the_last_counts():
    line = b'{"event": "shot", "player": "bo", "player": "ana", "hits": [], "rest": {"ana": "1"}}\n'
    assert json.loads(rule(START + line).stdout.splitlines()[1])["ok"]


BAD_STARTS = {
    "empty": b"",
    "no JSON": b"hello\n",
    "a list": b"[]\n",
    "no start": SHOT,
    "unknown game": b'{"event": "start", "game": "chess", "players": ["ana", "bo"]}\n',
    "game of no name": b'{"event": "start", "game": [], "players": ["ana", "bo"]}\n',
    "no players": b'{"event": "start", "game": "skully"}\n',
    "one player": b'{"event": "start", "game": "skully", "players": ["ana"]}\n',
    "twice": b'{"event": "start", "game": "skully", "players": ["ana", "ana"]}\n',
    "nameless": b'{"event": "start", "game": "skully", "players": ["ana", ""]}\n',
    "numbers": b'{"event": "start", "game": "skully", "players": [1, 2]}\n',
    "players in words": b'{"event": "start", "game": "skully", "players": "ana and bo"}\n',
    "no options": b'{"event": "start", "game": "skully", "players": ["ana", "bo"], "options": null}\n',
    "unknown option": b'{"event": "start", "game": "skully", "players": ["ana", "bo"], "options": {"teams": 1}}\n',
}


@pytest.mark.parametrize("given", BAD_STARTS.values(), ids=BAD_STARTS)
def test_an_unusable_start_is_told_by_its_line(given):
    with pytest.raises(BadInput, match=r"^game: ") as fault:
        next(answers(io.BytesIO(given), "game"))
    assert "\n" not in str(fault.value)


def test_an_unusable_start_is_one_line_and_exit_status_2():
    done = rule(BAD_STARTS["unknown option"])
    assert done.returncode == 2
    assert done.stdout == b""
    assert done.stderr.count(b"\n") == 1
    assert b"Traceback" not in done.stderr


@pytest.mark.parametrize("file", ["missing.jsonl", "."])
def test_a_file_that_cannot_be_read_is_one_line_and_exit_status_2(file):
    done = rule(b"", file)
    assert done.returncode == 2
    assert done.stderr.count(b"\n") == 1
    assert file.encode() in done.stderr


def test_equal_inputs_give_equal_bytes(tmp_path):
    game = tmp_path / "game.jsonl"
    game.write_bytes(START + SHOT + b"{\n" + SHOT)
    assert rule(b"", str(game)).stdout == rule(b"", str(game)).stdout == rule(game.read_bytes()).stdout


def test_a_name_that_has_no_utf_8_form_is_escaped():
    start = b'{"event": "start", "game": "skully", "players": ["\\udc00", "J\xc3\xb3se"]}\n'
    done = rule(start + b'{"event": "leave", "player": "\\udc00"}\n')
    assert done.returncode == 0
    assert json.loads(done.stdout.splitlines()[1])["state"]["winner"] == "Jóse"
    assert "José".encode() in rule('{"event": "start", "game": "skully", "players": ["José", "b"]}'.encode()).stdout


def test_it_answers_without_loading_what_sees():
    code = (
        "import sys, device.commands.rule, device.commands.rules; print({'numpy', 'cv2', 'flask'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=30, check=True)
    assert done.stdout.strip() == b"set()"


def test_it_answers_after_little_work():
    before_s = work_of_children_s()
    rule(START)
    assert work_of_children_s() - before_s < 1.0  # 0.1 s was seen


def work_of_children_s():
    """The processor's time, so that other work on this machine does not count."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def shown(*args):
    done = CliRunner().invoke(rules_command, args)
    return done.exception or done.output


def test_rules_lists_the_games():
    assert shown().splitlines() == [f"{name}: {game.words.title}" for name, game in rules.GAMES.items()]


@pytest.mark.parametrize("game", rules.GAMES.values(), ids=lambda game: game.name)
def test_rules_of_a_game_tells_every_option_its_default_and_its_meaning_and_every_preset(game):
    told = shown(game.name)
    for option in game.options:
        default = f"; if not said: {json.dumps(option.default)}" if option.is_allowed(option.default) else ""
        assert f"{option.name}: {option.values}{default}\n" in told
        assert game.words.options[option.name].splitlines()[0] in told
    for preset in game.presets:
        assert f"{preset.name}: {game.words.presets[preset.name]}" in told
        assert json.loads(shown(game.name, "--preset", preset.name)) == dict(preset.options)


@pytest.mark.parametrize(
    ("args", "named"),
    [(["chess"], "skully"), (["skully", "--preset", "tea"], "killer-rules"), (["--preset", "street"], "needs a game")],
)
def test_rules_of_what_is_not_there_names_what_is(args, named):
    fault = shown(*args)
    assert isinstance(fault, BadInput)
    assert named in str(fault)
