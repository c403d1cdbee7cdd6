"""Odd files, and files changed at random: exit status 2 and one line, never a traceback, never a hang.

LINESIES_FUZZ_S says for how long files are changed at random (`make fuzz`); a few dozen are here always, by a seed.
"""

import contextlib
import io
import json
import math
import os
import random
import struct
import subprocess
import sys
import zlib

import pytest

from linesies import rules
from linesies.device.commands.rule import answers
from linesies.device.errors import BadInput
from linesies.device.settings.settings import Settings
from linesies.device.settings.tables import read_tables, write_tables
from tests.test_bad_input import CORNERS, STREET, calibrated, linesies  # noqa: F401 - a fixture
from tests.thorough import until_enough

FUZZ_S = float(os.environ.get("LINESIES_FUZZ_S", "0"))
SEED = int(os.environ.get("LINESIES_SEED", "1"))
CASES = 40  # without a time
VECTORS = STREET.parents[1] / "vectors"
LENS = json.loads((STREET / "lens.json").read_text())
BOARD = json.loads((STREET / "board.json").read_text())
NUMBERS = (0, -1, 1, 1e-9, 1e9, 1e30, 1e308, -1e30, math.nan, math.inf, 2**63, 10**30)
ODD = (None, True, "", "x" * 1000, "\0\u202e", [], {}, [[[]]], *NUMBERS)


