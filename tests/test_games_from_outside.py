"""Who knows one game from another: the registry of games is the only way in."""

import re
from pathlib import Path

import pytest

from linesies import games, rules

ROOT = Path(__file__).parent.parent
PRODUCT = ("calibration", "vision", "referee", "web", "device")
NAMED = re.compile(r"""["'](?:skully|skull|skull_king|skipbo)["']|\bSKULLY\b|startswith\(["']skull|rstrip\(["']fbk""")
# where a game may still be named in Python, each with its reason
KNOWN = {
    "device/settings/settings.py": "the game that settings name where they say nothing",
    "calibration/locate.py": "an example in a docstring",
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


def test_the_page_tells_the_street_from_the_table_in_one_place():
    compared = re.compile(r"""[!=]== "skully"|"skully" [!=]==""")
    assert not list(lines_naming_a_game("web", "js", compared))
