"""The page's own files as phones fetch them: scripts and styles joined into one each, named by what is in them.

They are joined once, at start. A name holds a piece of its file's hash, so that a phone may keep the file for good:
another version has another name.
"""

import hashlib
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from linesies.web.language import LANGUAGES

STATIC = Path(__file__).parent / "static"
FIRST_MODULE = "main.js"
HOUSE = PurePosixPath("house.js")  # made here: the page modules of the games of the house
STYLES = ("page", "people", "sheets", "cards/cards", "host/host", "show", "guide", "screen")  # a later one wins
ICONS = {  # file -> size, and what for: a maskable one may be cut to a circle of four fifths of its width
    "icon-192.png": ("192x192", "any"),
    "icon-512.png": ("512x512", "any"),
    "icon-maskable-512.png": ("512x512", "maskable"),
    "icon.svg": ("any", "any"),
}
GROUND = "#1f2426"
EMPTY = "export default {};\n"
NO_GAMES: Mapping[str, str] = {}
LETTERS = 12  # of a hash

IMPORT = re.compile(r'^import (?:\{([^}]*)\}|(\w+)) from "([^"]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:const|(?:async )?function) (\w+))", re.MULTILINE)
DEFAULT = re.compile(r"^export default ", re.MULTILINE)
LEFT_OVER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
REMARK = re.compile(r"^ *//.*\n", re.MULTILINE)
STYLE_REMARK = re.compile(r"/\*.*?\*/", re.DOTALL)
INDENT = re.compile(r"^ +", re.MULTILINE)


class BadModule(ValueError):  # noqa: N818 - reads as what happened
    """A script of the page cannot be joined with the others; the text says why."""


@dataclass(frozen=True, slots=True)
class Served:
    """A file as it is served: its name, its type and what is in it."""

    name: str
    kind: str
    content: bytes


def served(name: str, kind: str, content: bytes) -> Served:
    """Name a file by its content."""
    stem, _, ending = name.rpartition(".")
    return Served(f"{stem}-{hashlib.sha256(content).hexdigest()[:LETTERS]}.{ending}", kind, content)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bundle:
    """All that a page needs beside its own text."""

    scripts: Mapping[str, Served]  # by language
    style: Served
    early: Served
    manifest: Served
    film: Served
    icons: tuple[Served, ...]

    @property
    def files(self) -> dict[str, Served]:
        """List every file by its name."""
        others = (self.style, self.early, self.manifest, self.film, *self.icons)
        return {one.name: one for one in (*self.scripts.values(), *others)}

    def icon(self, name: str) -> str:
        """Name the served file of an icon."""
        return self.icons[list(ICONS).index(name)].name


def make_bundle(folder: Path = STATIC, *, house: Mapping[str, str] = NO_GAMES) -> Bundle:
    """Join the page's files with the page modules of these games; raises BadModule for one that cannot be joined."""
    kinds = {".png": "image/png", ".svg": "image/svg+xml"}
    icons = tuple(served(name, kinds[Path(name).suffix], (folder / name).read_bytes()) for name in ICONS)
    style = INDENT.sub("", STYLE_REMARK.sub("", "".join((folder / f"{name}.css").read_text() for name in STYLES)))
    return Bundle(
        scripts={language: _script(folder, house, language) for language in LANGUAGES},
        style=served("page.css", "text/css", style.encode()),
        early=served("early.js", "text/javascript", (folder / "early.js").read_bytes()),
        manifest=served("page.webmanifest", "application/manifest+json", _manifest(icons)),
        film=Served("awake.mp4", "video/mp4", (folder / "awake.mp4").read_bytes()),
        icons=icons,
    )


def _script(folder: Path, house: Mapping[str, str], language: str) -> Served:
    """Join all scripts with the words of one language alone: a phone loads no other's."""
    others = [PurePosixPath(f"words_{other}.js") for other in LANGUAGES if other != language]
    script = joined_modules(folder, FIRST_MODULE, house=house, without=others)
    return served(f"page-{language}.js", "text/javascript", script.encode())


def _manifest(icons: tuple[Served, ...]) -> bytes:
    """Write what a phone needs to know to put the page among its apps."""
    drawn = [
        {"src": icon.name, "type": icon.kind, "sizes": size, "purpose": purpose}
        for icon, (size, purpose) in zip(icons, ICONS.values(), strict=True)
    ]
    told = {"id": "/", "name": "Linesies", "short_name": "Linesies", "start_url": "/", "scope": "/"}
    shown = {"display": "standalone", "background_color": GROUND, "theme_color": GROUND}
    return json.dumps({**told, **shown, "icons": drawn}).encode()


def joined_modules(
    folder: Path, first: str, *, house: Mapping[str, str] = NO_GAMES, without: Collection[PurePosixPath] = ()
) -> str:
    """Join a module and all that it imports into one script, each in a scope of its own, after what it needs itself.

    Modules `without` which the page does are empty in it.
    """

    def text_of(path: PurePosixPath) -> str:
        if path in without:
            return EMPTY
        return _house_module(house) if path == HOUSE else (folder / path).read_text()

    return INDENT.sub("", "".join(_modules(text_of, PurePosixPath(first), [], set())))


def _house_module(house: Mapping[str, str]) -> str:
    """Write the module that knows each game's page by the game's name."""
    imports = (f'import {name} from "./{path}";\n' for name, path in house.items())
    return f"{''.join(imports)}export default {{ {', '.join(house)} }};\n"


def _modules(
    text_of: Callable[[PurePosixPath], str], path: PurePosixPath, asking: list[PurePosixPath], done: set[PurePosixPath]
) -> Iterator[str]:
    if path in done:
        return
    if path in asking:
        raise BadModule(f"{path} imports itself through {', '.join(map(str, asking[asking.index(path) + 1 :]))}")
    text = text_of(path)
    for _, _, source in IMPORT.findall(text):
        yield from _modules(text_of, _beside(path, source), [*asking, path], done)
    done.add(path)
    yield _as_scope(path, text)


def _as_scope(path: PurePosixPath, text: str) -> str:
    """Write a module as a function that is called at once and returns what it exports."""

    def taken(found: re.Match[str]) -> str:
        names, default, source = found.groups()
        wanted = f"default: {default}" if default else names.replace(" as ", ": ")
        return f"const {{{wanted}}} = {_scope(_beside(path, source))};\n"

    exports = EXPORT.findall(text)
    body = DEFAULT.sub("const standard = ", EXPORT.sub("", IMPORT.sub(taken, REMARK.sub("", text))))
    if DEFAULT.search(text):
        exports.append("default: standard")
    if left := LEFT_OVER.search(body):
        raise BadModule(f"{path}: cannot be joined: {left[0]}")
    return f"const {_scope(path)} = (() => {{\n{body}return {{ {', '.join(exports)} }};\n}})();\n"


def _beside(path: PurePosixPath, source: str) -> PurePosixPath:
    """Find the module that another one names."""
    parts: list[str] = []
    for part in (path.parent / source).parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return PurePosixPath(*parts)


def _scope(path: PurePosixPath) -> str:
    return "$" + re.sub(r"\W", "_", str(path.with_suffix("")))
