"""Letters for the indices: fonts found on this machine, and rank words set in them (needs Pillow)."""

import functools
import subprocess
from pathlib import Path

import numpy as np
from numpy.random import Generator
from PIL import Image as PillowImage
from PIL import ImageDraw, ImageFont

from device.training.decks.stamps import Pixels, cropped

SET_PX = 96  # ranks are set once at this size and scaled down
NEEDED = "A234567890JQKVDRB1"
COURTS = {"english": "JQK", "french": "VDR", "german": "BDK", "dutch": "BVH"}


@functools.cache
def find_fonts(folder: Path | None = None) -> tuple[Path, ...]:
    """List the fonts that have every letter an index needs: those of a folder, or all that fontconfig knows."""
    if folder is not None:
        paths = sorted(p for p in folder.rglob("*") if p.suffix.lower() in (".ttf", ".otf"))
    else:
        asked = ["fc-list", "--format", "%{file}\n"]
        listed = subprocess.run(asked, capture_output=True, text=True, check=True).stdout  # noqa: S603 - fontconfig's tool
        paths = sorted({Path(line) for line in listed.splitlines() if line.lower().endswith((".ttf", ".otf"))})
    return tuple(path for path in paths if _has_letters(path))


def family_of(path: Path) -> str:
    """Name a font's family roughly, so that a family of eighty files isn't drawn eighty times as often."""
    stem = path.stem.split("-")[0].lower()
    return stem[:9] if stem.startswith("noto") else stem[:7]


def draw_font(fonts: tuple[Path, ...], rng: Generator) -> Path:
    """Draw a font by lot: a family first, then one of its weights."""
    families = sorted({family_of(path) for path in fonts})
    family = families[rng.integers(len(families))]
    members = [path for path in fonts if family_of(path) == family]
    return members[rng.integers(len(members))]


def _has_letters(path: Path) -> bool:
    """Tell whether a font draws all needed letters, each its own way."""
    try:
        font = ImageFont.truetype(str(path), 32)
        shapes = {bytes(font.getmask(letter)) for letter in NEEDED}
        missing = bytes(font.getmask("\U0010fffe"))
        tall = [font.getbbox(letter)[3] - font.getbbox(letter)[1] for letter in "AK10"]
    except OSError:
        return False
    return len(shapes) == len(NEEDED) and missing not in shapes and min(tall) > 8


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
    words.update(zip("JQK", COURTS[letters], strict=True))
    if letters != "english" and rng.random() < 0.2:
        words["A"] = "1"
    return words
