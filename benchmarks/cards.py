"""How well and how fast cards are seen, beside the approach of tutorials, on a folder of pictures with their truth.

`python -m linesies.benchmarks.cards FOLDER`: its truth.json lists `images`, each with `file` and `cards` of `corners`,
`face`, `card`, `visible` and `index_visible`.
"""

import json
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import click
import cv2
import numpy as np

from linesies.benchmarks.tutorial import Named, Way, plain
from linesies.vision import CardJudge, open_reader
from linesies.vision.cards.find.overlap import overlap as card_overlap

SAME_IOU, CLEAR, WHOLE_INDEX = 0.7, 0.7, 0.9
SHARES = {
    "found": ("found", "clear"),
    "precise": ("good", "answers"),
    "named": ("named", "readable"),
    "wrong": ("wrong", "good"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CardScore:
    """Shares of clear cards found, of answers that are cards, of readable cards named right and wrong; ms a picture."""

    found: float
    precise: float
    named: float
    wrong: float
    ms: float


def ours() -> Way:
    """Make our judge of cards ready."""
    judge = CardJudge(open_reader("standard"))
    return lambda picture: [(np.array(card.outline.corners_px), card.reading.name) for card in judge.judge(picture)]


def score(folder: Path, way: Way) -> CardScore:
    """Compare what a way says of a folder's pictures with their truth."""
    counts = dict.fromkeys(("clear", "found", "answers", "good", "readable", "named", "wrong"), 0)
    took_s = []
    for image in json.loads((folder / "truth.json").read_text())["images"]:
        picture = cv2.imread(str(folder / image["file"]))
        start_s = time.perf_counter()
        answers = way(picture)
        took_s.append(time.perf_counter() - start_s)
        _count(counts, image["cards"], answers)
    shares = {name: counts[some] / max(counts[all_], 1) for name, (some, all_) in SHARES.items()}
    return CardScore(**shares, ms=1000 * float(np.median(took_s)))


def _count(counts: dict[str, int], cards: list[dict[str, Any]], answers: list[Named]) -> None:
    pairs = [(i, j) for i in range(len(cards)) for j in range(len(answers))]
    overlaps = sorted(
        ((card_overlap(np.array(cards[i]["corners"]), answers[j][0]), i, j) for i, j in pairs), reverse=True
    )
    mine: dict[int, int] = {}
    for iou, i, j in overlaps:
        if iou > SAME_IOU and i not in mine and j not in mine.values():
            mine[i] = j
    counts["answers"] += len(answers)
    counts["good"] += len(mine)
    for i, card in enumerate(cards):
        said = answers[mine[i]][1] if i in mine else None
        is_readable = card["face"] == "up" and max(card["index_visible"], default=0) > WHOLE_INDEX
        counts["clear"] += card["visible"] > CLEAR
        counts["found"] += card["visible"] > CLEAR and i in mine
        counts["readable"] += is_readable
        counts["named"] += is_readable and said == card["card"]
        counts["wrong"] += said is not None and said != card["card"]


@click.command(help=__doc__.split("\n\n")[0])
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
def main(folder: Path) -> None:
    """Print both scores, a line of JSON each, and our time over theirs."""
    told = {name: score(folder, way) for name, way in (("linesies", ours()), ("tutorial", plain()))}
    for name, one in told.items():
        click.echo(json.dumps({"way": name, **{k: round(v, 3) for k, v in asdict(one).items()}}))
    click.echo(f"time: {told['linesies'].ms / told['tutorial'].ms:.1f} times the tutorial's")


if __name__ == "__main__":
    main()
