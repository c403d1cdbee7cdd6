"""Whose cap is it: colours under one common light, and sizes, weighed for all caps at once.

A surface shows its own colour, brighter or darker by how it is turned, and over it a sheen of the light's
colour. So a pixel that belongs to a cap lies near the plane of its colour and of white, on the side where
neither share is negative.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import to_linear
from linesies.vision.caps.assignment import pair_up
from linesies.vision.caps.cap import Cap
from linesies.vision.caps.spot import Spot

Array = NDArray[np.float64]
Pair = tuple[int, int]  # a spot's index and a cap's

PLAIN_CHANGE, FAINT_COST = 0.4, 7.0  # a spot that changed less than caps do is rather a stain,
GLASS_FAINT = 0.5  # or glass
CONTEST, MOST_RIVALS = 1.5, 10  # readings of the whole picture that are dearer by less are tried by fits
NOBODY = 3.75  # the cost at which a spot is rather no listed cap
UNLIKELY = 5.1  # dearer than that, a pair is not worth a fit
CHANGE_WORTH, SHADE_COST = 4.0, 2.0  # of overlapping spots, that which changed more and is no shadow is the cap
SAME_SHARE = 0.5  # of two radii: nearer than that, two spots are one
LIGHT_STEP = 0.08  # of the light's logarithm; proposals nearer than that are one
LIKELY_LIGHT, LIGHT_COST = 0.9, 6.0  # cameras expose for the ground: a light of 1.5 costs 1.6
USUAL_LIGHT = (0.45, 1.7)  # what a white surface reads in linear light, in any sane exposure
SHADING_SPREAD = 0.35  # of the logarithm of how bright a surface is for its colour
CLEAR_SHADING = 0.4  # translucent plastic shows this much less of its colour, give or take
SHEEN_SPREAD = (0.1, 0.6)  # fixed, and as a share of the colour's brightness
PALE = 0.5  # albedo from which plastic may be translucent
LEAST_HUE = 0.12  # of its brightness; below it a colour is grey
COLOUR_SPREAD = (0.02, 0.16)  # of a reading: fixed, and as a share of its brightness
BRIGHT_STEEL, DULL_COST, MOST_DULL = 0.45, 2.5, 1.5  # the sky that steel mirrors, in light; what lacking it costs
SHADE_DOUBT = 0.5  # of a spot that looks like the ground in shadow
SWEPT_SHARE = 0.8  # of a cylinder's side, for bodies that taper
SIZE_SPREAD = 0.08  # of the logarithm of a spot's width
HOLE_SHARE, HOLE_COST = 0.8, 0.4  # of a ring's width, what its hole is seen to be; what it costs to take it for that
SIZE_BIASES = (-0.1, 0.0, 0.1, 0.2, 0.3)  # of the same, common to a picture
BIAS_COST = 25.0  # a common bias of 0.2 costs 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """Whose cap a spot is (its index), and by how much the next best reading of the whole picture is worse."""

    cap: int
    margin: float


def weigh(spots: list[Spot], caps: tuple[Cap, ...]) -> Array:
    """Weigh every spot against every cap: costs (S, C), never above UNLIKELY.

    The light's strength is common to all spots and unknown, and so is by how much soft shadows make all caps look
    wide: every pair of a spot and a cap proposes a light, and what makes the whole assignment cheapest wins.
    """
    if not spots:
        return np.empty((0, len(caps)))
    colours = np.array([spot.colours_bgr for spot in spots])
    wide = np.array([[np.log(spot.diameter_mm / seen_mm(spot, cap)) for cap in caps] for spot in spots])
    holes = np.array([np.log(HOLE_SHARE) if cap.kind == "ring" else np.inf for cap in caps])
    sizes = [(_size_costs(wide - bias, holes), BIAS_COST * bias**2) for bias in SIZE_BIASES]
    fixed = np.array([[_fixed_cost(spot, cap) for cap in caps] for spot in spots])
    lights = ((light, LIGHT_COST * np.log(light / LIKELY_LIGHT) ** 2) for light in _lights(colours, caps))
    readings = (
        (np.minimum(colour + size + fixed, UNLIKELY), rare + strange)
        for colour, rare in ((_colour_costs(caps, colours / light), rare) for light, rare in lights)
        for size, strange in sizes
    )
    return _cheapest(list(readings))


def _cheapest(readings: list[tuple[Array, float]]) -> Array:
    """Choose of costs (S, C) and what speaks against each the one whose assignment is cheapest.

    No assignment costs less than the best of each cap, or of each spot where these are fewer: most need not be made.
    """
    bounded = [(np.minimum(costs, NOBODY), costs, strange) for costs, strange in readings]
    axis = 0 if bounded[0][1].shape[0] >= bounded[0][1].shape[1] else 1
    least = [float(capped.min(axis=axis).sum()) + strange for capped, _, strange in bounded]
    best, cheapest = np.inf, bounded[0][1]
    for i in np.argsort(least):
        if least[i] >= best:
            break
        capped, costs, strange = bounded[i]
        total = _assign(capped)[0] + strange
        if total < best:
            best, cheapest = total, costs
    return cheapest


def _size_costs(wide: Array, holes: Array) -> Array:
    """Weigh logarithms (S, C) of how much wider spots are than caps; of a ring its hole alone may stand out."""
    whole, hole = (np.log1p((off / SIZE_SPREAD) ** 2 / 2) for off in (wide, wide - holes))
    return np.asarray(np.minimum(whole, hole + HOLE_COST), float)


def likeliest(spots: list[Spot], costs: Array) -> list[int]:
    """List, of spots that overlap, the one most like a listed cap: a cap's own shadow is often the plainer disc."""
    worth = [min(costs[i]) - CHANGE_WORTH * spot.change + SHADE_COST * spot.is_shade for i, spot in enumerate(spots)]
    kept: list[int] = []
    for i in np.argsort(worth):
        away = (
            float(np.hypot(*(spots[i].xy_px - spots[j].xy_px))) / (spots[i].radius_px + spots[j].radius_px)
            for j in kept
        )
        if all(share >= SAME_SHARE for share in away):
            kept.append(int(i))
    return sorted(kept)


