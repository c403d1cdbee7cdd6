"""From what on proof tells that something is amiss."""

from dataclasses import dataclass

from linesies.calibration.tuning import BY_HAND, Tuning, tuned

SET_ON = "by hand on one simulated street and eight installations on a plain floor, which prove nothing of it"


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
    sure: float = tuned(
        2.8,
        title="standard errors from which a bias is told, as of many gaps; of fewer it takes more",
        unit="1",
        low=1,
        high=9,
        source="chance alone, reckoned: of 50 sound installations with four caps one is called amiss; seen, one of 15",
    )
    seems_mm: float = tuned(
        1.5,
        title="how much taller or flatter than it is a cap usually looks",
        unit="mm",
        low=0.1,
        high=9,
        source="caps on the gauge in simulated streets 6000 to 6004: 1.2 mm, RMS of 40",
    )
    drawn_mm: float = tuned(
        0.4,
        title="how far light usually draws all caps one way",
        unit="mm",
        low=0.05,
        high=5,
        source="the same: 0.25 mm each way, RMS of ten",
    )
    tall: float = tuned(
        3.0,
        title="standard errors from which a wrong height is told",
        unit="1",
        low=1,
        high=9,
        source="chance alone: of six caps one is called too tall or flat in sixty proofs",
    )
    moved_mm: float = tuned(0.4, title="least move of the camera that is told", unit="mm", low=0, high=9, source=SET_ON)
    survey_mm: float = tuned(0.3, title="least RMS of the survey that is told", unit="mm", low=0, high=9, source=SET_ON)
    blur_px: float = tuned(1.3, title="least blur of an edge that is told", unit="px", low=0.3, high=9, source=SET_ON)
    wide: float = tuned(1.25, title="least widening of sigma that is told", unit="1", low=1, high=9, source=SET_ON)
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
