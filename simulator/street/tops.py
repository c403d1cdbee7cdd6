"""Caps as the world makes them: printed tops of several colours, skirts of another, worn steel, tinted glass.

What a caps file says of such a cap is what a person would write: a colour mixed of its top and its skirt, and the
size that the make should have.
"""

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from linesies.calibration.light import stored
from linesies.simulator.street.environment import Environment
from linesies.simulator.street.polish import choose_polish
from linesies.simulator.street.solids import LOGO, CapSolid, Ring
from linesies.vision import Cap

Array = NDArray[np.float32]

TOP_SHARE = 0.7  # of a crown's listed colour; the rest is its skirt's
METAL = 0.2  # how often a crown is of bare gold, bronze or steel,
PLAIN = 0.3  # and how often it has no print
SIZE_SPREAD, HEIGHT_SPREAD = 0.005, 0.05  # of real caps about what is listed
STEELS = ((0.45, 0.46, 0.48), (0.2, 0.13, 0.07), (0.75, 0.7, 0.6), (0.12, 0.12, 0.13), (0.5, 0.38, 0.2))
METALS = ((0.5, 0.34, 0.1), (0.26, 0.15, 0.06), (0.5, 0.5, 0.5), (0.16, 0.12, 0.1), (0.35, 0.22, 0.14))  # of crowns
GLASSES = ((0.3, 0.55, 0.35), (0.4, 0.2, 0.05), (0.75, 0.8, 0.8), (0.08, 0.08, 0.08))


def vary(plain: CapSolid, rng: np.random.Generator) -> CapSolid:
    """Give a cap of its kind the look of some real make."""
    kind = plain.cap.kind or "crown"
    if kind == "glide":
        steel = _tinted(rng, STEELS)
        rings = tuple(replace(ring, rgb=steel * np.float32(rng.uniform(0.85, 1.1))) for ring in plain.rings)
        return replace(
            plain,
            rings=rings,
            is_mirror=bool(rng.random() < 0.7),
            gloss=rng.uniform(0.1, 0.9),
            gleam_sharpness=_sharpness(rng, 1.5, 40),
        )
    if kind == "ring":
        tint = _tinted(rng, GLASSES)
        rings = tuple(
            replace(ring, rgb=ring.rgb * 0 + np.float32(rng.uniform(0.1, 0.5)) * tint) for ring in plain.rings
        )
        return replace(plain, rings=rings, opacity=rng.uniform(0.35, 0.9), gloss=rng.uniform(0.4, 1.5))
    base = _tinted(rng, METALS) if kind.startswith("crown") and rng.random() < METAL else _colour(rng)
    is_plain = bool(rng.random() < PLAIN)
    skirt = base if is_plain or rng.random() < 0.6 else _colour(rng)
    if kind == "crown_upturned":
        rings = tuple(_recoloured(ring, 0.35 * skirt + np.float32(rng.uniform(0.1, 0.35))) for ring in plain.rings)
        return replace(plain, rings=rings, face=_blotched(rng, base))
    rings = tuple(_recoloured(ring, skirt * np.float32(rng.uniform(0.85, 1.0))) for ring in plain.rings)
    well = plain.well and replace(plain.well, rgb=(0.85 * skirt).astype(np.float32))
    is_printed = not is_plain and (kind == "crown" or (kind == "lid" and rng.random() < 0.5))
    face = _printed(rng, base) if is_printed else _blotched(rng, skirt if kind == "lid_open" else base)
    sharpness = _sharpness(rng, 8, 120)
    return replace(plain, rings=rings, well=well, face=face, gloss=rng.uniform(0.05, 0.8), gleam_sharpness=sharpness)


def polished(dull: CapSolid, environment: Environment, rng: np.random.Generator) -> CapSolid:
    """Let a cap mirror what lies round it."""
    return replace(dull, polish=choose_polish(dull.cap.kind or "crown", environment, rng))


