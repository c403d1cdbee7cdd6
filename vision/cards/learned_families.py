"""Lay the faces of a deck that share their art onto one another, so that only what differs is left to compare.

The numbers of one suit are one drawing with another digit. Photographed one by one they differ in place, light and
blur far more than in print; here those differences are taken out once, while learning.
"""

import cv2
import numpy as np

from vision.cards.learned_align import PRINT, align, take
from vision.cards.learned_faces import SMALL_PRINT, Faces, agreement
from vision.cards.learned_flat import FINE, MARGIN_MM, Floats, halved, print_area, turned
from vision.cards.learned_light import detail, fit_shade, sharpness, softened, softening_mm

LIKE = 0.75  # agreement of tiles from which on two faces may share their art
SAME_ART = 0.88  # agreement, once laid onto one another, from which on they do
NOT_PRINT = 12.0  # grey levels by which photographs of one print differ for other reasons
GLYPH_PX = 7  # a digit's neighbourhood goes with it
_PRINT_FINE = print_area(FINE)
_ALL = np.ones_like(PRINT)


def lay_together(faces: Faces) -> Faces:
    """Make families of faces and lay each family's faces onto its clearest one; the order of names stays."""
    fine = list(faces.fine)
    scores = np.stack([faces.tiny.agreement(tiny, SMALL_PRINT) for tiny in faces.tiny.pictures], 1)
    like = scores.max(0) > LIKE
    rest = list(range(len(fine)))
    while rest:
        middle = max(rest, key=lambda face: like[face][rest].sum())
        near = [face for face in rest if like[middle, face]]
        model = max(near, key=lambda face: detail(fine[face], _PRINT_FINE) * (like[face][near].mean() > LIKE))
        family = {model: fine[model]}
        for face in (face for face in near if face != model):
            laid = _laid_onto(fine[model], turned(fine[face], int(scores[1, model, face] > scores[0, model, face])))
            if laid is not None:
                family[face] = laid
        if len(family) > 1:
            fine_family = _with_common_art(np.stack(list(family.values())))
            family = dict(zip(family, fine_family, strict=True))
        for face, image in family.items():
            fine[face] = image
        rest = [face for face in rest if face not in family]
    return Faces(faces.names, np.stack(fine).astype(np.float32))


def lay_onto(model: Floats, flat: Floats) -> Floats:
    """Lay a card's flat picture (margin and all) onto a face at FINE, in the face's light."""
    moved = take(flat, align(flat, halved(model), _ALL), FINE)
    gain, offset = fit_shade(model, moved, _PRINT_FINE)
    return (moved - offset) / np.maximum(gain, 0.05)


def _laid_onto(model: Floats, face: Floats) -> Floats | None:
    """Lay a face onto another; None where they don't share their art."""
    rim = [MARGIN_MM * FINE] * 4
    laid = lay_onto(model, cv2.copyMakeBorder(face, *rim, cv2.BORDER_REPLICATE))
    return laid if agreement(halved(laid), halved(model), PRINT)[0] > SAME_ART else None


def _with_common_art(family: Floats) -> Floats:
    """Give a family's faces (N, H, W, 3) one sharpness, and one drawing but where their print differs."""
    sharp = [sharpness(face, _PRINT_FINE) for face in family]
    soft = np.stack([softened(face, softening_mm(face, min(sharp), _PRINT_FINE)) for face in family])
    art = np.median(soft, 0) if len(soft) > 2 else soft.mean(0)
    nudge = np.ones((3, 3), np.uint8)  # half a millimetre either way is no other print
    beyond = np.maximum(soft - cv2.dilate(art, nudge), cv2.erode(art, nudge) - soft).max(3).max(0) * _PRINT_FINE
    differs = cv2.morphologyEx((beyond > NOT_PRINT).astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    glyphs = cv2.dilate(differs, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (GLYPH_PX, GLYPH_PX)))
    own = cv2.GaussianBlur(glyphs.astype(np.float32), (0, 0), 1.0)[..., None]
    whole = art + (soft - art) * own
    return whole * min(1.0, 250.0 / float(np.percentile(whole, 99.9)))  # a deck file holds grey levels to 255
