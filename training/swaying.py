"""Films of a camera that sways on its pole and is knocked: what sets the numbers by which frames are registered.

Moments of drills on simulated streets, caps and hands in them, are shifted and turned as a pole would; how is known.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.simulator.street.stage import Wishes
from linesies.simulator.street.street import SimulatedStreet
from linesies.training.sweep import swept
from linesies.vision.picture.displacement import Displacement, none_of, terms_at
from linesies.vision.picture.layout import Image
from linesies.vision.picture.registration import REGISTRATION, Registration, RegistrationTuning
from linesies.vision.picture.small_picture import SmallPlanes, averaged, shrink_of

Array = NDArray[np.float64]

FIRST_SEED = 7201
FPS = 30
FRAMES = 60  # of each film
MOMENTS, APART = 6, 12  # of each street, so many frames apart
WAYS_SMALL = (0.1, 0.5, 1.5, 2.5, 4.0)  # deviations of the sway, a film each
KNOCK_SMALL = 8.0  # by which it is knocked half way, and stays
TURN = 0.002  # of a radian a small pixel of sway
SWAY_HZ = (0.5, 6.0)
NOISE_LEVELS = 1.5
NEAR_SMALL = 0.15  # of where it truly lies, in the corners and in the middle: the picture is registered


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SwayingFilm:
    """The calibrated ground's luma (h, w), that of each frame, and how each truly lies."""

    ground: Image
    lumas: tuple[Image, ...]
    truth: tuple[Displacement, ...]


def films(streets: int) -> list[SwayingFilm]:
    """Film so many streets, each by a calm pole and by some that sway."""
    return [film for seed in range(FIRST_SEED, FIRST_SEED + streets) for film in _films_of(seed)]


def _films_of(seed: int) -> list[SwayingFilm]:
    street = SimulatedStreet(wishes=Wishes(seed=seed, play="drill", fps=FPS))
    moments = [frame.luma for i, frame in zip(range(MOMENTS * APART), street.frames(), strict=False) if i % APART == 0]
    rng = np.random.default_rng(seed)
    return [film_of(moments, way_small, rng) for way_small in WAYS_SMALL]


def film_of(moments: list[Image], way_small: float, rng: np.random.Generator) -> SwayingFilm:
    """Show so many moments (H, W) of a scene, one after the other, by a pole that sways by that deviation."""
    height, width = moments[0].shape
    shrink = shrink_of((width, height))
    places = way_small * _sway(rng)
    places[FRAMES // 2 :] += KNOCK_SMALL * rng.choice((-1, 1), 2)
    lumas, truth = [], []
    for i, (shift, turn) in enumerate(zip(places, TURN * places[:, 0], strict=True)):
        full = cv2.getRotationMatrix2D((width / 2 - 0.5, height / 2 - 0.5), np.degrees(turn), 1.0)
        full[:, 2] += shrink * shift
        moment = moments[i * len(moments) // FRAMES]
        swayed = averaged(cv2.warpAffine(moment, full, (width, height), flags=cv2.INTER_CUBIC), shrink)
        noisy = swayed + rng.normal(0, NOISE_LEVELS, swayed.shape)
        lumas.append(np.clip(np.rint(noisy), 0, 255).astype(np.uint8))
        truth.append(_displacement(full, shrink, (width // shrink, height // shrink)))
    return SwayingFilm(ground=averaged(moments[0], shrink), lumas=tuple(lumas), truth=tuple(truth))


def _sway(rng: np.random.Generator) -> Array:
    """Draw how a pole trembles (FRAMES, 2), of deviation 1."""
    spectrum = np.fft.rfft(rng.normal(0, 1, (FRAMES, 2)), axis=0)
    hz = np.fft.rfftfreq(FRAMES, 1 / FPS)
    spectrum[(hz < SWAY_HZ[0]) | (hz > SWAY_HZ[1])] = 0
    sway = np.fft.irfft(spectrum, FRAMES, axis=0)
    return np.asarray(sway / sway.std())


def _displacement(full: Array, shrink: int, size_small: tuple[int, int]) -> Displacement:
    """Say in coefficients how a picture lies that was moved by a map (2, 3) of full pixels."""
    ground = np.array([(x, y) for y in (0.0, size_small[1]) for x in (0.0, size_small[0])])
    whole = np.column_stack([(ground + 0.5) * shrink - 0.5, np.ones(len(ground))])
    moved = ((whole @ full.T + 0.5) / shrink - 0.5) - ground
    terms = terms_at(ground, size_small)[:, :3]
    coefficients = none_of(size_small).coefficients.copy()
    coefficients[:, :3] = np.linalg.lstsq(terms, moved, rcond=None)[0].T
    return Displacement(coefficients, size_small)


def share_registered(made: list[SwayingFilm]) -> float:
    """Tell which share of all frames is registered to where it truly lies."""
    right = []
    for film in made:
        registration = Registration(film.ground)
        for luma, true in zip(film.lumas, film.truth, strict=True):
            planes = SmallPlanes(source_luma=luma, luma_by=1, source_colours=(luma, luma), colours_by=1.0)
            found = registration.see(planes)
            right.append(found is not None and np.abs(found.at_corners - true.at_corners).max() < NEAR_SMALL)
    return float(np.mean(right))


def fitted(streets: int) -> RegistrationTuning:
    """Set the numbers again."""
    made = films(streets)
    return swept(REGISTRATION, lambda: share_registered(made))
