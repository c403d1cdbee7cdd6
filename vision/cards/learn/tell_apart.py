"""Tell apart the faces that agree with a card almost equally, by the pixels in which they differ."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.cards.learn.align import PRINT, align, middle, settle, take
from linesies.vision.cards.learn.faces import SMALL_PRINT, Faces
from linesies.vision.cards.learn.flat import COARSE, FINE, SMALL, Floats, blurred, print_area, turned
from linesies.vision.cards.learn.light import CARD_LIGHT, fit_shade, sharpness, slopes, softened, softening_mm


@dataclass(frozen=True)
class TellApartTuning(Tuning):
    """Which of a deck's faces a card shows."""

    near: float = tuned(
        0.06,
        title="agreement by which a face may fall behind and still be the right one",
        unit="1",
        low=0.005,
        high=0.5,
        source=by_hand_in("d1831df"),
    )
    far: float = tuned(
        0.2,
        title="likewise in tiles, before they are aligned",
        unit="1",
        low=0.01,
        high=0.8,
        source=by_hand_in("f088383"),
    )
    like_art: float = tuned(
        0.015,
        title="agreement by which a face with other art may fall behind and still be compared by pixels",
        unit="1",
        low=0.001,
        high=0.2,
        source=by_hand_in("8f31934"),
    )
    art_apart: float = tuned(
        0.04,
        title="agreement by which a face with other art should fall behind",
        unit="1",
        low=0.002,
        high=0.4,
        source=by_hand_in("02cafad"),
    )
    common: float = tuned(
        0.5,
        title="of a card, what is equal where two faces share their art",
        unit="1",
        low=0.1,
        high=1,
        source=by_hand_in("8f31934"),
    )
    other_art: float = tuned(
        0.03,
        title="agreement by which another face must be better to align to it instead",
        unit="1",
        low=0.002,
        high=0.4,
        source=by_hand_in("3954535"),
    )
    differs: float = tuned(
        15.0,
        title="grey levels between two faces that count",
        unit="levels",
        low=2,
        high=80,
        source=by_hand_in("3954535"),
    )
    loose_mm: float = tuned(
        0.5, title="by which print may still be out of place", unit="mm", low=0.05, high=3, source=by_hand_in("8f31934")
    )
    outlier: float = tuned(
        4.0,
        title="sigmas that one pixel can say at most",
        unit="1",
        low=1,
        high=10,
        source="chance: one in 16,000 pixels of Gaussian noise says more",
    )
    sure_lead: float = tuned(
        1e4,
        title="times that a face is likelier than the next from which it is sure",
        unit="1",
        low=10,
        high=100000000.0,
        source=by_hand_in("02cafad"),
    )
    far_mm: float = tuned(
        0.5,
        title="blur of a card seen from as far as it should still be told",
        unit="mm",
        low=0.1,
        high=3,
        source=by_hand_in("3954535"),
    )
    far_noise_levels: float = tuned(
        6.0, title="noise of such a card", unit="levels", low=0.5, high=40, source=by_hand_in("3954535")
    )
    compared_mm: float = tuned(
        0.4,
        title="blur of a card when it is compared as a whole",
        unit="mm",
        low=0,
        high=3,
        source=by_hand_in("3954535"),
    )
    least_noise_levels: float = tuned(
        1.5, title="noise that is added to a card's own", unit="levels", low=0, high=10, source=by_hand_in("3954535")
    )
    beyond_best: float = tuned(
        1.02,
        title="likeness to the best face that a card could reach, of which its lead is a share",
        unit="1",
        low=1.001,
        high=1.2,
        source=by_hand_in("8f31934"),
    )


APART = TellApartTuning()

