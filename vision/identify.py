"""Whose cap is it: colours under one common light, and sizes, weighed for all caps at once."""

from itertools import product

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from vision.caps_find import Spot
from vision.caps_light import linear_light
from vision.kit import Cap

Array = NDArray[np.float64]

GLOSS = 0.03  # light that any surface mirrors, whatever its colour
NOBODY = 1.6  # the cost at which a spot is rather no listed cap
USUAL_LIGHT = (0.45, 1.6)  # what a white surface reads in linear light, in any sane exposure
SIZE_WEIGHT = 2.0


def identify(spots: list[Spot], caps: tuple[Cap, ...]) -> list[int | None]:
    """Assign a cap (its index) to each spot, or None; each cap at most once.

    The light's colour and strength are common to all spots and unknown: every pair of a spot and a cap
    proposes one, and the one under which the whole assignment is cheapest wins.
    """
    if not spots:
        return []
    sizes = np.array([[_size_cost(spot, cap) for cap in caps] for spot in spots])
    albedos = np.array([linear_light(np.array([cap.colour_rgb[::-1]], np.uint8))[0] for cap in caps], float)
    seen = np.array([[spot.inner_bgr, spot.outer_bgr] for spot in spots])
    best_cost, best_costs = np.inf, None
    for light in _lights(seen, albedos, caps):
        costs = np.minimum(_colour_costs(seen, albedos, caps, light, spots) + sizes, 4.0)
        rows, columns = linear_sum_assignment(np.minimum(costs, NOBODY))
        total = np.minimum(costs, NOBODY)[rows, columns].sum()
        if total < best_cost:
            best_cost, best_costs = total, costs
    rows, columns = linear_sum_assignment(np.minimum(best_costs, NOBODY))
    owners: list[int | None] = [None] * len(spots)
    for row, column in zip(rows, columns, strict=True):
        if best_costs[row, column] < NOBODY:
            owners[row] = int(column)
    return owners


def _lights(seen: Array, albedos: Array, caps: tuple[Cap, ...]) -> list[Array]:
    lights = [np.full(3, level) for level in (0.6, 0.8, 1.1)]
    plain = [i for i, cap in enumerate(caps) if cap.kind not in ("ring", "glide")]
    for colour, i in product(seen[:, 1], plain):
        light = (colour + GLOSS) / (albedos[i] + GLOSS)
        level = float(np.exp(np.log(light).mean()))
        if USUAL_LIGHT[0] < level < USUAL_LIGHT[1] and light.max() < 1.8 * light.min():
            lights.append(light)
    return lights


def _colour_costs(seen: Array, albedos: Array, caps: tuple[Cap, ...], light: Array, spots: list[Spot]) -> Array:
    away = np.log(seen[:, :, None, :] + GLOSS) - np.log(light * albedos[None, None] + GLOSS)
    brightness = away.mean(axis=-1)
    hue = away - brightness[..., None]
    costs = np.sqrt((hue**2).mean(axis=-1) / 0.3**2 + brightness**2 / 0.5**2)
    costs[:, 0] += 0.3
    costs = costs.min(axis=1)
    for column, cap in enumerate(caps):
        if cap.kind in ("ring", "glide"):
            costs[:, column] = [_bare_cost(spot, cap, light) for spot in spots]
    return costs


def _bare_cost(spot: Spot, cap: Cap, light: Array) -> float:
    """Weigh glass or steel, which show what is under or above them rather than a colour of their own."""
    seen = np.log(spot.outer_bgr + GLOSS)
    if cap.kind == "ring":
        away = seen - np.log(spot.ground_bgr + GLOSS)
        tint = away - away.mean()
        return float(np.sqrt((tint**2).mean()) / 0.25 + 0.6 + max(away.mean(), 0) / 0.5)
    away = np.log(spot.inner_bgr + GLOSS) - np.log(light * 0.35 + GLOSS)
    tint = away - away.mean()
    return float(np.sqrt((tint**2).mean()) / 0.35 + 0.6 + abs(min(away.mean(), 0.0)) / 0.5)


def _size_cost(spot: Spot, cap: Cap) -> float:
    fit = float(np.interp(cap.diameter_mm, list(spot.fits), list(spot.fits.values())))
    return SIZE_WEIGHT * max(max(spot.fits.values()) - fit, 0.0) / 0.25 * 0.5
