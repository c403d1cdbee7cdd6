"""The book and the code answer to one another: no paragraph on play without a function, no rule without a paragraph."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent.parent / "rules" / "skully"
# What rules on play. The rest of the book describes the board (1.6), the caps (1.7) and the game's name (1.2, 1.3).
PARAGRAPHS = (
    *("1.0", "1.1", "1.4", "1.5", "3.0", "3.1", "3.2", "3.2.0", "3.2.1", "3.2.2", "3.2.3", "3.2.4"),
    *("3.3.0", "3.3.1", "3.3.2", "3.3.3"),
)
# Section 2 without the words that rule nothing: Baby stuff (a collective), Pop-shot (Pipsies), Game option.
HEADINGS = (
    *("Backwards", "Blasting", "Blastsies", "Dead", "Do-over", "Forwards", "Hit a killer, be a killer"),
    *("Hit a killer and you're dead", "Hit", "Holdsies", "Killer", "Linesies", "Marksies", "Out of Town", "Pipsies"),
    *("Rollsies", "Skull", "Spinsies", "Switchsies"),
)
# Modules that know the board, read and write, but rule on nothing.
NO_RULES = {"__init__", "board", "events", "options", "play", "state"}
CITED = re.compile("|".join([r"\d(?:\.\d)+", *map(re.escape, HEADINGS)]))

# Where the book is silent or disagrees with itself: each decision, and the function that carries it out.
DECISIONS = {
    "victim hit out of the skull and into its target": "hitting_bonus",
    "victim hit on within its own trapezoid": "hit_bonus",
    "victim from the skull comes to rest on a skull line": "freed",
    "its number is awarded all the same": "has_left_trapezoid",
    "cap hit twice, or through other caps": "hits_of",
    "bonus and the shooter's own cap in the skull": "box_obtained",
    "pipsies after a placing, a hit, a miss; which boxes": "pipsies",
    "bonuses beyond the end of the path": "additive",
    "hits in the four words": "hit_no_bonus",
    "missed word in a wrong trapezoid": "killer_failed",
    "hit into the trapezoid of his word; moved within its box": "gains_target",
    "which trapezoid for which word": "is_right_trapezoid",
    "which caps may be hit": "bad_hits",
    "hit on the way into 2; who may be hit early": "is_early",
    "early player hits a killer": "early_hit",
    "start over": "start_over",
    "early hit with several caps moved": "choice_due",
    "killer reached through a chain": "hit_a_killer",
    "own cap thrown into its box": "shot_for_a_box",
    "new killer's turn": "killer_made",
    "killer in the skull": "effects",
    "after an elimination; missing the prey": "killers_shot",
    "several hit by a killer; victims keep gains": "consecutive_hit",
    "tapping about within a box": "owns_board",
    "cap in 13": "stuck_in_skull",
    "everyone stuck": "all_freed",
    "the stuck and their penalties": "turn_lost",
    "out of turn again": "out_of_turn",
    "what a shot out of turn moves": "shot_out_of_turn",
    "kick, wrong hand move": "foul",
    "false start into the target": "false_start",
    "two left, one stuck": "next_turn",
    "leaving": "leave",
}


@cache
def functions():
    return tuple(read_functions())


def read_functions():
    for path in sorted(FOLDER.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                yield path.stem, node.name, ast.get_docstring(node) or ""


def cited(docstring):
    """The paragraphs and headings that stand before the docstring's first colon."""
    return set(CITED.findall(docstring.split(":")[0])) if ":" in docstring else set()


RULES = [(module, name, doc) for module, name, doc in functions() if module not in NO_RULES]
IN_GAME = {"gate", "done", "apply", "public", "view"}  # game.py hands over to the rules


@pytest.mark.parametrize("paragraph", [*PARAGRAPHS, *HEADINGS])
def test_no_paragraph_that_rules_on_play_is_without_a_function(paragraph):
    assert [name for _, name, doc in functions() if paragraph in cited(doc)]


@pytest.mark.parametrize(("module", "name", "doc"), RULES, ids=[f"{module}.{name}" for module, name, _ in RULES])
def test_no_rule_is_without_a_paragraph(module, name, doc):
    assert cited(doc) or (module == "game" and name in IN_GAME), f"{module}.{name} cites nothing: {doc}"
    assert {paragraph for paragraph in cited(doc) if paragraph[0].isdigit()} <= set(PARAGRAPHS)


@pytest.mark.parametrize(("question", "name"), DECISIONS.items(), ids=DECISIONS.values())
def test_each_decision_stands_where_it_is_carried_out(question, name):
    assert [doc for _, known, doc in functions() if known == name and "ecision" in doc], question


def test_every_ruling_rests_on_a_paragraph_or_heading_of_the_book():
    said = re.compile(r'say\(\s*"(\w+)",\s*"([^"]+)"')
    rules = [rest for path in FOLDER.glob("*.py") for _, rest in said.findall(path.read_text(encoding="utf-8"))]
    assert len(rules) > 20
    assert set(rules) <= {*PARAGRAPHS, *HEADINGS}
