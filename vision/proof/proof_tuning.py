"""From what on proof tells that something is amiss."""

from dataclasses import dataclass

from linesies.calibration.tuning import BY_HAND, Tuning, tuned

SET_ON = "by hand on one simulated street and eight installations on a plain floor, which prove nothing of it"

LIKELIEST = "the likeliest, one beside the other, for 30 simulated installations, streets 5400 to 5404, 9000 to 9105"


@dataclass(frozen=True, kw_only=True)
class ProofTuning(Tuning):
    """From what on a finding of proof is told."""

    paper: float = tuned(0.006, title="least scale of print that is told", unit="1", low=0, high=0.1, source=SET_ON)
    board: float = tuned(
        0.015,
        title="least scale of the board that is told",
        unit="1",
        low=0,
        high=0.1,
        source="on one simulated street a bank card told scales 0.4 and 0.8 % off; 1.5 % moves a cap's gap by 0.2 mm",
    )
    bias_mm: float = tuned(0.3, title="least bias of a cap that is told", unit="mm", low=0, high=5, source=SET_ON)
    radii_by_chance: float = tuned(
        0.01,
        title="of sound installations, those of which chance alone calls any cap too wide or narrow",
        unit="1",
        low=0.0001,
        high=0.2,
        source="half of the false alarms that a proof may give, 2 %",
    )
    heights_by_chance: float = tuned(
        0.005,
        title="of sound installations, those of which chance alone calls any cap too tall or flat",
        unit="1",
        low=0.0001,
        high=0.2,
        source="a quarter of the false alarms that a proof may give, 2 %",
    )
    coarse_mm: float = tuned(
        5.5,
        title="how wrong a height at most must be to be told: a camera that asks for more sees nothing of it",
        unit="mm",
        low=0.5,
        high=50,
        source="by hand: a usual cap's whole height; of 236 sound caps on streets 12000 to 12028 three were told, by "
        "cameras that ask for 5.7 mm and more",
    )
    scatter_mm: float = tuned(
        0.05,
        title="how little gaps scatter at least",
        unit="mm",
        low=0.01,
        high=1,
        source="by hand: no camera measures better",
    )
    reads_mm: float = tuned(
        0.03,
        title="how much wider or narrower than it is a cap's radius usually reads in one light, in all gaps alike",
        unit="mm",
        low=0,
        high=1,
        source=LIKELIEST,
    )
    seems_mm: float = tuned(
        0.8,
        title="how much taller or flatter than it is a cap usually looks at all places alike",
        unit="mm",
        low=0.1,
        high=9,
        source=f"{LIKELIEST}: 0.65, and a quarter more for what no simulation has",
    )
    seems_there_mm: float = tuned(
        0.5,
        title="how much taller or flatter than elsewhere a cap usually looks at one place, on the ground that is there",
        unit="mm",
        low=0.05,
        high=9,
        source=LIKELIEST,
    )
    slides_mm: float = tuned(
        1.0,
        title="by as much as what height usually a cap's fit slides at one place, along its shadow",
        unit="mm",
        low=0.05,
        high=9,
        source=f"{LIKELIEST}: 0.3 to 0.6; more, since of their 120 heights one else is told",
    )
    drawn_mm: float = tuned(
        0.2,
        title="how far light usually draws all caps one way",
        unit="mm",
        low=0.05,
        high=5,
        source=f"{LIKELIEST}: 0.12, and as much again for what no simulation has",
    )
    moved_mm: float = tuned(0.4, title="least move of the camera that is told", unit="mm", low=0, high=9, source=SET_ON)
    survey_mm: float = tuned(0.3, title="least RMS of the survey that is told", unit="mm", low=0, high=9, source=SET_ON)
    blur_px: float = tuned(1.3, title="least blur of an edge that is told", unit="px", low=0.3, high=9, source=SET_ON)
    wide: float = tuned(1.25, title="least widening of sigma that is told", unit="1", low=1, high=9, source=SET_ON)
    survey_share: float = tuned(
        0.84,
        title="of the error that a survey states of single edges, what a cap's gap, beside many of them, has of it",
        unit="1",
        low=0,
        high=1,
        source="46 simulated installations, streets 5400 to 5404, 9000 to 9111: so most spreads are within a fifth",
    )
    seat_mm: float = tuned(
        0.15,
        title="how exactly a hand lays a cap on a ring",
        unit="mm",
        low=0,
        high=2,
        source="a guess of careful hands",
    )


PROOF = ProofTuning()


@dataclass(frozen=True)
class ProofFitTuning(Tuning):
    """How what a proof looks at is fitted."""

    robust: float = tuned(
        0.1,
        title="of an edge's whole step, what is left over from which on a pixel counts less",
        unit="1",
        low=0.005,
        high=1,
        source=BY_HAND,
    )
    new: float = tuned(
        0.12,
        title="of the light, what has changed where the sheet may lie",
        unit="1",
        low=0.01,
        high=0.6,
        source=BY_HAND,
    )
    soft_mm: float = tuned(
        4.5,
        title="blur of what the sheet is sought in, so that a ground that is out of focus is not new everywhere",
        unit="mm",
        low=1,
        high=20,
        source="a simulated camera 1.6 px soft at 0.45 px a mm (street 9000): found from 3 to 9 mm on, not with none",
    )
    like: float = tuned(
        0.8,
        title="correlation of picture and drawing from which on the sheet is found",
        unit="1",
        low=0.3,
        high=1,
        source=BY_HAND,
    )
    least_seen: float = tuned(
        0.97, title="of the sheet that must be in the picture", unit="1", low=0.5, high=1, source=BY_HAND
    )
    card_middle: float = tuned(
        0.72, title="of the bank card, where it tells its own colour", unit="1", low=0.2, high=1, source=BY_HAND
    )
    least_covered: float = tuned(
        0.85,
        title="of the chequers' contrast, what must be gone there for a card to lie on them",
        unit="1",
        low=0.3,
        high=1,
        source=BY_HAND,
    )


PROOF_FIT = ProofFitTuning()
