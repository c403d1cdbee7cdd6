"""Names that load late: a package lists once what it offers, and each name's module is loaded when it is asked for."""

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path


def late(package: str, path: str) -> Callable[[str], object]:
    """Make the `__getattr__` (PEP 562) of a package that lists its names at `path`, for type checkers and for this."""
    homes = homes_of(Path(path))

    def load(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"{package} offers no {name!r}")
        found: object = getattr(import_module(homes[name]), name)
        setattr(sys.modules[package], name, found)
        return found

    return load


def homes_of(path: Path) -> dict[str, str]:
    """Read which module holds each name: from the imports that stand below `if TYPE_CHECKING`, which never run."""
    blocks = (node.body for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.If))
    imports = (node for block in blocks for node in block if isinstance(node, ast.ImportFrom))
    return {alias.name: node.module or "" for node in imports for alias in node.names}