def listed(solid: CapSolid, rng: np.random.Generator) -> Cap:
    """Write a cap down as a person would, who measures its make and mixes its colour by eye."""
    cap = solid.cap
    skirt = np.mean([ring.rgb for ring in solid.rings], axis=0)
    rows, columns = np.mgrid[:LOGO, :LOGO] - LOGO / 2
    top = solid.face[np.hypot(rows, columns) < 0.45 * LOGO].mean(axis=0)
    is_plain = cap.kind in ("ring", "glide", "lid_open")
    mixed = skirt if is_plain else top if cap.kind == "crown_upturned" else TOP_SHARE * top + (1 - TOP_SHARE) * skirt
    coded = stored(np.clip(np.asarray(mixed, float) * (3.0 if cap.kind == "ring" else 1.0), 0, 1))
    red, green, blue = (int(v) for v in np.clip(coded * 255 * np.exp(rng.normal(0, 0.04, 3)), 0, 255))
    return replace(
        cap,
        colour_rgb=(red, green, blue),
        diameter_mm=round(cap.diameter_mm * float(np.exp(rng.normal(0, SIZE_SPREAD))), 1),
        height_mm=round(cap.height_mm * float(np.exp(rng.normal(0, HEIGHT_SPREAD))), 1),
    )


def _colour(rng: np.random.Generator) -> Array:
    """Choose an albedo (r, g, b) of any hue: vivid, pale, dark or grey."""
    hue, strength = rng.uniform(0, 180), float(rng.choice((rng.uniform(0.5, 1.0), rng.uniform(0.0, 0.25))))
    bright = rng.uniform(0.12, 1.0)
    hsv = np.array([[[hue, 255 * strength, 255 * bright]]], np.uint8)
    rgb = cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0].astype(np.float32) / 255
    return np.asarray(0.02 + 0.85 * rgb**2.2, np.float32)


def _sharpness(rng: np.random.Generator, least: float, most: float) -> float:
    """Choose how small the sun's image is in a cap."""
    return float(np.exp(rng.uniform(np.log(least), np.log(most))))


def _tinted(rng: np.random.Generator, tints: tuple[tuple[float, float, float], ...]) -> Array:
    return np.array(tints[int(rng.integers(len(tints)))], np.float32) * np.float32(np.exp(rng.normal(0, 0.25)))


def _recoloured(ring: Ring, rgb: Array) -> Ring:
    return replace(ring, rgb=np.asarray(rgb, np.float32))


def _blotched(rng: np.random.Generator, rgb: Array) -> Array:
    """Fill a face with wax or plastic, a little uneven."""
    rough = cv2.GaussianBlur(rng.standard_normal((LOGO, LOGO), np.float32), (0, 0), LOGO / 10)
    return np.asarray(rgb * np.exp(rng.uniform(0, 2.5) * rough)[..., None], np.float32)


def _printed(rng: np.random.Generator, rgb: Array) -> Array:
    """Print a top: a ground, rings, and marks of one to three more colours."""
    face = np.empty((LOGO, LOGO, 3), np.float32)
    face[:] = rgb
    middle = (LOGO // 2, LOGO // 2)
    if rng.random() < 0.35:
        cv2.circle(face, middle, int(LOGO * rng.uniform(0.2, 0.42)), _colour(rng).tolist(), -1, cv2.LINE_AA)
    if rng.random() < 0.35:
        thick = int(rng.integers(2, 9))
        cv2.circle(face, middle, int(LOGO * rng.uniform(0.3, 0.46)), _colour(rng).tolist(), thick, cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 5))):
        _mark(face, rng, _colour(rng).tolist())
    return face


def _mark(face: Array, rng: np.random.Generator, rgb: list[float]) -> None:
    x, y = (int(v) for v in rng.normal(LOGO / 2, LOGO / 6, 2))
    shape = rng.integers(4)
    if shape == 0:
        letter, ink = chr(int(rng.integers(65, 91))), np.zeros((LOGO, LOGO), np.uint8)
        cv2.putText(ink, letter, (x - 20, y + 20), 1, rng.uniform(1.5, 5), 255, int(rng.integers(2, 8)), cv2.LINE_AA)
        face[ink > 127] = rgb
    elif shape == 1:
        size = (int(rng.uniform(4, 30)), int(rng.uniform(3, 20)))
        cv2.ellipse(face, (x, y), size, rng.uniform(0, 180), 0, 360, rgb, -1, cv2.LINE_AA)
    elif shape == 2:
        points = np.rint(np.array([x, y]) + rng.normal(0, LOGO / 5, (int(rng.integers(3, 6)), 2))).astype(np.int32)
        cv2.fillPoly(face, [points], rgb, cv2.LINE_AA)
    else:
        far = tuple(int(v) for v in rng.uniform(0, LOGO, 2))
        cv2.line(face, (x, y), far, rgb, int(rng.integers(3, 16)), cv2.LINE_AA)
