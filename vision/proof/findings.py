"""What a certificate says to people: what was found amiss, what matters most first, and what nobody can vouch for."""

from collections.abc import Iterator
from dataclasses import dataclass

from linesies.vision.proof.certificate import Certificate
from linesies.vision.proof.proof_tuning import PROOF
from linesies.vision.proof.sizing import LEAST_TRIALS

PLACES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that proof has found: its code, what to say of it, and how much it is."""

    code: str
    words: str
    amount: float


def findings_of(found: Certificate) -> tuple[Finding, ...]:
    """Say what was found; empty where all is well."""
    return (*_of_camera(found), *_of_caps(found), *_of_pictures(found))


def _of_camera(found: Certificate) -> Iterator[Finding]:
    if found.moved_mm is not None and found.has_moved:
        words = (
            f"the camera has moved by {found.moved_mm:.1f} mm on the ground since it was calibrated; calibrate again"
        )
        yield Finding(code="moved", words=words, amount=found.moved_mm)
    if found.survey_mm is not None and found.is_survey_off:
        words = f"lines lie {found.survey_mm:.2f} mm off their survey; calibrate again in even light"
        yield Finding(code="survey", words=words, amount=found.survey_mm)
    times = found.correction.board_times
    if times != 1.0:
        words = f"the board is {times:.3f} times as large as its file says; correct its size"
        yield Finding(code="scale", words=words, amount=times)


def _of_caps(found: Certificate) -> Iterator[Finding]:
    for player, wide_mm in found.correction.diameters_mm.items():
        wider_mm = found.wider_mm[player]
        how = "wider" if wider_mm > 0 else "narrower"
        words = f"{player}'s cap is {abs(wider_mm):.1f} mm {how} than listed; list it as {wide_mm:.1f} mm wide"
        yield Finding(code="cap", words=words, amount=wider_mm)
    for player, tall_mm in found.correction.heights_mm.items():
        words = f"{player}'s cap is not as tall as listed; list it as {tall_mm:.1f} mm tall"
        yield Finding(code="tall", words=words, amount=tall_mm)
    times = found.correction.sigma_times
    if times > 1:
        words = f"stated errors are {times:.1f} times too small; leave closer calls to people"
        yield Finding(code="sigma", words=words, amount=times)


def _of_pictures(found: Certificate) -> Iterator[Finding]:
    if found.is_soft:
        words = f"edges are {found.blur_px:.1f} px soft; focus the camera, or clean its lens"
        yield Finding(code="focus", words=words, amount=found.blur_px)
    if found.paper_scale is not None and abs(found.paper_scale - 1) > PROOF.paper:
        words = f"the gauge was printed at {100 * found.paper_scale:.1f} %, which is reckoned with"
        yield Finding(code="paper", words=words, amount=found.paper_scale)


def not_vouched(found: Certificate) -> tuple[str, ...]:
    """Say what a certificate tells nothing of."""
    return (*_unseen(found), *_unknown_widths(found), *_unknown_heights(found), *found.missed)


def _unseen(found: Certificate) -> Iterator[str]:
    if found.paper_scale is None:
        yield "the scale: no bank card was seen on the gauge"
    if not found.is_seen_well:
        yield "sizes of caps and of the board: put right what the camera sees amiss, and prove again"
    if found.survey_mm is None:
        yield "the survey of the lines: the board was not recognised under the gauge"
    if found.places < PLACES:
        yield f"the whole board: the gauge lay in {found.places} of {PLACES} places"
    if not found.caps.count:
        yield "caps: none was measured on a ring"


def _unknown_widths(found: Certificate) -> Iterator[str]:
    few = [player for player, one in found.by_player.items() if one.count < LEAST_TRIALS]
    if few and found.caps.count:
        yield f"widths of caps: {', '.join(few)}'s lay on fewer than {LEAST_TRIALS // 2} rings; lay them there again"


def _unknown_heights(found: Certificate) -> Iterator[str]:
    if found.tall_told_mm:
        told_mm = max(found.tall_told_mm.values())
        yield f"heights of caps: one that is less than {told_mm:.1f} mm off is not told; measure them with a ruler"
    untold = [player for player, one in found.by_player.items() if one.count and player not in found.tall_told_mm]
    if untold:
        yield f"heights of caps: the camera saw nothing of {', '.join(untold)}'s; measure with a ruler"