def png(width, height):
    """A true PNG of one grey, whose pixels take next to nothing while packed."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", b"") + chunk(b"IEND", b"")


def refused(told, *words):
    assert told.returncode == 2, told.stderr
    assert told.stderr.count("\n") == 1, told.stderr
    assert all(word in told.stderr for word in words), told.stderr
    return told


def asked(folder, command, *, lens=STREET / "lens.json", board=STREET / "board.json", picture=STREET / "empty.jpg"):
    if command == "calibrate":
        given = ("--board", board, "--lens", lens, "--corners", *CORNERS, "-o", folder / "out.json")
        return linesies("calibrate", picture, *given)
    return linesies(command, picture, "--calibration", lens, *(("--caps", board) if command == "judge" else ()))


def pipe(folder):
    path = folder / "pipe.jpg"
    os.mkfifo(path)
    return path


def test_a_pipe_on_which_nobody_writes_and_a_device_without_end_are_refused(tmp_path):
    for path in (pipe(tmp_path), "/dev/zero"):
        refused(asked(tmp_path, "calibrate", picture=path), "no plain file")
        refused(asked(tmp_path, "calibrate", lens=path), "no plain file")
        refused(asked(tmp_path, "doctor", lens=path), "no plain file")
        with pytest.raises(BadInput, match="no plain file"):
            read_tables(tmp_path / "pipe.jpg", Settings)


@pytest.mark.parametrize("ending", ["png", "jpg"])
def test_a_picture_of_900_megapixels_is_refused_by_its_header(ending, tmp_path):
    path = tmp_path / f"huge.{ending}"
    frame = b"\xff\xc0\x00\x11\x08" + struct.pack(">HH", 30_000, 30_000) + b"\x03" + bytes(9)
    scan = b"\xff\xda\x00\x02\x00\xff\xd9"
    path.write_bytes(png(30_000, 30_000) if ending == "png" else b"\xff\xd8\xff\xe0\x00\x04ab" + frame + scan)
    refused(asked(tmp_path, "calibrate", picture=path), "900 megapixels")


def test_a_picture_whose_header_is_damaged_is_refused_in_one_line_whatever_opencv_thinks_of_it(tmp_path):
    path = tmp_path / "damaged.png"
    path.write_bytes(png(8, 8).replace(b"IHDR", b"IHXR"))
    command = [sys.executable, "-m", "linesies", "calibrate", path, "--board", STREET / "board.json"]
    command += ["--lens", STREET / "lens.json", "--corners", *CORNERS, "-o", tmp_path / "out.json"]
    refused(subprocess.run(command, capture_output=True, text=True, check=False), "is no picture that can be read")


def test_json_nested_without_end_is_refused(tmp_path):
    path = tmp_path / "deep.json"
    for text in ("[" * 100_000 + "]" * 100_000, '{"a":' * 50_000 + "1" + "}" * 50_000):
        path.write_text(text)
        refused(asked(tmp_path, "calibrate", lens=path), "deep.json")
        refused(asked(tmp_path, "calibrate", board=path), "deep.json")
        refused(linesies("rule", path), "deep.json")


@pytest.mark.parametrize("value", [1e30, 1e-30, -1.0, 0.0, math.nan])
@pytest.mark.parametrize("place", [(0, 0), (1, 1)])
def test_a_lens_that_no_camera_has_is_refused(value, place, tmp_path):
    matrix = [list(row) for row in LENS["camera_matrix"]]
    matrix[place[0]][place[1]] = value
    path = tmp_path / "lens.json"
    path.write_text(json.dumps(LENS | {"camera_matrix": matrix}))
    refused(asked(tmp_path, "calibrate", lens=path), "lens.json")


@pytest.mark.parametrize("bend", [-1.0, 1e30])
def test_a_lens_that_folds_the_board_ends_in_a_sentence(bend, tmp_path):
    path = tmp_path / "lens.json"
    path.write_text(json.dumps(LENS | {"distortion": [bend, *LENS["distortion"][1:]]}))
    told = asked(tmp_path, "calibrate", lens=path)
    assert told.returncode in (0, 2)
    assert "Traceback" not in told.stderr


def test_a_board_whose_point_stands_in_the_wrong_place_is_refused(tmp_path):
    path = tmp_path / "board.json"
    path.write_text(json.dumps(BOARD | {"size": [182_880.0, 182_880.0]}))
    refused(asked(tmp_path, "calibrate", board=path), "20 m at most")


@pytest.mark.parametrize("key", ["rotation", "translation"])
@pytest.mark.parametrize("value", [math.nan, 1e308, 1e30, 1e5])
def test_a_calibration_whose_camera_stands_nowhere_is_refused(key, value, calibrated, tmp_path):  # noqa: F811
    found = json.loads(calibrated.read_text())
    first = found[key][0]
    found[key] = [[value, *first[1:]], *found[key][1:]] if isinstance(first, list) else [value, *found[key][1:]]
    path = tmp_path / "calibration.json"
    path.write_text(json.dumps(found))
    refused(asked(tmp_path, "doctor", lens=path), "calibration.json")


@pytest.mark.parametrize("command", ["doctor", "judge"])
def test_a_calibration_without_paint_is_refused_by_what_measures_gaps(command, calibrated, tmp_path):  # noqa: F811
    path = tmp_path / "mat.json"
    path.write_text(json.dumps(json.loads(calibrated.read_text()) | {"lines": []}))
    caps = ("--caps", STREET / "caps.json") if command == "judge" else ()
    refused(linesies(command, STREET / "empty.jpg", "--calibration", path, *caps), "no painted lines")


def test_a_camera_in_the_plane_of_the_board_is_refused(calibrated, tmp_path):  # noqa: F811
    found = json.loads(calibrated.read_text())
    found["translation"][2] = 0.0
    path = tmp_path / "calibration.json"
    path.write_text(json.dumps(found))
    refused(asked(tmp_path, "doctor", lens=path), "calibration.json", "show no board")


def changed(value, chance):
    """Put something odd in one place of decoded JSON."""
    if isinstance(value, dict) and value and chance.random() < 0.9:
        key = chance.choice(sorted(value))
        if chance.random() < 0.1:
            return {name: one for name, one in value.items() if name != key}
        return {**value, key: changed(value[key], chance)}
    if isinstance(value, list) and value and chance.random() < 0.9:
        at = chance.randrange(len(value))
        return [*value[:at], *([] if chance.random() < 0.1 else [changed(value[at], chance)]), *value[at + 1 :]]
    if isinstance(value, int | float) and not isinstance(value, bool) and chance.random() < 0.3:
        return value * chance.choice((-1, 1e-9, 1e9, 100, 1.5))
    return chance.choice(ODD)


def test_files_changed_at_random_are_used_or_refused_in_one_line(calibrated, tmp_path):  # noqa: F811
    chance, counts = random.Random(SEED), {0: 0, 2: 0}
    texts = {"lens.json": LENS, "board.json": BOARD, "calibration.json": json.loads(calibrated.read_text())}
    for number in until_enough(FUZZ_S, CASES):
        name = chance.choice(sorted(texts))
        path = tmp_path / name
        path.write_text(json.dumps(changed(texts[name], chance)))
        if name == "board.json":
            told = linesies("print", "board", "--board", path, "-o", tmp_path / "board.pdf")
        elif name == "lens.json":
            told = asked(tmp_path, "calibrate", lens=path)
        else:
            told = asked(tmp_path, "doctor", lens=path)
        assert told.returncode in counts, (number, path.read_text()[:2000])
        assert told.returncode == 0 or told.stderr.count("\n") == 1, told.stderr
        counts[told.returncode] += 1
    print(f"\nfiles changed at random: {counts[2]} refused in one line, {counts[0]} used")  # noqa: T201
    assert min(counts.values()) > 0


def events_in(file):
    """Read the lines of a public game that are events."""
    for line in file.read_text(encoding="utf-8").splitlines():
        with contextlib.suppress(ValueError):
            event = json.loads(line)
            if isinstance(event, dict):
                yield event


@pytest.mark.parametrize("game", rules.GAMES)
def test_events_changed_at_random_are_each_answered_with_a_ruling_or_a_refusal(game):
    chance, counts = random.Random(SEED), {True: 0, False: 0}
    games = [file for file in sorted((VECTORS / game).glob("*.in.jsonl")) if "bad_start" not in file.name]
    most = 300 if not FUZZ_S else int(200 * FUZZ_S)
    while sum(counts.values()) < most:
        start, *told = events_in(chance.choice(games))
        lines = [start, *(line for event in told for line in (changed(event, chance), event))]
        answered = list(answers(io.BytesIO("\n".join(map(json.dumps, lines)).encode()), "-"))
        assert [one["n"] for one in answered] == list(range(1, len(lines) + 1))
        for one in answered[1::2]:
            counts[one["ok"]] += 1
    print(f"\n{game}: in games that go on {counts[False]} lines changed at random refused, {counts[True]} ruled on")  # noqa: T201
    assert counts[False] > 0


def refusal_of(path):
    """Read settings; what is said against them, None where they can be used."""
    try:
        read_tables(path, Settings)
    except BadInput as fault:
        return str(fault)
    return None


def test_settings_changed_at_random_are_read_or_refused_with_their_line(tmp_path):
    chance, path, refusals = random.Random(SEED), tmp_path / "linesies.toml", []
    lines = write_tables(Settings()).splitlines()
    keys = [at for at, line in enumerate(lines) if "=" in line and not line.startswith("#")]
    odd = (
        "0",
        "-1",
        "1e308",
        "nan",
        "inf",
        '""',
        '"x"',
        "true",
        "[]",
        "[[1]]",
        "{}",
        "1979-05-27",
        '"\\u0000"',
        "",
        "]",
    )
    for _ in range(1000 if not FUZZ_S else int(20 * FUZZ_S)):
        at = chance.choice(keys)
        spoilt = f"{lines[at].partition('=')[0]}= {chance.choice(odd)}"
        path.write_text("\n".join([*lines[:at], spoilt, *lines[at + 1 :]]))
        refusals += [refusal_of(path)]
    told = [refusal for refusal in refusals if refusal is not None]
    print(f"\nsettings changed at random: {len(told)} of {len(refusals)} refused")  # noqa: T201 - a long run's figures
    assert all("linesies.toml" in refusal and "\n" not in refusal for refusal in told)
    assert len(told) > 100
