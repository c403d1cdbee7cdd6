"""Imports run one way, between the folders and inside them, as the table below says."""

import ast
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from linesies.vision.caps import judge
from linesies.vision.shots import watcher

ROOT = Path(__file__).parent.parent
NAME = "linesies"
PRODUCT = {"calibration", "vision", "rules", "games", "referee", "web", "league", "device"}
MAY_IMPORT = {
    "calibration": set(),
    "rules": set(),
    "games": {"rules"},
    "vision": {"calibration"},
    "referee": {"rules", "games", "vision", "calibration"},
    "web": {"rules", "games", "referee"},
    # the hub folds what boards announced: no pixels, no cameras; of the page it has how doors and tables are written
    "league": {"rules", "referee", "web"},
    "device": {"calibration", "vision", "rules", "games", "referee", "web", "league"},
    "simulator": PRODUCT,
    "benchmarks": PRODUCT | {"simulator"},
    "training": PRODUCT | {"simulator", "benchmarks"},
}
FRONT_DOORS = {"calibration", "vision", "rules", "games", "web"}  # entered by what their __init__ offers
ROOMS = {  # a room of a folder, and the rooms of that folder that it builds on
    "vision": {
        "": set(),
        "picture": {""},
        "caps": {"", "picture"},
        "proof": {"", "picture", "caps"},
        "shots": {"", "picture", "caps"},
        "cards": {"", "picture"},
    },
    "vision/cards": {
        "": set(),
        "find": {""},
        "learn": {""},
        "read": {"", "learn"},
        "table": {"", "find", "learn"},
    },
    "device": {
        "": set(),
        "journal": {""},
        "settings": {""},
        "sheets": set(),
        "cameras": {""},
        "cases": {"", "journal"},
        "announcers": {"", "settings", "journal", "cases"},
        "phones": {""},
        "serving": {"", "settings", "journal", "phones", "box", "cases", "proof"},
        "proof": {"", "cases", "cameras"},
        "box": {"", "settings", "journal", "phones", "announcers", "proof"},
        "loop": {"", "journal", "settings", "cameras", "cases", "announcers", "phones", "serving", "box", "proof"},
        "commands": {
            *("", "journal", "settings", "sheets", "cameras", "cases", "announcers", "phones", "serving", "box"),
            *("loop", "proof"),
        },
    },
}
IMPURE = {
    "time",
    "datetime",
    "random",
    "secrets",
    "os",
    "pathlib",
    "io",
    "socket",
    "sqlite3",
    "logging",
    "numpy",
    "cv2",
}


def imported_modules(path: Path) -> set[str]:
    """List what a file imports; ours without the common name, `vision.caps.fit` for linesies.vision.caps.fit."""
    modules = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            modules.add(node.module)
            modules |= {f"{node.module}.{alias.name}" for alias in node.names if is_module(node.module, alias.name)}
    return {m.removeprefix(f"{NAME}.") for m in modules}


def is_module(package: str, name: str) -> bool:
    place = ROOT / NAME / "/".join(package.split(".")[1:]) / name
    return package.split(".", maxsplit=1)[0] == NAME and (
        place.with_suffix(".py").exists() or (place / "__init__.py").exists()
    )


def sources(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def test_every_folder_of_the_package_has_its_line_in_the_table():
    assert {path.name for path in (ROOT / NAME).iterdir() if path.is_symlink()} == set(MAY_IMPORT)


@pytest.mark.parametrize("folder", sorted(MAY_IMPORT))
def test_a_folder_imports_only_what_the_design_allows(folder):
    assert sources(folder), f"{folder}/ holds no source"
    for path in sources(folder):
        others = {m.split(".")[0] for m in imported_modules(path)} & set(MAY_IMPORT) - {folder}
        assert others <= MAY_IMPORT[folder], f"{path.relative_to(ROOT)} imports {others - MAY_IMPORT[folder]}"


def test_nothing_is_imported_by_an_old_name_beside_the_package():
    for path in [*(p for folder in MAY_IMPORT for p in sources(folder)), *sources("tests")]:
        for node in ast.walk(ast.parse(path.read_text())):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) and node.level == 0 else []
            assert not {n.split(".")[0] for n in names} & set(MAY_IMPORT), path.relative_to(ROOT)


