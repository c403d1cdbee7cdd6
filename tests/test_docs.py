"""The documentation says what the program does: commands exist, links lead somewhere, pins and tables agree."""

import re
from importlib import import_module
from itertools import pairwise
from pathlib import Path

import pytest

from linesies.benchmarks.mounting import table
from linesies.device.box.wiring import HEADER
from linesies.device.cli import COMMANDS, home_of
from linesies.device.settings.settings import PinSettings
from tests.test_import_direction import MAY_IMPORT, PRODUCT

DOCS = Path(__file__).parent.parent / "docs"
README = DOCS.parent / "README.md"
PAGES = sorted(DOCS.glob("*.md"))


def typed_in(page):
    """Each `linesies` command that a page has people type, from its name on."""
    for line in re.findall(r"`([^`]*)`|^ {4,}(.*)$", page.read_text(), re.MULTILINE):
        for command in re.findall(r"\blinesies (?!linesies\b)([a-z][^#|&;]*)", "".join(line)):
            yield command.split()


@pytest.mark.parametrize("page", [*PAGES, README], ids=lambda page: page.name)
def test_every_command_that_is_named_exists_with_these_options(page):
    named = list(typed_in(page))
    assert named or page.name in ("box.md", "buy.md")
    for name, *words in named:
        if name in ("bash", "user"):  # `sudo -u linesies bash`
            continue
        assert name in COMMANDS
        command = import_module(f"{home_of(name)}.{name}").command
        known = {option for parameter in command.params for option in parameter.opts}
        given = {word.split("=")[0] for word in words if re.match(r"--?[a-z]", word)}
        assert given <= known | {"--help"}, f"linesies {name}"


@pytest.mark.parametrize("page", [*PAGES, README], ids=lambda page: page.name)
def test_no_page_leaves_a_blank_to_whoever_types_its_commands(page):
    assert not re.findall(r"<(?:this|your|the|a|path|url)\b[^>]*>", page.read_text(), re.IGNORECASE)


def test_the_readme_tells_every_command_once():
    table = README.read_text().split("## Commands")[1].split("\n## ")[0]
    told = [name for line in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE) for name in re.findall(r"`(\w+)`", line)]
    assert sorted(told) == sorted(COMMANDS)


def test_the_readme_tells_which_folder_imports_which():
    rows = dict(re.findall(r"^\| `(\w+)/` \|.*\| ([^|]*) \|$", README.read_text(), re.MULTILINE))
    assert rows.pop("device") == "all of these"
    told = {folder: set(re.findall(r"`(\w+)`", imports)) for folder, imports in rows.items()}
    assert {folder: told[folder] for folder in PRODUCT - {"device"}} == {
        folder: MAY_IMPORT[folder] for folder in PRODUCT - {"device"}
    }


@pytest.mark.parametrize("page", [*PAGES, README], ids=lambda page: page.name)
def test_every_link_leads_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        assert target.startswith("https://") or (page.parent / target).exists(), target


def test_every_source_file_that_is_named_exists():
    sources = {str(path.relative_to(README.parent)) for path in README.parent.glob("*/**/*.py")}
    for name in re.findall(r"`([\w/]+\.py)`", (DOCS / "develop.md").read_text()):
        assert any(source == name or source.endswith(f"/{name}") for source in sources), name


def test_one_can_walk_from_buying_to_playing():
    way = ["buy.md", "build.md", "mount.md", "paint.md", "calibrate.md", "play.md"]
    assert re.findall(r"\((\w+\.md)\)", (DOCS / "box.md").read_text())[: len(way)] == way
    for page, after in pairwise(way):
        assert f"]({after})" in (DOCS / page).read_text().splitlines()[-1]


def test_the_drawing_shows_the_pins_that_settings_have():
    drawn = (DOCS / "wiring.svg").read_text()
    pins = PinSettings()
    for pin in (
        *(pins.in_lamp, pins.on_line_lamp, pins.too_close_lamp),
        *(pins.buzzer, pins.do_over_button, pins.confirm_button),
    ):
        assert f"GPIO{pin}, pin {HEADER[pin]}" in drawn


def test_the_table_of_cameras_is_the_program_s_own():
    text = (DOCS / "mount.md").read_text()
    assert "\n".join(table()) in text
