"""Letters for the indices: fonts found on this machine, and rank words set in them (needs Pillow)."""

import functools
import shutil
import subprocess
import zlib
from pathlib import Path

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont

from linesies.training.decks.stamps import Pixels, cropped
from linesies.training.decks.suits import SUIT_SIGNS
from linesies.vision.cards.read import glyphs

SET_PX = 96  # ranks are set once at this size and scaled down
NEEDED = "A234567890JQKVDRB1H"
A_FAMILY = 6  # fonts of one family that are taken


@functools.cache
def find_fonts(folder: Path | None = None) -> tuple[Path, ...]:
    """List the fonts that print an index legibly: those of a folder, or of all that fontconfig knows."""
    if folder is not None:
        paths = sorted(p for p in folder.rglob("*") if p.suffix.lower() in (".ttf", ".otf"))
    else:
        paths = _installed()
    few = [path for members in _by_family(tuple(paths)).values() for path in members[:: -(-len(members) // A_FAMILY)]]
    shapes = {path: glyphs for path in few if (glyphs := _glyphs(path)) is not None}
    return _legible(shapes)


def _installed(*pattern: str) -> list[Path]:
    """List the outline fonts that fontconfig knows, none where it is missing."""
    if shutil.which("fc-list") is None:
        return []
    asked = ["fc-list", "--format", "%{file}\n", *pattern]
    listed = subprocess.run(asked, capture_output=True, text=True, check=True).stdout  # noqa: S603 - fontconfig's tool
    return sorted({Path(line) for line in listed.splitlines() if line.lower().endswith((".ttf", ".otf"))})


def _by_family(paths: tuple[Path, ...]) -> dict[str, list[Path]]:
    """Group fonts by family, roughly, so that a family of eighty files isn't drawn eighty times as often."""
    families: dict[str, list[Path]] = {}
    for path in paths:
        stem = path.stem.split("-")[0].lower()
        families.setdefault(stem[:9] if stem.startswith("noto") else stem[:7], []).append(path)
    return families


def split_fonts(fonts: tuple[Path, ...]) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """Part fonts into those to train with and, an eighth of the families, those to judge with."""
    families = _by_family(fonts)
    held_out = {name for name in families if zlib.crc32(name.encode()) % 8 == 0}
    sides: tuple[list[Path], list[Path]] = ([], [])
    for name, members in families.items():
        sides[name in held_out].extend(members)
    return tuple(sides[0]), tuple(sides[1])


def draw_font(fonts: tuple[Path, ...], rng: Generator) -> Path:
    """Draw a font by lot: a family first, those listed first more often, then one of its weights."""
    families = list(_by_family(fonts).values())
    members = families[int(len(families) * rng.random() ** 1.6)]
    return members[rng.integers(len(members))]


def _glyphs(path: Path) -> NDArray[np.float32] | None:
    """Draw the needed letters, each stretched over one small square and of mean 0, norm 1; None if one is missing."""
    try:
        font = ImageFont.truetype(str(path), 40)
        missing = bytes(font.getmask("\U0010fffe"))
        squares = []
        for letter in NEEDED:
            mask = font.getmask(letter)
            pixels = np.asarray(mask, np.uint8).reshape(mask.size[::-1])
            if bytes(mask) == missing or min(pixels.shape) < 5 or pixels.shape[0] < 15:
                return None
            square = cv2.resize(cropped(pixels), (20, 20), interpolation=cv2.INTER_AREA).astype(np.float32).ravel()
            squares.append(square - square.mean())
    except (OSError, ValueError):
        return None
    glyphs = np.stack(squares)
    return glyphs / (np.linalg.norm(glyphs, axis=1, keepdims=True) + 1e-6)


def _legible(shapes: dict[Path, NDArray[np.float32]]) -> tuple[Path, ...]:
    """Keep the fonts whose letters look more like everybody's same letter than like any other, the plainest first."""
    if len(shapes) < A_FAMILY:
        return tuple(shapes)
    common = np.mean(list(shapes.values()), 0)
    common /= np.linalg.norm(common, axis=1, keepdims=True)
    kept = {}
    for path, letters in shapes.items():
        likeness = letters @ common.T
        own = np.diag(likeness)
        strange = (likeness.argmax(1) != np.arange(len(own))) & (likeness.max(1) > own + 0.03)
        if strange.sum() <= 3 and own.mean() > 0.45:
            kept[path] = float(own.mean())
    return tuple(sorted(kept, key=lambda path: -kept[path]))


@functools.cache
def find_suit_fonts() -> tuple[Path, ...]:
    """List this machine's fonts that draw all four suits, filled."""
    paths = _installed(":charset=2660 2663 2665 2666")
    families = _by_family(tuple(path for path in paths if _draws_suits(path)))
    return tuple(members[0] for members in families.values())


def _draws_suits(path: Path) -> bool:
    """Tell whether a font draws four different, solid suits."""
    try:
        font = ImageFont.truetype(str(path), 40)
        masks = [font.getmask(sign) for sign in SUIT_SIGNS]
    except (OSError, ValueError):
        return False
    filled = [np.asarray(mask, np.uint8).mean() / 255 for mask in masks if min(mask.size) > 12]
    return len({bytes(mask) for mask in masks}) == 4 and len(filled) == 4 and min(filled) > 0.3 and max(filled) < 0.9


@functools.lru_cache(maxsize=64)
def _opened(path: Path) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(path), SET_PX)


def set_word(word: str, font_path: Path, tightness: float = 0.0) -> Pixels:
    """Set a word as a mask, cut to its ink; `tightness` draws letters together by that share of their size."""
    font = _opened(font_path)
    sheet = PillowImage.new("L", (SET_PX * (len(word) + 2), SET_PX * 3), 0)
    draw = ImageDraw.Draw(sheet)
    x = float(SET_PX)
    for letter in word:
        draw.text((x, SET_PX), letter, fill=255, font=font)
        x += font.getlength(letter) - tightness * SET_PX
    return cropped(np.asarray(sheet).copy())


def rank_words(letters: str, ten: str, rng: Generator) -> dict[str, str]:
    """Say what is printed for each rank (`A`, `2` .. `K`) in a language; `ten` is how ten is written."""
    words = {rank: rank for rank in ("A", *"23456789")}
    words["10"] = ten
    words.update(zip("JQK", glyphs.COURTS[letters], strict=True))
    if letters != "english" and rng.random() < 0.2:
        words["A"] = "1"
    return words