@pytest.mark.parametrize("folder", sorted(PRODUCT))
def test_other_folders_are_entered_by_the_front_door(folder):
    for path in sources(folder):
        deep = {m for m in imported_modules(path) if "." in m and m.split(".")[0] in FRONT_DOORS - {folder}}
        deep -= {m for m in deep if folder == "games" and m.startswith("rules.")}  # it names the parts of each game
        deep = {m for m in deep if not is_module(NAME, m.replace(".", "/")) or m.count(".") > 1}
        assert not deep, f"{path.relative_to(ROOT)} imports {deep}; use what the folder's __init__ offers"


@pytest.mark.parametrize(("folder", "room"), [(folder, room) for folder in ROOMS for room in ROOMS[folder]])
def test_a_room_builds_only_on_the_rooms_below_it(folder, room):
    place = ROOT / folder
    prefix = folder.replace("/", ".")
    files = sorted(place.glob("*.py")) if room == "" else sorted((place / room).rglob("*.py"))
    for path in files:
        if room == "" and path.name in ("__init__.py", *TOPS.get(folder, ())):
            continue
        inner = {m.removeprefix(f"{prefix}.") for m in imported_modules(path) if m.startswith(f"{prefix}.")}
        rooms = {m.split(".")[0] if m.split(".")[0] in ROOMS[folder] else "" for m in inner} - {room}
        assert rooms <= ROOMS[folder][room], f"{path.relative_to(ROOT)} builds on {rooms - ROOMS[folder][room]}"


# files that stand beside the rooms and are their front: they may use all of them
TOPS = {
    "vision/cards": ("judge.py", "card_odds.py", "draw.py"),
    "device": ("cli.py", "doctor.py", "following.py", "printing.py"),
}


def test_rules_know_no_clock_no_disk_no_chance_no_numpy():
    for path in sources("rules"):
        assert not {m.split(".")[0] for m in imported_modules(path)} & IMPURE, path


@pytest.mark.parametrize("folder", sorted(MAY_IMPORT))
def test_modules_import_one_another_without_a_circle(folder):
    names = {".".join(p.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): p for p in sources(folder)}
    needs = {name: imported_modules(path) & set(names) - {name, folder} for name, path in names.items()}
    seen: dict[str, str] = {}

    def visit(name: str, way: tuple[str, ...]) -> None:
        assert seen.get(name) != "open", f"circle: {' -> '.join((*way, name))}"
        if name not in seen:
            seen[name] = "open"
            for need in sorted(needs[name]):
                visit(need, (*way, name))
            seen[name] = "done"

    for name in sorted(names):
        visit(name, ())


def test_a_frames_way_runs_forward_and_leaves_each_file_once():
    way = files_of(watcher.STEPS)
    assert len(way) == len(set(way)), "a file that was left is come back to"
    builds_on_nothing_after_it(way)


def test_a_pictures_way_comes_back_only_to_look_closer():
    way = files_of(judge.STEPS)
    again = [file.removeprefix("vision.caps.") for i, file in enumerate(way) if file in way[:i]]
    assert again == ["cuts", "cuts", "looks", "recognising", "cuts"]
    builds_on_nothing_after_it(way)


def files_of(steps: Sequence[Callable[..., Any]]) -> list[str]:
    """List the files in which steps stand, one after the other, each stay once."""
    return [file for file, _ in groupby(step.__module__.removeprefix(f"{NAME}.") for step in steps)]


def builds_on_nothing_after_it(way: list[str]) -> None:
    files = list(dict.fromkeys(way))
    for i, file in enumerate(files):
        assert not built_on(file) & set(files[i + 1 :]), f"{file} builds on a step that comes after it"


def built_on(module: str) -> set[str]:
    """List the files of the same room that a file imports, and those that they do."""
    room = module.rpartition(".")[0]
    found, waiting = set(), {module}
    while waiting:
        one = waiting.pop()
        path = ROOT / f"{one.replace('.', '/')}.py"
        near = {m for m in imported_modules(path) if m.startswith(f"{room}.")}
        waiting |= near - found
        found |= near
    return found
