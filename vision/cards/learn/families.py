"""Lay the faces of a deck that share their art onto one another, so that only what differs is left to compare.

The numbers of one suit are one drawing with another digit. Photographed one by one they differ in place, light and
blur far more than in print; here those differences are taken out once, while learning.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.cards.learn.align import PRINT, align, middle, settle, take
from linesies.vision.cards.learn.faces import SMALL_PRINT, Faces, agreement
from linesies.vision.cards.learn.flat import COARSE, FINE, MARGIN_MM, Floats, halved, print_area, turned
from linesies.vision.cards.learn.light import (
    FINITE_GAIN,
    detail,
    fit_light,
    fit_shade,
    sharpness,
    softened,
    softening_mm,
)


@dataclass(frozen=True)
class FamilyTuning(Tuning):
    """Which faces of a deck share their art."""

    like: float = tuned(
        0.75,
        title="agreement of tiles from which on two faces may",
        unit="1",
        low=0.3,
        high=1,
        source=by_hand_in("3954535"),
    )
    same_art: float = tuned(
        0.88,
        title="agreement, once laid onto one another, from which on they do",
        unit="1",
        low=0.4,
        high=1,
        source=by_hand_in("3954535"),
    )
    not_print: float = tuned(
        12.0,
        title="grey levels by which photographs of one print differ for other reasons",
        unit="levels",
        low=2,
        high=60,
        source=by_hand_in("3954535"),
    )
    sigmas: float = tuned(
        1.5,
        title="usual differences at which a pixel counts a quarter",
        unit="1",
        low=0.5,
        high=10,
        source=by_hand_in("908e8a7"),
    )


FAMILY = FamilyTuning()

BROAD_MM = 20  # differences broader than this are of light, glare or a channel at its end
GLYPH_PX = 7  # a digit's neighbourhood goes with it
WHITEST, MOST_OF_IT = 250.0, 99.9  # a deck file holds grey levels to 255; so bright is this per cent of a face
_PRINT_FINE = print_area(FINE)
_ALL = np.ones_like(PRINT)


def lay_together(faces: Faces) -> Faces:
    """Make families of faces and lay each family's faces onto its clearest one; the order of names stays."""
    fine = list(faces.fine)
    scores = np.stack([faces.tiny.agreement(tiny, SMALL_PRINT) for tiny in faces.tiny.pictures], 1)
    like = scores.max(0) > FAMILY.like
    rest = list(range(len(fine)))
    while rest:
        middle = max(rest, key=lambda face: like[face][rest].sum())
        near = [face for face in rest if like[middle, face]]
        model = max(near, key=lambda face: detail(fine[face], _PRINT_FINE) * (like[face][near].mean() > FAMILY.like))
        family = {model: fine[model]}
        for face in (face for face in near if face != model):
            laid = lay_onto(fine[model], _with_rim(fine[face]), FAMILY.same_art)
            if laid is not None:
                family[face] = laid
        if len(family) > 1:
            fine_family = _with_common_art(np.stack(list(family.values())))
            family = dict(zip(family, fine_family, strict=True))
        for face, image in family.items():
            fine[face] = image
        rest = [face for face in rest if face not in family]
    return Faces(faces.names, np.stack(fine).astype(np.float32))


def lay_onto(model: Floats, flat: Floats, least: float) -> Floats | None:
    """Lay a card's flat picture (margin and all), whichever way up, onto a face at FINE, and in the face's light.

    None where they agree less than `least`: then they are different drawings, or colours.
    """
    coarse = halved(model)
    ways = [take(flat, align(flat, coarse, _ALL), FINE) for flat in (flat, turned(flat, 1))]
    laid = max(ways, key=lambda way: _likeness_in_detail(halved(way), coarse))
    if agreement(halved(laid), coarse, PRINT)[0] < least:
        return None
    laid = settle(laid, model, _PRINT_FINE)
    gain, offset = fit_light(model, laid, _PRINT_FINE)
    gain, offset = fit_shade(model, laid, _alike((laid - offset) / gain - model))
    return np.asarray((laid - offset) / np.maximum(gain, FINITE_GAIN), np.float32)


def _alike(off: Floats) -> Floats:
    """Weigh the pixels (H, W) in which two cards, `off` from one another, show the same: another digit is no shade."""
    most = np.abs(off).max(axis=2)
    sigma = FAMILY.not_print + FAMILY.sigmas * middle(most[_PRINT_FINE > 0])
    return _PRINT_FINE / (1 + (most / sigma) ** 2) ** 2


def _likeness_in_detail(one: Floats, other: Floats) -> float:
    """Correlate two cards at COARSE: a digit tells which way up a card lies, the light on it does not."""
    return agreement(_in_detail(one, PRINT, COARSE), _in_detail(other, PRINT, COARSE), PRINT)[0]


def _in_detail(face: Floats, weights: Floats, px_per_mm: int) -> Floats:
    """Take off what is broad: that is of the light, and the print is what is left."""
    size = (BROAD_MM * px_per_mm + 1, BROAD_MM * px_per_mm + 1)
    broad = cv2.blur(face * weights[..., None], size) / np.maximum(cv2.blur(weights, size), 1e-3)[..., None]
    return face - broad


def _with_rim(face: Floats) -> Floats:
    return cv2.copyMakeBorder(face, *[MARGIN_MM * FINE] * 4, cv2.BORDER_REPLICATE)


def _with_common_art(family: Floats) -> Floats:
    """Give a family's faces (N, H, W, 3) one sharpness, and one drawing but where their print differs."""
    sharp = [sharpness(face, _PRINT_FINE) for face in family]
    soft = np.stack([softened(face, softening_mm(face, min(sharp), _PRINT_FINE)) for face in family])
    art = np.median(soft, 0) if len(soft) > 2 else soft.mean(0)
    off = np.stack([_in_detail(face - art, _alike(face - art), FINE) for face in soft])
    nudge = np.ones((3, 3), np.uint8)  # half a millimetre either way is no other print
    high, low = cv2.dilate(art, nudge) - art, cv2.erode(art, nudge) - art
    beyond = np.maximum(off - high, low - off).max(3).max(0) * _PRINT_FINE
    differs = cv2.morphologyEx((beyond > FAMILY.not_print).astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    glyphs = cv2.dilate(differs, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (GLYPH_PX, GLYPH_PX)))
    own = cv2.GaussianBlur(glyphs.astype(np.float32), (0, 0), 1.0)[..., None]
    whole = art + off * own
    return whole * min(1.0, WHITEST / float(np.percentile(whole, MOST_OF_IT)))
