"""The house stays readable: every file says what it is for, functions stay short, long files are looked at."""

import ast
import doctest
import warnings
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PRODUCT = ("calibration", "vision", "rules", "games", "referee", "league", "web", "device", "simulator")
FOLDERS = (*PRODUCT, "benchmarks", "training")
SOURCES = sorted(p for folder in FOLDERS for p in (ROOT / folder).rglob("*.py"))
EXAMPLES = [p for folder in PRODUCT for p in sorted((ROOT / folder).rglob("*.py")) if ">>> " in p.read_text()]
LONG = 500  # lines; past that a file is worth a look, though cohesion decides


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_a_function_has_at_most_40_lines(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[1:] if ast.get_docstring(node) else node.body
            lines = node.end_lineno - body[0].lineno + 1 if body else 0
            assert lines <= 40, f"{path.name}:{node.name} is {lines} lines long"


@pytest.mark.filterwarnings("default::UserWarning")
def test_long_files_are_named():
    for path in SOURCES:
        lines = path.read_text().count("\n")
        if lines > LONG:
            warnings.warn(f"{path.relative_to(ROOT)} has {lines} lines: is it one concept?", UserWarning, stacklevel=1)


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_module_says_what_it_is_for(path):
    assert ast.get_docstring(ast.parse(path.read_text())), path


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: str(p.relative_to(ROOT)))
def test_every_example_in_a_docstring_holds(path):
    module = import_module("linesies." + ".".join(path.relative_to(ROOT).with_suffix("").parts))
    seen = doctest.testmod(module)
    assert seen.attempted
    assert not seen.failed
