"""One class name, one meaning: no name is given to two classes."""

import re
from collections import defaultdict
from pathlib import Path

from tests.test_import_direction import MAY_IMPORT, ROOT, sources

EACH_FOLDER_S_OWN = {"BadInput"}  # what each folder says of input: a caller blames the folder by its type
BOOKS = "rules"  # a game's rules speak of that game alone: each has its own options, players, phases and state


def spoken_in(path: Path) -> str:
    """Tell where a class's name is to have one meaning: in all the code, but for the words of a rule book."""
    inner = path.relative_to(ROOT).parts
    return "/".join(inner[:2]) if inner[0] == BOOKS and len(inner) > 2 else ""


def test_no_two_classes_have_one_name():
    homes = defaultdict(list)
    for path in (one for folder in MAY_IMPORT for one in sources(folder)):
        for name in re.findall(r"^ *class (\w+)", path.read_text(), re.MULTILINE):
            homes[name].append(path)
    doubled = {
        name: [str(path.relative_to(ROOT)) for path in paths]
        for name, paths in homes.items()
        if name not in EACH_FOLDER_S_OWN and not is_one_meaning(paths)
    }
    assert not doubled


def is_one_meaning(paths: list[Path]) -> bool:
    """Tell whether a name stands once, or once in each of several rule books and nowhere else."""
    books = [spoken_in(path) for path in paths]
    return len(paths) == 1 or (all(books) and len(set(books)) == len(books))
