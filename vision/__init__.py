"""Seeing with calibrated eyes: caps and cards in a frame, followed through time, told as testimony.

Imports `calibration` only. Vision is plain functions over frames; what must remember does so in one named class.
A name is loaded when it is first asked for (PEP 562): who follows caps never loads what reads cards, and the camera's
process loads frames alone. Type checkers read the same names from the imports that never run.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linesies.vision.caps.apparent_width import looks_wide
    from linesies.vision.caps.cap import Cap, Kind, caps_to_file, read_caps
    from linesies.vision.caps.draw import draw_evidence
    from linesies.vision.caps.find import find_unknown_caps
    from linesies.vision.caps.judge import Judge, NotSeen, expected_sigma_mm
    from linesies.vision.cards.card import CARD_MM, Card, Outline, Reading, rectify
    from linesies.vision.cards.draw import draw_card
    from linesies.vision.cards.find.finding import CardFinder
    from linesies.vision.cards.judge import CardJudge, Reader
    from linesies.vision.cards.learn.deck import LearnedDeck
    from linesies.vision.cards.learn.die import DieReading, LearnedDie, photograph_die, read_die
    from linesies.vision.cards.learn.lesson import CardPhoto, Lesson, learn, photograph
    from linesies.vision.cards.read.glyphs import LETTERS
    from linesies.vision.cards.read.reading import StandardReader, open_reader
    from linesies.vision.cards.table.plays import TableWatcher
    from linesies.vision.cards.table.told import TableEvent
    from linesies.vision.errors import BadInput, VisionError
    from linesies.vision.picture.frame import Frame, Image, Layout
    from linesies.vision.shots.watcher import Watcher
    from linesies.vision.values import Call, CameraMoved, Event, Expectation, Hit, Judgement, Placed, Scene, Shot

HOMES = {
    "caps.apparent_width": ("looks_wide",),
    "caps.cap": ("Cap", "Kind", "caps_to_file", "read_caps"),
    "caps.draw": ("draw_evidence",),
    "caps.judge": ("Judge", "NotSeen", "expected_sigma_mm"),
    "cards.card": ("CARD_MM", "Card", "Outline", "Reading", "rectify"),
    "cards.draw": ("draw_card",),
    "caps.find": ("find_unknown_caps",),
    "cards.find.finding": ("CardFinder",),
    "cards.judge": ("CardJudge", "Reader"),
    "cards.learn.deck": ("LearnedDeck",),
    "cards.learn.die": ("DieReading", "LearnedDie", "photograph_die", "read_die"),
    "cards.learn.lesson": ("CardPhoto", "Lesson", "learn", "photograph"),
    "cards.read.glyphs": ("LETTERS",),
    "cards.read.reading": ("StandardReader", "open_reader"),
    "cards.table.plays": ("TableWatcher",),
    "cards.table.told": ("TableEvent",),
    "errors": ("BadInput", "VisionError"),
    "picture.frame": ("Frame", "Image", "Layout"),
    "shots.watcher": ("Watcher",),
    "values": ("Call", "CameraMoved", "Event", "Expectation", "Hit", "Judgement", "Placed", "Scene", "Shot"),
}
__all__ = [
    "CARD_MM",
    "LETTERS",
    "BadInput",
    "Call",
    "CameraMoved",
    "Cap",
    "Card",
    "CardFinder",
    "CardJudge",
    "CardPhoto",
    "DieReading",
    "Event",
    "Expectation",
    "Frame",
    "Hit",
    "Image",
    "Judge",
    "Judgement",
    "Kind",
    "Layout",
    "LearnedDeck",
    "LearnedDie",
    "Lesson",
    "NotSeen",
    "Outline",
    "Placed",
    "Reader",
    "Reading",
    "Scene",
    "Shot",
    "StandardReader",
    "TableEvent",
    "TableWatcher",
    "VisionError",
    "Watcher",
    "caps_to_file",
    "draw_card",
    "draw_evidence",
    "expected_sigma_mm",
    "find_unknown_caps",
    "learn",
    "looks_wide",
    "open_reader",
    "photograph",
    "photograph_die",
    "read_caps",
    "read_die",
    "rectify",
]


def __getattr__(name: str) -> object:
    """Load what the package offers under a name."""
    for module, names in HOMES.items():
        if name in names:
            found: object = getattr(import_module(f"{__name__}.{module}"), name)
            globals()[name] = found
            return found
    raise AttributeError(f"vision offers no {name!r}")
