"""Seeing with calibrated eyes: caps and cards in a frame, followed through time, told as testimony.

Imports `calibration` only. Vision is plain functions over frames; what must remember does so in one named class.
"""

from vision.cards import glyphs, indices, reading, witnesses
from vision.cards.card import CARD_MM, Card, Outline, Reading, rectify
from vision.cards.die import DieReading, LearnedDie, photograph_die, read_die
from vision.cards.edges import ALONG as EDGE_ALONG
from vision.cards.edges import OFFSETS_MM as EDGE_OFFSETS_MM
from vision.cards.edges import side_scales, side_strips
from vision.cards.finding import Candidate as CardCandidate
from vision.cards.finding import CardFinder
from vision.cards.glyphs import LETTERS
from vision.cards.judge import CardJudge, Reader
from vision.cards.learned import LearnedDeck
from vision.cards.learned_lesson import CardPhoto, Lesson, learn, photograph
from vision.cards.plays import TableWatcher
from vision.cards.reading import StandardReader, open_reader
from vision.cards.told import TableEvent
from vision.draw import draw_evidence
from vision.errors import BadInput, VisionError
from vision.frame import Frame, Image, Layout
from vision.judge import Judge, NotSeen, expected_sigma_mm, judge
from vision.kit import Cap, read_caps
from vision.testimony import Call, CameraMoved, Event, Expectation, Hit, Judgement, Placed, Scene, Shot
from vision.watch import Watcher

__all__ = [
    "CARD_MM",
    "EDGE_ALONG",
    "EDGE_OFFSETS_MM",
    "LETTERS",
    "BadInput",
    "Call",
    "CameraMoved",
    "Cap",
    "Card",
    "CardCandidate",
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
    "draw_evidence",
    "expected_sigma_mm",
    "glyphs",
    "indices",
    "judge",
    "learn",
    "open_reader",
    "photograph",
    "photograph_die",
    "read_caps",
    "read_die",
    "reading",
    "rectify",
    "side_scales",
    "side_strips",
    "witnesses",
]
