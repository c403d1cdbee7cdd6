"""Drawn decks that were learned once, kept in the user's cache so that a card table's demo begins at once.

A deck is learned anew when what draws, photographs or learns it has changed. Where nothing can be kept, it is learned
each time.
"""

import contextlib
import hashlib
import os
import sys
from collections.abc import Callable
from pathlib import Path

from linesies.simulator.cards import faces, photos
from linesies.simulator.cards.sitting import SimulatedTable
from linesies.vision import BadInput, LearnedDeck
from linesies.vision.cards import learn

Say = Callable[[str], None]


def cache_folder() -> Path:
    """Name the folder for what can be made anew (XDG Base Directory Specification)."""
    told = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(told) if told.startswith("/") else Path.home() / ".cache") / "linesies"


def learned_deck(table: SimulatedTable, folder: Path | None = None) -> LearnedDeck:
    """Learn the deck that lies on a simulated table, or open what was learned of it before."""
    stage = table.stage
    path = (folder or cache_folder()) / f"{stage.game}-{stage.seed}-{_sources_print()}.deck"
    with contextlib.suppress(BadInput):
        return LearnedDeck.open(path)
    sys.stderr.write("Learning the deck from its photographs; this is kept for the next time ...\n")
    deck = photos.learn_drawn(stage.deck, stage.rng(5))
    beside = path.with_name(f"{path.name}.{os.getpid()}")
    with contextlib.suppress(OSError, BadInput):
        path.parent.mkdir(parents=True, exist_ok=True)
        deck.save(beside)
        beside.replace(path)
    return deck


def _sources_print() -> str:
    """Make a short print of the code by which a deck is drawn, photographed and learned."""
    files = [Path(faces.__file__), Path(photos.__file__), *sorted(Path(learn.__file__).parent.glob("*.py"))]
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()[:12]
