"""Imports run one way, as the design's table says."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
OURS = {"calibration", "vision", "rules", "device", "web"}
MAY_IMPORT = {
    "calibration": set(),
    "rules": set(),
    "vision": {"calibration"},
    "web": {"rules"},
    "device": {"calibration", "vision", "rules", "web"},
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
    modules = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            modules.add(node.module)
    return modules


def sources(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


@pytest.mark.parametrize("folder", sorted(OURS))
def test_a_folder_imports_only_what_the_design_allows(folder):
    assert sources(folder), f"{folder}/ holds no source"
    for path in sources(folder):
        others = {m.split(".")[0] for m in imported_modules(path)} & OURS - {folder}
        assert others <= MAY_IMPORT[folder], f"{path.relative_to(ROOT)} imports {others - MAY_IMPORT[folder]}"


@pytest.mark.parametrize("folder", sorted(OURS))
def test_other_folders_are_entered_by_the_front_door(folder):
    for path in sources(folder):
        deep = {m for m in imported_modules(path) if "." in m and m.split(".")[0] in OURS - {folder}}
        assert not deep, f"{path.relative_to(ROOT)} imports {deep}; use what the folder's __init__ offers"


def test_rules_know_no_clock_no_disk_no_chance_no_numpy():
    for path in sources("rules"):
        assert not {m.split(".")[0] for m in imported_modules(path)} & IMPURE, path


@pytest.mark.parametrize("folder", sorted(OURS))
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
