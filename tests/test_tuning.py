import ast
import re
from dataclasses import replace
from pathlib import Path

import pytest

from linesies.calibration.errors import BadInput
from linesies.calibration.tuning import numbers_of
from linesies.training import tune
from linesies.training.sweep import swept
from linesies.vision.cards.find.trust import TRUST, OutlineTrust
from linesies.vision.picture import stillness
from linesies.vision.picture.stillness import STILLNESS
from tests.thorough import IS_THOROUGH

ROOT = Path(__file__).parent.parent
ROOMS = ("calibration", "vision")
PLAIN = (0.0, 0.5, 1.0, 2.0)  # halves, wholes and doubles are no tuned numbers


def test_every_group_of_tuned_numbers_is_listed_with_meaning_unit_range_and_source():
    found = tune.groups()
    assert OutlineTrust in found
    for group in found:
        text = tune.listed(group)
        for number in numbers_of(group()):
            assert f"{number.name.partition('.')[2]} = {number.value:g}" in text
            assert number.title in text
            assert number.source in text
            assert number.title
            assert number.source


def test_groups_lie_only_in_the_rooms_that_are_listed():
    elsewhere = [
        str(path.relative_to(ROOT))
        for path in ROOT.glob("*/**/*.py")
        if path.relative_to(ROOT).parts[0] in ("device", "referee", "games", "rules", "web", "simulator")
        if "(Tuning)" in path.read_text()
    ]
    assert not elsewhere


def test_every_script_sets_a_group_that_names_it_as_its_source():
    for group in tune.SCRIPTS:
        sources = [number.source.split(",")[0] for number in numbers_of(group())]
        assert any((ROOT / source).exists() for source in sources)
        assert all(source == "by hand" or (ROOT / source).exists() for source in sources)


def test_numbers_that_a_script_sets_are_set_by_one_that_runs_again():
    named = {group for group in tune.groups() if any(n.source.startswith("training/") for n in numbers_of(group()))}
    assert named == set(tune.SCRIPTS)


def test_a_fit_is_told_beside_what_is_shipped():
    other = TRUST.with_weights(TRUST.weights + 1)
    assert "OutlineTrust.votes: 5.92 -> 6.92 nat" in tune.compared(TRUST, other)


def test_a_sweep_takes_a_number_that_serves_clearly_better_and_leaves_the_program_as_it_was():
    fitted = swept(STILLNESS, lambda: 0.9 if stillness.STILLNESS.moved_levels > 35 else 0.8)
    assert fitted == replace(STILLNESS, moved_levels=40)
    assert stillness.STILLNESS is STILLNESS


def test_a_sweep_keeps_a_number_than_which_none_serves_better():
    assert swept(STILLNESS, lambda: 0.9) == STILLNESS


def test_a_number_out_of_its_range_is_refused():
    with pytest.raises(BadInput, match=r"OutlineTrust.constant: 94.84 nat is out of -30 to 30"):
        TRUST.with_weights(TRUST.weights + 100)


@pytest.mark.skipif(not IS_THOROUGH, reason="takes minutes; LINESIES_THOROUGH=1, or `make thorough`")
def test_the_finder_can_be_fitted_again_on_a_few_drawn_scenes():
    pytest.importorskip("PIL", reason="fonts are set by Pillow")
    fitted = tune.SCRIPTS[OutlineTrust].fit(2)
    assert fitted.votes > 0 > fitted.constant  # what is voted for is more likely a card than what is not


def set_on_pictures(path):
    """Name a module's numbers that say of themselves that somebody set them, and are in no group."""
    lines = path.read_text().splitlines()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Assign) and any(
            isinstance(getattr(one, "value", None), int | float) for one in ast.walk(node)
        ):
            told = " ".join(line.partition("#")[2] for line in lines[node.lineno - 2 : node.end_lineno])
            if re.search(r"\bby hand\b|\b(?:set|chosen|tuned) on\b", told, re.IGNORECASE):
                yield f"{path.relative_to(ROOT)}:{node.lineno}"


@pytest.mark.parametrize("room", ROOMS)
def test_what_somebody_set_is_in_a_group_of_tuned_numbers(room):
    assert [where for path in sorted((ROOT / room).rglob("*.py")) for where in set_on_pictures(path)] == []


def odd_numbers(path):
    """Name a module's constants that hold an odd fraction, and have no word on what it is or where it comes from."""
    lines = path.read_text().splitlines()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Assign) and any(_is_odd(one) for one in ast.walk(node.value)):
            told = [*lines[node.lineno - 1 : node.end_lineno], *lines[max(node.lineno - 2, 0) : node.lineno - 1]]
            if not any("#" in line for line in told):
                yield f"{path.relative_to(ROOT)}:{node.lineno}"


def _is_odd(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, float) and node.value not in PLAIN


@pytest.mark.parametrize("room", [*ROOMS, "simulator"])
def test_an_odd_number_is_tuned_with_its_source_or_has_a_word_beside_it(room):
    assert [where for path in sorted((ROOT / room).rglob("*.py")) for where in odd_numbers(path)] == []


def read_at_import(path):
    """Name the places of a module where a tuned number is read once, while it is imported: no sweep would vary it."""
    tree = ast.parse(path.read_text())
    groups = {one for node in tree.body for one in _groups_named_by(node)}
    for node in tree.body:
        if isinstance(node, ast.Assign):
            read = [node.value]
        else:
            functions = (one for one in ast.walk(node) if isinstance(one, ast.FunctionDef))
            read = [given for one in functions for given in (*one.args.defaults, *one.args.kw_defaults) if given]
            classes = (one for one in ast.walk(node) if isinstance(one, ast.ClassDef))
            fields = (one for kind in classes for one in kind.body if isinstance(one, ast.Assign | ast.AnnAssign))
            read += [one.value for one in fields if one.value]
        for one in (part for value in read for part in ast.walk(value)):
            if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id in groups:
                yield f"{path.relative_to(ROOT)}:{node.lineno}"


def _groups_named_by(node):
    """Names in capitals that a statement imports or makes: groups of tuned numbers are among them."""
    if isinstance(node, ast.ImportFrom):
        return [one.name for one in node.names if one.name.isupper()]
    return [one.id for one in getattr(node, "targets", ()) if isinstance(one, ast.Name) and one.id.isupper()]


@pytest.mark.parametrize("room", ROOMS)
def test_no_tuned_number_is_read_while_a_module_is_imported(room):
    assert [where for path in sorted((ROOT / room).rglob("*.py")) for where in read_at_import(path)] == []
