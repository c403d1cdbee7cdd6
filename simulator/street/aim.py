"""How people aim: what they go for from where they lie, and how well their fingers obey."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Board
from linesies.simulator.street.physics import SLIDING_MM_S2

Array = NDArray[np.float64]

FASTEST_MM_S = 3000.0  # of a flicked cap; by hand
WORDS = {"k1": "skull1", "k2": "skull2", "k3": "skull3", "k4": "skull4"}
EARLY = ("1f", "2f")
NEAR = 0.45  # a cap nearer than this (of the board's size) is worth a shot at it
EAGER = 0.55  # how often people then try


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """How far a player's shots stray: in direction, and in speed as a share of it."""

    direction_rad: float
    speed_share: float


def choose_skill(rng: np.random.Generator) -> Skill:
    """Choose how well somebody plays."""
    return Skill(direction_rad=rng.uniform(0.02, 0.05), speed_share=rng.uniform(0.033, 0.07))


def velocity_for(from_mm: Array, to_mm: Array, past_mm: float, skill: Skill, rng: np.random.Generator) -> Array:
    """Give the velocity (mm/s) that a finger gives a cap to come to rest `past_mm` beyond a point, more or less."""
    way = to_mm - from_mm
    distance = float(np.hypot(*way))
    speed = np.sqrt(2 * SLIDING_MM_S2 * max(distance + past_mm, 15.0)) * (1 + rng.normal(0, skill.speed_share))
    heading = np.arctan2(way[1], way[0]) + rng.normal(0, skill.direction_rad)
    return float(min(speed, FASTEST_MM_S)) * np.array([np.cos(heading), np.sin(heading)])


def wanted(
    me: dict[str, Any], others: list[dict[str, Any]], lies: dict[str, Array], board: Board, rng: np.random.Generator
) -> tuple[Array, float]:
    """Choose what a player shoots at: a board point, and how far beyond it the cap would go."""
    size = board.size_mm[0]
    mine = lies[me["name"]]
    prey = [o["name"] for o in others if o["name"] in lies and o["status"] in ("playing", "stuck", "killer")]
    if me["status"] == "killer" and prey:
        nearest = min(prey, key=lambda p: float(np.hypot(*(lies[p] - mine))))
        return lies[nearest], 0.10 * size
    target = "13" if me["status"] == "killer" else me["going_for"]
    near = [p for p in prey if np.hypot(*(lies[p] - mine)) < NEAR * size and _is_worth(p, others)]
    if target not in EARLY and target not in WORDS and near and rng.random() < EAGER:
        return lies[near[int(rng.integers(len(near)))]], 0.06 * size
    return middle(board, WORDS.get(target, target.rstrip("fbk"))), 0.0


def middle(board: Board, name: str) -> Array:
    """Find the middle of a region as drawn."""
    region = board.region(name)
    assert region is not None
    return np.asarray(region.polygon_mm.mean(axis=0), float)


def _is_worth(player: str, others: list[dict[str, Any]]) -> bool:
    """Whether hitting that player does the shooter good: a killer does not."""
    return next(o for o in others if o["name"] == player)["status"] != "killer"