def assign(costs: Array) -> list[Owner | None]:
    """Give each spot (row) its cap (column) so that all is cheapest; None where a spot is rather nobody's."""
    owners: list[Owner | None] = [None] * len(costs)
    total, cheapest = _assign(costs)
    for row, column in cheapest:
        if costs[row, column] < NOBODY:
            otherwise = costs.copy()
            otherwise[row, column] = NOBODY
            owners[row] = Owner(cap=column, margin=_assign(otherwise)[0] - total)
    return owners


def pairs(costs: Array) -> list[Pair]:
    """List the pairs of spot and cap of the cheapest assignment, what is rather nobody's left out."""
    return [pair for pair in _assign(costs)[1] if costs[pair] < NOBODY]


def rivals(costs: Array) -> list[Pair]:
    """List the pairs of spot and cap between which the assignment is not clear, the likeliest first."""
    likely = costs < NOBODY
    total, extra = _assign(costs)[0], {}
    for row, column in zip(*np.nonzero(likely), strict=True):
        if likely[row].sum() + likely[:, column].sum() > 2:  # else it has no rival
            others = np.delete(np.delete(costs, row, axis=0), column, axis=1)
            more = costs[row, column] + _assign(others)[0] - total
            if more < CONTEST:
                extra[int(row), int(column)] = more
    rows, columns = ([pair[i] for pair in extra] for i in (0, 1))
    contested = [pair for pair in extra if rows.count(pair[0]) > 1 or columns.count(pair[1]) > 1]
    return sorted(contested, key=lambda pair: extra[pair])[:MOST_RIVALS]


def _assign(costs: Array) -> tuple[float, list[Pair]]:
    if not costs.size:
        return 0.0, []
    rows, columns = pair_up(costs)
    return float(costs[rows, columns].sum()), [(int(r), int(c)) for r, c in zip(rows, columns, strict=True)]


def _albedo(cap: Cap) -> Array:
    return np.asarray(to_linear(np.array([cap.colour_rgb[::-1]], np.uint8))[0], float)


