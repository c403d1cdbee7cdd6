"""Seeing with calibrated eyes: caps and cards in a frame, followed through time, told as testimony.

Imports `calibration` only. Vision is plain functions over frames; what must remember does so in one named class.
A name is loaded when it is first asked for (PEP 562): who follows caps never loads what reads cards, and the camera's
process loads frames alone.
"""

from pkgutil import resolve_name
from typing import Any

HOMES = {
    "CARD_MM": "vision.cards.card:CARD_MM",
    "EDGE_ALONG": "vision.cards.edges:ALONG",
    "EDGE_OFFSETS_MM": "vision.cards.edges:OFFSETS_MM",
    "LETTERS": "vision.cards.glyphs:LETTERS",
    "BadInput": "vision.errors:BadInput",
    "Call": "vision.testimony:Call",
    "CameraMoved": "vision.testimony:CameraMoved",
    "Cap": "vision.kit:Cap",
    "Card": "vision.cards.card:Card",
    "CardCandidate": "vision.cards.finding:Candidate",
    "CardFinder": "vision.cards.finding:CardFinder",
    "CardJudge": "vision.cards.judge:CardJudge",
    "CardPhoto": "vision.cards.learned_lesson:CardPhoto",
    "DieReading": "vision.cards.die:DieReading",
    "Event": "vision.testimony:Event",
    "Expectation": "vision.testimony:Expectation",
    "Frame": "vision.frame:Frame",
    "Hit": "vision.testimony:Hit",
    "Image": "vision.frame:Image",
    "Judge": "vision.judge:Judge",
    "Judgement": "vision.testimony:Judgement",
    "Kind": "vision.kit:Kind",
    "Layout": "vision.frame:Layout",
    "LearnedDeck": "vision.cards.learned:LearnedDeck",
    "LearnedDie": "vision.cards.die:LearnedDie",
    "Lesson": "vision.cards.learned_lesson:Lesson",
    "NotSeen": "vision.judge:NotSeen",
    "Outline": "vision.cards.card:Outline",
    "Placed": "vision.testimony:Placed",
    "Reader": "vision.cards.judge:Reader",
    "Reading": "vision.cards.card:Reading",
    "Scene": "vision.testimony:Scene",
    "Shot": "vision.testimony:Shot",
    "StandardReader": "vision.cards.reading:StandardReader",
    "TableEvent": "vision.cards.told:TableEvent",
    "TableWatcher": "vision.cards.plays:TableWatcher",
    "VisionError": "vision.errors:VisionError",
    "Watcher": "vision.watch:Watcher",
    "caps_to_file": "vision.kit:caps_to_file",
    "card_overlap": "vision.cards.finding:overlap",
    "draw_card": "vision.cards.draw:draw_card",
    "draw_evidence": "vision.draw:draw_evidence",
    "expected_sigma_mm": "vision.judge:expected_sigma_mm",
    "glyphs": "vision.cards.glyphs",
    "indices": "vision.cards.indices",
    "learn": "vision.cards.learned_lesson:learn",
    "open_reader": "vision.cards.reading:open_reader",
    "photograph": "vision.cards.learned_lesson:photograph",
    "photograph_die": "vision.cards.die:photograph_die",
    "read_caps": "vision.kit:read_caps",
    "read_die": "vision.cards.die:read_die",
    "reading": "vision.cards.reading",
    "rectify": "vision.cards.card:rectify",
    "side_scales": "vision.cards.edges:side_scales",
    "side_strips": "vision.cards.edges:side_strips",
    "witnesses": "vision.cards.witnesses",
}
__all__ = list(HOMES)


def __getattr__(name: str) -> Any:
    """Load what the package offers under a name."""
    if name not in HOMES:
        raise AttributeError(f"vision offers no {name!r}")
    found = globals()[name] = resolve_name(HOMES[name])
    return found
