"""Tell apart the faces that agree with a card almost equally, by the pixels in which they differ."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards.learned_align import PRINT, align, take
from vision.cards.learned_faces import SMALL_PRINT, Faces
from vision.cards.learned_flat import COARSE, FINE, SMALL, Floats, blurred, print_area, turned
from vision.cards.learned_light import fit_shade, sharpness, slopes, softened, softening_mm

NEAR = 0.06  # agreement by which a face may fall behind and still be the right one
FAR = 0.2  # the same in tiles, before they are aligned
MANY = 20  # faces compared pixel by pixel at most
OTHER_ART = 0.03  # agreement by which another face must be better to align to it instead
DIFFERS = 15.0  # grey levels between two faces that count
PIXELS = 4000  # compared at most
LOOSE_MM = 0.25  # by which print may still be out of place
OUTLIER = 9.0  # squared sigmas from which on a pixel shows something else
FAR_MM, FAR_NOISE = 0.5, 6.0  # blur and noise of a card seen from as far as it should still be told
_PRINT_FINE = print_area(FINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """The face that fits best, how well it agrees (up to 1), and how far ahead of the next name it is.

    `lead` counts squared sigmas; `share` sets it against the lead expected if the best is right: 1 is just so, 0 a tie.
    """

    face: int
    agreement: float
    lead: float
    share: float


def tell(faces: Faces, flat: NDArray, tiny: Floats, visible: Floats) -> Telling:
    """Find the face that a card shows, of which `visible` (at COARSE) is seen."""
    weights = cv2.resize(visible, SMALL, interpolation=cv2.INTER_AREA) * SMALL_PRINT
    rough = faces.tiny.agreement(tiny, weights)
    order = [i for i in np.argsort(-rough, axis=None)[:MANY] if rough.flat[i] > rough.max() - FAR]
    turn, face = _split(faces, order[0])
    best, shift, scores = -1.0, None, rough
    for _ in range(2):
        moved = align(flat, turned(faces.mid.pictures[face], turn), visible)
        some = np.unique(np.array(order) % len(faces.names))
        found = np.full_like(rough, -1.0)
        seen = take(blurred(flat, 0.4, FINE), moved, COARSE)
        found[:, some] = faces.mid.agreement(seen, visible * PRINT, some)
        if found.max() > best:
            best, shift, scores = float(found.max()), moved, found
        turn_now, face_now = _split(faces, int(found.argmax()))
        if found[turn, face] > found.max() - OTHER_ART:
            break
        turn, face = turn_now, face_now
    near = [i for i in np.argsort(-scores, axis=None)[:MANY] if scores.flat[i] > best - NEAR]
    images = np.stack([turned(faces.fine[f], t) for t, f in (_split(faces, i) for i in near)])
    whole = cv2.resize(visible, _PRINT_FINE.shape[::-1], interpolation=cv2.INTER_NEAREST) * _PRINT_FINE
    costs, expected = _compare(images, take(flat, shift, FINE), whole)
    return _verdict([_split(faces, i)[1] for i in near], costs, expected, best)


def difference(one: Floats, other: Floats) -> float:
    """Say by how many squared sigmas two faces at FINE differ, either way up, in a scene that is not too sharp."""
    first, *second = (softened(image, FAR_MM) for image in (one, other, turned(other, 1)))
    dx, dy = slopes(first, FINE)
    loose = FAR_NOISE**2 + LOOSE_MM**2 * (dx * dx + dy * dy)
    return min(float((_cost((image - first) ** 2 / loose) * _PRINT_FINE).sum()) for image in second)


def _split(faces: Faces, index: int) -> tuple[int, int]:
    turn, face = divmod(int(index), len(faces.names))
    return turn, face


def _verdict(near: list[int], costs: NDArray, expected: NDArray, best: float) -> Telling:
    first = int(costs.argmin())
    rivals = [i for i, face in enumerate(near) if face != near[first]]
    if not rivals:
        return Telling(face=near[first], agreement=best, lead=1e4, share=1.0)
    leads = [(costs[i] - costs[first], expected[i]) for i in rivals]
    lead, hoped = min(leads, key=lambda pair: pair[0] / (pair[1] + 20))
    return Telling(face=near[first], agreement=best, lead=float(lead), share=float(lead / (hoped + 20)))


def _compare(images: Floats, seen: Floats, weights: Floats) -> tuple[NDArray, NDArray]:
    """Cost each face (N, H, W, 3) by what is seen; returns the costs and what they would be if the best were true."""
    nothing = np.zeros(len(images))
    if len(images) == 1:
        return nothing, nothing
    images, seen = _equally_sharp(images, seen, weights)
    best = 0
    for _ in range(2):
        gain, offset = fit_shade(images[best], seen, weights)
        dx, dy = slopes(images[best], FINE)
        noise = 1.48 * float(np.median(np.abs(seen - gain * images[best] - offset)[weights > 0.5])) + 1.5
        loose = noise**2 + (LOOSE_MM * gain) ** 2 * (dx * dx + dy * dy)
        at = np.flatnonzero((_spread(images, images[best]) > DIFFERS) & (weights > 0.5))
        if len(at) < 8:
            return nothing, nothing
        step = max(1, len(at) // PIXELS)
        at = at[::step]
        some = images.reshape(len(images), -1, 3)[:, at]
        g, o, v, q = (x.reshape(-1, 3)[at] for x in (gain, offset, loose, seen))
        w = weights.ravel()[at] * step
        costs = _cost((q - o - g * some) ** 2 / v) @ w
        if int(costs.argmin()) == best:
            break
        best = int(costs.argmin())
    return costs, _cost((g * (some - some[best])) ** 2 / v) @ w


def _spread(images: Floats, one: Floats) -> Floats:
    """Give the most by which any of the images differs from one, in any channel: (H, W)."""
    most = np.zeros_like(one)
    for image in images:
        cv2.max(most, cv2.absdiff(image, one), dst=most)
    return np.maximum(np.maximum(most[..., 0], most[..., 1]), most[..., 2])


def _cost(squared: Floats) -> Floats:
    """Sum the channels' squared sigmas, with an end to what one pixel can say."""
    mean = squared @ np.full(3, 1 / 3, np.float32)
    return mean / (1 + mean / OUTLIER)


def _equally_sharp(images: Floats, seen: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Soften what is sharper, the faces or the card, so that blur is no evidence."""
    of_faces, of_card = sharpness(images[0], weights), sharpness(seen, weights)
    if of_faces > 1.03 * of_card:
        blur_mm = softening_mm(images[0], of_card, weights)
        return np.stack([softened(image, blur_mm) for image in images]), seen
    return images, softened(seen, softening_mm(seen, of_faces, weights))