def _lights(colours: Array, caps: tuple[Cap, ...]) -> list[float]:
    """Propose strengths of the light: plain ones, and each that makes the middle reading of a spot that of a cap."""
    lights = [0.6, 0.85, 1.2]
    for albedo in (_albedo(cap) for cap in caps if cap.kind not in ("ring", "glide")):
        levels = colours[:, colours.shape[1] // 2] @ albedo / (albedo @ albedo)
        lights += [float(level) for level in levels if USUAL_LIGHT[0] < level < USUAL_LIGHT[1]]
    steps = {round(np.log(light) / LIGHT_STEP) for light in lights}
    return [float(np.exp(step * LIGHT_STEP)) for step in sorted(steps)]


def _colour_costs(caps: tuple[Cap, ...], readings: Array) -> Array:
    """Weigh readings (S, N, 3) under white light against the caps' materials, glass left out: (S, C)."""
    costs = np.zeros((len(readings), len(caps)))
    for column, cap in enumerate(caps):
        if cap.kind == "glide":
            costs[:, column] = _steel_costs(readings)
        elif cap.kind != "ring":
            costs[:, column] = _paint_costs(readings, cap)
    return costs


def _paint_costs(readings: Array, cap: Cap) -> Array:
    """Weigh readings (S, N, 3) under white light against an opaque cap: (S,)."""
    albedo = _albedo(cap)
    hue = albedo - albedo.mean()
    strength = float(hue @ hue)
    grey = readings.mean(axis=-1)
    if strength > 3 * (LEAST_HUE * albedo.mean()) ** 2:
        shading = np.clip((readings - grey[..., None]) @ hue / strength, 0.1, 3.0)
    else:
        shading = np.clip(grey / albedo.mean(), 0.1, 1.2)
    sheen = np.clip(grey - shading * albedo.mean(), -0.02, 0.6)
    off = readings - shading[..., None] * albedo - sheen[..., None]
    away = np.sqrt((off**2).mean(axis=-1)) / (COLOUR_SPREAD[0] + COLOUR_SPREAD[1] * grey)
    strange = _shading_cost(shading)
    if cap.kind in ("lid", "lid_open") and albedo.min() > PALE and albedo.max() < 1.4 * albedo.min():
        strange = np.minimum(strange, _shading_cost(shading / CLEAR_SHADING) + 0.2)
    costs = away + strange + np.maximum(sheen, 0) / (SHEEN_SPREAD[0] + SHEEN_SPREAD[1] * albedo.mean())
    return np.asarray(np.sort(costs, axis=-1)[:, :3].mean(axis=-1), float)


def _shading_cost(shading: Array) -> Array:
    return np.asarray(np.log1p((np.log(shading) / SHADING_SPREAD) ** 2) * 0.8, float)


def _glass_cost(spot: Spot) -> float:
    """Weigh clear or dark glass: the ground's own tint, darker in its ring than in its hole."""
    band, hole = spot.band_bgr, spot.hole_bgr
    tint = np.sqrt(((band - band.mean()) ** 2).mean() + ((hole - hole.mean()) ** 2).mean())
    contrast = abs(hole.mean() - band.mean())
    return float(0.4 + tint / 0.2 + abs(hole.mean()) / 0.9 + max(0.4 - contrast, 0) / 0.8)


def _steel_costs(readings: Array) -> Array:
    """Weigh polished steel: a grey or sky-coloured mirror, as bright as the sky somewhere, with a bright spot."""
    grey = np.log(readings + 0.02)
    level = grey.mean(axis=-1)
    tint = grey - level[..., None]
    warm = np.maximum(tint[..., 2] - tint[..., 0], 0).mean(axis=-1)
    coloured = np.sqrt((tint**2).mean(axis=(1, 2)))
    brightest = np.maximum(readings[:, -1].mean(axis=-1), 1e-3)
    dull = np.clip(np.log(BRIGHT_STEEL / brightest), 0, MOST_DULL)
    even = np.maximum(0.7 - np.ptp(level, axis=-1), 0)
    return np.asarray(0.5 + coloured / 0.35 + warm / 0.3 + even + DULL_COST * dull, float)


def _fixed_cost(spot: Spot, cap: Cap) -> float:
    """Weigh what hangs on no light: glass, and that a spot changed less than caps do or is shadow."""
    if cap.kind == "ring":  # glass is like shadow
        return _glass_cost(spot) + GLASS_FAINT * _faint_cost(spot)
    shade = SHADE_DOUBT * spot.is_shade
    return shade if cap.kind in ("lid", "lid_open") else shade + _faint_cost(spot)  # lids may be translucent


def _faint_cost(spot: Spot) -> float:
    return FAINT_COST * max(PLAIN_CHANGE - spot.change, 0.0)


def seen_mm(spot: Spot, cap: Cap) -> float:
    """Give the width of a disc as large as the cap's outline, sides included where it is seen at a slant."""
    radius = cap.diameter_mm / 2
    slant = float(np.sqrt(max(1 - spot.steepness**2, 0.0)))
    area = np.pi * radius**2 * spot.steepness + SWEPT_SHARE * 2 * radius * cap.height_mm * slant
    return 2 * float(np.sqrt(area / np.pi))
