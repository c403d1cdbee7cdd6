"""Settings: one file, all faults told at once with their lines; what `init` writes reads back to the defaults."""

from dataclasses import fields

import pytest

from linesies.device.errors import BadInput
from linesies.device.settings.settings import Settings
from linesies.device.settings.tables import read_tables, write_tables


@pytest.fixture
def read(tmp_path):
    def read_text(text):
        path = tmp_path / "linesies.toml"
        path.write_text(text)
        return read_tables(path, Settings)

    return read_text


def test_what_is_written_reads_back_to_the_defaults(read):
    assert read(write_tables(Settings())) == Settings()


def test_an_empty_file_means_the_defaults(read):
    assert read("") == Settings()


def test_every_setting_is_commented():
    lines = write_tables(Settings()).splitlines()
    for i, line in enumerate(lines):
        if " = " in line and not line.startswith("#"):
            assert lines[i - 1].startswith("# "), line


def test_values_are_taken_from_the_file(read):
    settings = read(
        '[game]\nplayers = ["ana", "bo"]\noptions = { pipsies = 3 }\n[pins]\nlit_s = 2\n[web]\nserve = false'
    )
    assert settings.game.players == ("ana", "bo")
    assert settings.game.options == {"pipsies": 3}
    assert settings.pins.lit_s == 2
    assert settings.web.serve is False


def test_all_faults_are_told_at_once_each_with_its_line(read):
    with pytest.raises(BadInput) as told:
        read(
            '[camera]\nsorce = "v4l2:0"\nsettled_s = "long"\n\n[web]\nport = 70000\nserve = 1\n[pinz]\nx = 1\n'
            '[doubt]\nline = "maybe"\n[game]\nplayers = ["a", "a"]\noptions = 3\n[pins]\nin_lamp = 99\nbuzzer = 22\n'
        )
    message = str(told.value)
    for line, words in {
        2: "[camera] knows no sorce; source is meant?",
        3: "settled_s must be a number from 0.1 to 5",
        6: "port must be a whole number from 1 to 65535",
        7: "serve must be true or false",
        8: "[pinz] is no table of this file; pins is meant?",
        11: 'line must be one of "ask", "accept"',
        13: "players must be a list of names that differ",
        14: "options must be a table",
        16: "in_lamp must be a whole number from -1 to 27",
        17: "buzzer and too_close_lamp are both 22; give each its own",
    }.items():
        assert f"linesies.toml:{line}: {words}" in message
    assert message.count("linesies.toml:") == 10


@pytest.mark.parametrize(
    "text",
    ["[camera\n", "x = \n", "camera = 3\n", '[game]\nplayers = [1, "a"]\n', "[keep]\npictures = 1.5\n", "\x00"],
)
def test_what_cannot_be_used_is_one_line(read, text):
    with pytest.raises(BadInput) as told:
        read(text)
    assert "\n" not in str(told.value)
    assert "linesies.toml" in str(told.value)


def test_a_missing_file_is_told_with_the_mend(tmp_path):
    with pytest.raises(BadInput, match="linesies init"):
        read_tables(tmp_path / "none.toml", Settings)


def test_settings_are_frozen():
    for part in (Settings, *(type(getattr(Settings(), part.name)) for part in fields(Settings))):
        assert part.__dataclass_params__.frozen, part


def test_tones_are_lists_of_hertz_and_seconds(read):
    assert read("[sounds]\nin_tones = [[440, 0.2], [0, 0.1]]\n").sounds.in_tones == ((440, 0.2), (0, 0.1))
    for wrong in ("[440, 0.2]", "[[440]]", "[[5, 0.2]]", "[[440, 60]]", '"loud"'):
        with pytest.raises(BadInput, match=r"linesies.toml:2: in_tones must be a list of \[hertz, seconds\]"):
            read(f"[sounds]\nin_tones = {wrong}\n")


def test_several_parts_may_be_left_unwired_but_no_pin_is_used_twice(read):
    assert read("[pins]\nin_lamp = -1\nbuzzer = -1\n").pins.buzzer == -1
    with pytest.raises(BadInput, match="both 5"):
        read("[pins]\nin_lamp = 5\nbuzzer = 5\n")
