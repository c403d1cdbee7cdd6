"""Seeing with calibrated eyes: caps and cards in a frame, followed through time, told as testimony.

Imports `calibration` only. Vision is plain functions over frames; what must remember does so in one named class.
A name is loaded when it is first asked for (PEP 562): who follows caps never loads what reads cards, and the camera's
process loads frames alone. Type checkers read the same names from the imports that never run.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from linesies.vision.caps.apparent_width import looks_wide
    from linesies.vision.caps.cap import Cap, Kind, caps_from_file, caps_to_file, doubles, read_caps
    from linesies.vision.caps.draw import draw_call, draw_evidence
    from linesies.vision.caps.exhibit import pictures_of
    from linesies.vision.caps.find import find_unknown_caps
    from linesies.vision.caps.judge import Judge, judge_again
    from linesies.vision.caps.known import NotSeen, expected_sigma_mm
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
    from linesies.vision.exhibit import Crop, Exhibit
    from linesies.vision.picture.frame import Frame, Image, Layout
    from linesies.vision.picture.glance import GlancedFrame
    from linesies.vision.picture.small_picture import averaged
    from linesies.vision.picture.top_down import Drawn
    from linesies.vision.proof.certificate import Certificate, certify
    from linesies.vision.proof.correction import Correction
    from linesies.vision.proof.errors import Summary
    from linesies.vision.proof.findings import Finding, findings_of, not_vouched
    from linesies.vision.proof.gauge import (
        BANK_CARD_MM,
        BANK_CARD_TALL_MM,
        CARD_MIDDLE_MM,
        CHEQUER_MM,
        CIRCLES_MM,
        DISC_RGB,
        GROUND_MM,
        GROUND_SHARE,
        CapSeat,
        Gauge,
        bank_card_mm,
        chequers_mm,
        draw_gauge,
        seated_at,
    )
    from linesies.vision.proof.measuring import NoProof, Station, Trial, measure_station
    from linesies.vision.proof.paint import PaintCheck, check_paint
    from linesies.vision.shots.watcher import Watcher
    from linesies.vision.values import (
        Call,
        CameraLeaned,
        CameraMoved,
        Event,
        Expectation,
        Hit,
        Judgement,
        Placed,
        Scene,
        Shot,
    )

HOMES = {
    "caps.apparent_width": ("looks_wide",),
    "caps.cap": ("Cap", "Kind", "caps_from_file", "caps_to_file", "doubles", "read_caps"),
    "caps.draw": ("draw_call", "draw_evidence"),
    "caps.exhibit": ("pictures_of",),
    "caps.judge": ("Judge", "judge_again"),
    "caps.known": ("NotSeen", "expected_sigma_mm"),
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
    "exhibit": ("Crop", "Exhibit"),
    "errors": ("BadInput", "VisionError"),
    "picture.top_down": ("Drawn",),
    "picture.frame": ("Frame", "Image", "Layout"),
    "picture.glance": ("GlancedFrame",),
    "proof.certificate": ("Certificate", "certify"),
    "proof.correction": ("Correction",),
    "proof.errors": ("Summary",),
    "proof.findings": ("Finding", "findings_of", "not_vouched"),
    "proof.gauge": (
        "BANK_CARD_MM",
        "BANK_CARD_TALL_MM",
        "CARD_MIDDLE_MM",
        "CHEQUER_MM",
        "CIRCLES_MM",
        "DISC_RGB",
        "GROUND_MM",
        "GROUND_SHARE",
        "Gauge",
        "CapSeat",
        "bank_card_mm",
        "chequers_mm",
        "draw_gauge",
        "seated_at",
    ),
    "proof.measuring": ("NoProof", "Station", "Trial", "measure_station"),
    "proof.paint": ("PaintCheck", "check_paint"),
    "picture.small_picture": ("averaged",),
    "shots.watcher": ("Watcher",),
    "values": (
        "Call",
        "CameraLeaned",
        "CameraMoved",
        "Event",
        "Expectation",
        "Hit",
        "Judgement",
        "Placed",
        "Scene",
        "Shot",
    ),
}
__all__ = [
    "BANK_CARD_MM",
    "BANK_CARD_TALL_MM",
    "CARD_MIDDLE_MM",
    "CARD_MM",
    "CHEQUER_MM",
    "CIRCLES_MM",
    "DISC_RGB",
    "GROUND_MM",
    "GROUND_SHARE",
    "LETTERS",
    "BadInput",
    "Call",
    "CameraLeaned",
    "CameraMoved",
    "Cap",
    "CapSeat",
    "Card",
    "CardFinder",
    "CardJudge",
    "CardPhoto",
    "Certificate",
    "Correction",
    "Crop",
    "DieReading",
    "Drawn",
    "Event",
    "Exhibit",
    "Expectation",
    "Finding",
    "Frame",
    "Gauge",
    "GlancedFrame",
    "Hit",
    "Image",
    "Judge",
    "Judgement",
    "Kind",
    "Layout",
    "LearnedDeck",
    "LearnedDie",
    "Lesson",
    "NoProof",
    "NotSeen",
    "Outline",
    "PaintCheck",
    "Placed",
    "Reader",
    "Reading",
    "Scene",
    "Shot",
    "StandardReader",
    "Station",
    "Summary",
    "TableEvent",
    "TableWatcher",
    "Trial",
    "VisionError",
    "Watcher",
    "averaged",
    "bank_card_mm",
    "caps_from_file",
    "caps_to_file",
    "certify",
    "check_paint",
    "chequers_mm",
    "doubles",
    "draw_call",
    "draw_card",
    "draw_evidence",
    "draw_gauge",
    "expected_sigma_mm",
    "find_unknown_caps",
    "findings_of",
    "judge_again",
    "learn",
    "looks_wide",
    "measure_station",
    "not_vouched",
    "open_reader",
    "photograph",
    "photograph_die",
    "pictures_of",
    "read_caps",
    "read_die",
    "rectify",
    "seated_at",
]


def __getattr__(name: str) -> object:
    """Load what the package offers under a name."""
    for module, names in HOMES.items():
        if name in names:
            found: object = getattr(import_module(f"{__name__}.{module}"), name)
            globals()[name] = found
            return found
    raise AttributeError(f"vision offers no {name!r}")