MANY = 20  # faces compared pixel by pixel at most
PIXELS = 4000  # compared at most
_PRINT_FINE = print_area(FINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class FaceMatch:
    """The face that fits best, how well it agrees (up to 1), and how far ahead of the next name it is.

    `lead` counts squared sigmas; `share` sets it against the lead expected if the best is right: 1 is just so, 0 a tie.
    """

    face: int
    agreement: float
    lead: float
    share: float


@dataclass(frozen=True, eq=False)
class FaceLikeness:
    """How like each face is, in the pixels that differ, to the card and to the face most like it.

    Both are correlations; `apart` says by how many squared sigmas each differs from that face.
    """

    of_card: NDArray[np.float64]
    of_best: NDArray[np.float64]
    apart: NDArray[np.float64]


def tell(faces: Faces, flat: Floats, tiny: Floats, visible: Floats) -> FaceMatch:
    """Find the face that a card shows, of which `visible` (at COARSE) is seen."""
    weights = cv2.resize(visible, SMALL, interpolation=cv2.INTER_AREA) * SMALL_PRINT
    rough = faces.tiny.agreement(tiny, weights)
    order = [i for i in np.argsort(-rough, axis=None)[:MANY] if rough.flat[i] > rough.max() - APART.far]
    turn, face = _split(faces, order[0])
    best, shift, scores = -1.0, np.zeros((2, 6)), rough
    for _ in range(2):
        moved = align(flat, turned(faces.mid.pictures[face], turn), visible)
        some = np.unique(np.array(order) % len(faces.names))
        found = np.full_like(rough, -1.0)
        seen = take(blurred(flat, APART.compared_mm, FINE), moved, COARSE)
        found[:, some] = faces.mid.agreement(seen, visible * PRINT, some.tolist())
        if found.max() > best:
            best, shift, scores = float(found.max()), moved, found
        turn_now, face_now = _split(faces, int(found.argmax()))
        if found[turn, face] > found.max() - APART.other_art:
            break
        turn, face = turn_now, face_now
    near = [i for i in np.argsort(-scores, axis=None)[:MANY] if scores.flat[i] > best - APART.near]
    images = [turned(faces.fine[f], t) for t, f in (_split(faces, i) for i in near)]
    kept = [
        scores.flat[n] > best - APART.like_art or _is_one_art(images[0], image)
        for n, image in zip(near, images, strict=True)
    ]
    top = _split(faces, near[0])[1]
    others = [n for n, keep in zip(near, kept, strict=True) if not keep and _split(faces, n)[1] != top]
    ahead = min((best - float(scores.flat[n]) for n in others), default=1.0) / APART.art_apart
    near = [n for n, keep in zip(near, kept, strict=True) if keep]
    rivals = np.stack([image for image, keep in zip(images, kept, strict=True) if keep])
    whole = cv2.resize(visible, _PRINT_FINE.shape[::-1], interpolation=cv2.INTER_NEAREST) * _PRINT_FINE
    seen = take(flat, shift, FINE).astype(np.float32)
    likeness = _compare(rivals, settle(seen, rivals[0], whole) if len(rivals) > 1 else seen, whole)
    return _verdict([_split(faces, i)[1] for i in near], likeness, best, ahead)


def difference(one: Floats, other: Floats) -> float:
    """Say by how many squared sigmas two faces at FINE differ, either way up, in a scene that is not too sharp."""
    first, *second = (softened(image, APART.far_mm) for image in (one, other, turned(other, 1)))
    dx, dy = slopes(first, FINE)
    loose = APART.far_noise_levels**2 + APART.loose_mm**2 * (dx * dx + dy * dy)
    return min(float((_cost((image - first) ** 2 / loose) * _PRINT_FINE).sum()) for image in second)


def _is_one_art(one: Floats, other: Floats) -> bool:
    """Tell whether two faces are one drawing with other digits: learned together, they are equal elsewhere."""
    return float((_spread(other[None], one) < APART.differs).mean()) > APART.common


def _split(faces: Faces, index: int) -> tuple[int, int]:
    turn, face = divmod(int(index), len(faces.names))
    return turn, face


def _verdict(near: list[int], likeness: FaceLikeness, best: float, ahead: float) -> FaceMatch:
    """Name the face most like the card; `ahead` is its share before the faces of other art."""
    first = int(likeness.of_card.argmax())
    rivals = [i for i, face in enumerate(near) if face != near[first]]
    lead, share = APART.sure_lead * min(ahead, 1.0), min(ahead, 1.0)
    if rivals:
        shares = (likeness.of_card[first] - likeness.of_card) / (APART.beyond_best - likeness.of_best)
        rival = min(rivals, key=shares.__getitem__)
        share = min(share, float(shares[rival]))
        lead = min(lead, float(shares[rival] * likeness.apart[rival]))
    return FaceMatch(face=near[first], agreement=best, lead=lead, share=share)


def _compare(images: Floats, seen: Floats, weights: Floats) -> FaceLikeness:
    """Correlate what sets each face (N, H, W, 3) apart from their mean with what sets the card apart from it.

    Correlations rather than distances: else a pale or blurred photograph would win for having little to be wrong in.
    """
    nothing = np.zeros(len(images))
    if len(images) == 1:
        return FaceLikeness(nothing, nothing, nothing)
    images, seen = _equally_sharp(images, seen, weights)
    gain, offset = fit_shade(images[0], seen, weights)
    dx, dy = slopes(images.mean(0), FINE)  # edges of the art that they share, hardly those of digits
    q, g, o, face, w = (part[::3, ::3] for part in (seen, gain, offset, images[0], weights))
    noise = 1.48 * middle(np.abs(q - g * face - o)[w > 0.5].ravel()) + APART.least_noise_levels
    brightest = np.percentile(q[w > 0.5], 99, axis=0).astype(np.float32) if (w > 0.5).any() else np.float32(np.inf)
    at = np.flatnonzero((_spread(images, images[0]) > APART.differs) & (weights > 0.5))
    if len(at) < 8:
        return FaceLikeness(nothing, nothing, nothing)
    step = max(1, len(at) // PIXELS)
    some = images.reshape(len(images), -1, 3)[:, at[::step]]
    g, o, x, y, q = (part.reshape(-1, 3)[at[::step]] for part in (gain, offset, dx, dy, seen))
    sigmas = np.sqrt(noise**2 + (APART.loose_mm * g) ** 2 * (x * x + y * y))
    shown = np.minimum(g * some + o, brightest)  # what is brighter than the camera's white shows as that
    mean = shown.mean(0)
    card = np.clip((q - mean) / sigmas, -APART.outlier, APART.outlier).ravel()
    own = ((shown - mean) / sigmas).reshape(len(images), -1)
    lengths = np.linalg.norm(own, axis=1) + 1e-3
    of_card = own @ card / (lengths * (np.linalg.norm(card) + 1e-3))
    first = int(of_card.argmax())
    of_best = own @ own[first] / (lengths * lengths[first])
    return FaceLikeness(of_card, of_best, ((own - own[first]) ** 2).sum(1) * step / 3)


def _spread(images: Floats, one: Floats) -> Floats:
    """Give the most by which any of the images differs from one, in any channel: (H, W)."""
    most = np.zeros_like(one)
    for image in images:
        cv2.max(most, cv2.absdiff(image, one), dst=most)
    return np.maximum(np.maximum(most[..., 0], most[..., 1]), most[..., 2])


def _cost(squared: NDArray[np.floating]) -> NDArray[np.floating]:
    """Sum the channels' squared sigmas, with an end to what one pixel can say."""
    mean = squared @ np.full(3, 1 / 3, np.float32)
    return mean / (1 + mean / APART.outlier**2)


def _equally_sharp(images: Floats, seen: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Soften what is sharper, the faces or the card, so that blur is no evidence."""
    of_faces, of_card = sharpness(images[0], weights), sharpness(seen, weights)
    if of_faces > CARD_LIGHT.as_sharp * of_card:
        blur_mm = softening_mm(images[0], of_card, weights)
        return np.stack([softened(image, blur_mm) for image in images]), seen
    return images, softened(seen, softening_mm(seen, of_faces, weights))
