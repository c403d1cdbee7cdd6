"""The page's own words: every language says the same things with the same fields."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from linesies import rules, web
from linesies.web.hosting import game_json
from tests.card_games import CardTable

STATIC = Path(web.__file__).parent / "static"
NODE = shutil.which("node")
LEFT_ALIKE = {"3.2.4"}


def words_of(language):
    script = f"import w from '{STATIC / f'words_{language}.js'}'; console.log(JSON.stringify(w))"
    told = subprocess.run([NODE, "--input-type=module", "-e", script], capture_output=True, check=True, text=True)
    return json.loads(told.stdout)


def leaves(value, path=()):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    else:
        yield path, value


@pytest.mark.skipif(NODE is None, reason="no node on this machine")
@pytest.mark.parametrize("language", ["es"])
def test_each_language_has_every_word_with_the_same_fields(language):
    english, other = dict(leaves(words_of("en"))), dict(leaves(words_of(language)))
    assert english.keys() == other.keys()
    for path, text in english.items():
        fields = sorted(re.findall(r"\{\w+\}", str(text)))
        assert fields == sorted(re.findall(r"\{\w+\}", str(other[path]))), path


@pytest.mark.skipif(NODE is None, reason="no node on this machine")
@pytest.mark.parametrize("game", ["skull", "skull_king", "skipbo"])
def test_every_part_of_a_card_games_book_has_its_name(tmp_path, game):
    table = CardTable(tmp_path / "j.sqlite", game, seed=4)
    for _ in range(150):
        if table.state["phase"] == "over":
            break
        table.step()
    parts = {ruling["rule"] for entry in table.referee.story.entries for ruling in entry.rulings}
    parts |= {ruling["rule"] for ruling in table.referee.story.rulings}
    assert parts
    assert parts <= words_of("es")["headings"].keys()


@pytest.mark.skipif(NODE is None, reason="no node on this machine")
@pytest.mark.parametrize("game", rules.GAMES)
def test_every_preset_option_and_choice_has_its_name(game):
    told = game_json(rules.GAMES[game], rules.GAMES[game].words)
    keys = {one["name"] for one in (*told["presets"], *told["options"])}
    keys |= {key for one in told["options"] for key in one.get("choices", ()) if isinstance(key, str)}
    assert keys <= words_of("es")["choices"].keys()
