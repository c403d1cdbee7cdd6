"""Spoilt settings: the last good ones are used, and it is said; without any, one line tells what to mend."""

import json

import pytest

from linesies.device.commands import referee
from linesies.device.errors import BadInput
from linesies.device.journal.journal import Journal
from linesies.device.settings.settings_backup import read_settings
from linesies.referee.folding import story_of
from tests.test_referee_commands import run, street  # noqa: F401 - a fixture


@pytest.fixture
def files(tmp_path):
    config = tmp_path / "linesies.toml"
    config.write_text("[web]\nport = 8001\n")
    return config, tmp_path / "spare.toml"


@pytest.mark.parametrize("spoilt", ["[web\nport", "\x00" * 40, "[web]\nport = 80_000\n", None])
def test_settings_that_are_spoilt_are_replaced_by_the_last_good_ones(files, spoilt):
    config, spare = files
    settings, troubles = read_settings(config, spare)
    assert troubles == []
    if spoilt is None:
        config.unlink()
    else:
        config.write_text(spoilt)
    again, troubles = read_settings(config, spare)
    assert again == settings
    assert [trouble.who for trouble in troubles] == ["settings"]
    assert "linesies.toml" in troubles[0].message
    assert "last good ones are used" in troubles[0].message


def test_without_good_ones_it_is_told_in_one_line_what_to_mend(files):
    config, spare = files
    config.write_text("[web]\nport = 0\n")
    for kept in (None, "also spoilt ["):
        if kept is not None:
            spare.write_text(kept)
        with pytest.raises(BadInput, match=r"linesies\.toml:2: port must be"):
            read_settings(config, spare)


def test_a_spare_that_cannot_be_written_costs_nothing(files):
    config, _ = files
    assert read_settings(config, config.parent / "no folder" / "spare.toml")[1] == []


def test_the_referee_goes_on_with_them_and_shows_what_is_wrong(street):  # noqa: F811 - the fixture
    assert run(referee.command, "--spare", "spare.toml").exit_code == 0
    (street / "linesies.toml").write_text("\x00\x00")
    assert run(referee.command, "--spare", "spare.toml").exit_code == 0
    journal = Journal(street / "state" / "journal.sqlite")
    troubles = story_of(journal).troubles
    journal.close()
    assert "is not TOML" in troubles["settings"]["message"]
    assert json.dumps(troubles)
