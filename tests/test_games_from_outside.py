"""Who knows one game from another: the registry of games is the only way in."""

import re
from pathlib import Path

import pytest

from linesies import games, rules

ROOT = Path(__file__).parent.parent
PRODUCT = ("calibration", "vision", "referee", "web", "league", "device")
NAMED = re.compile(r"""["'](?:skully|skull|skull_king|skipbo)["']|\bSKULLY\b|startswith\(["']skull|rstrip\(["']fbk""")
# where a game may still be named in Python, each with its reason
KNOWN = {
    "device/settings/settings.py": "the game that settings name where they say nothing",
    "calibration/locations.py": "an example in a docstring",
    "device/commands/rule.py": "an example in the command's help",
    "device/commands/print.py": "the mat that is printed where none is named",
    "calibration/standard_boards.py": "the class of lines in drawings and calibrations that name none",
}


def lines_naming_a_game(folder, ending, pattern=NAMED):
    for path in sorted((ROOT / folder).rglob(f"*.{ending}")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            code = line.split("#")[0]
            if pattern.search(code):
                yield f"{path.relative_to(ROOT)}", number, line.strip()


@pytest.mark.parametrize("folder", PRODUCT)
def test_no_code_outside_games_and_rules_names_a_game(folder):
    found = [told for told in lines_naming_a_game(folder, "py") if told[0] not in KNOWN]
    assert not found


def test_every_game_of_the_house_names_all_its_parts():
    assert list(games.GAMES) == list(rules.GAMES)[: len(games.GAMES)]
    for game in games.GAMES.values():
        assert game.rules.name == game.name
        assert game.own_events
        if isinstance(game.seen, games.Caps):
            assert game.seen.boards.load()("street").regions


SHARED_PAGE = [
    path
    for path in sorted((ROOT / "web" / "static").rglob("*.js"))
    if path.parent.parent.name != "games" and not path.name.startswith("words_")
]
ASKS = re.compile(
    r"""["'`](?:skully|skull|skull_king|skipbo)["'`]|\bgame\.game\s*[!=]==|\bstate\.game\s*[!=]==|skull\[|["']skull"""
)


@pytest.mark.parametrize("path", SHARED_PAGE, ids=lambda path: path.name)
def test_no_shared_part_of_the_page_asks_which_game_is_on(path):
    code = [line.split("//")[0] for line in path.read_text(encoding="utf-8").splitlines()]
    assert [line.strip() for line in code if ASKS.search(line)] == []


def test_every_game_of_the_house_names_its_page_module_which_is_there():
    paths = [games.GAMES[name].page for name in games.HOUSE]
    assert all((ROOT / "web" / "static" / path).is_file() for path in paths)
    assert len(set(paths)) == len(paths)


def test_a_page_module_leans_on_no_other_games():
    for folder in (ROOT / "web" / "static" / "games").iterdir():
        others = "|".join(other.name for other in folder.parent.iterdir() if other != folder)
        for path in folder.glob("*.js"):
            assert not re.search(rf"from \"\.\./(?:{others})/", path.read_text(encoding="utf-8")), path
