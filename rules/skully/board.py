"""The board and the way through it: targets in order, the boxes they stand for, and where a cap may lie."""

from typing import Final, Literal

Box = Literal["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13"]
Trapezoid = Literal["skull1", "skull2", "skull3", "skull4"]
Rest = Literal[Box, Trapezoid, "skull_line", "line", "open", "off"]  # where the eye finds a cap
Place = Literal[Rest, "start", "town"]  # where people may say that a cap lies
At = Literal[Place, "hand", "out"]  # all that the state knows
LineOf = Literal[Box, Trapezoid, "skull"]  # whose line a placed cap stands on
Target = Literal[
    "1f", "2f", "3f", "4f", "5f", "6f", "7f", "8f", "9f", "10f", "11f", "12f", "13",
    "12b", "11b", "10b", "9b", "8b", "7b", "6b", "5b", "4b", "3b", "2b", "1b", "13k",
    "k1", "k2", "k3", "k4", "killer",
]  # fmt: skip

# 1.4: sequentially to 13, back to 1, into 13 again, round the skull with one word a trapezoid, killer.
PATH: Final = (
    *(f"{n}f" for n in range(1, 13)), "13", *(f"{n}b" for n in range(12, 0, -1)), "13k",
    "k1", "k2", "k3", "k4", "killer",
)  # fmt: skip
STEP: Final = {target: step for step, target in enumerate(PATH)}
EARLY: Final = ("1f", "2f")  # 3.2.1: still to reach 2 forwards
GOING_FOR_KILLER: Final = "13k"
KILLER: Final = "killer"
TRAPEZOIDS: Final = ("skull1", "skull2", "skull3", "skull4")
WORDS: Final = {"k1": "I'm", "k2": "a", "k3": "killer", "k4": "diller"}
BOX_OF: Final = {target: target.rstrip("fbk") for target in PATH[: STEP["k1"]]}  # words and killer have no box
# 1.6.9: the box pairs stand side by side.
PAIR: Final = {"5": "7", "7": "5", "6": "8", "8": "6", "9": "11", "11": "9", "10": "12", "12": "10"}


def target_after(target: str) -> str:
    """Name the next target on the path."""
    return PATH[STEP[target] + 1]


def target_before(target: str) -> str | None:
    """Name the target before this one on the path, None before the first."""
    return PATH[STEP[target] - 1] if STEP[target] else None


def is_region(place: str) -> bool:
    """Tell whether a cap here lies entirely in a box or a trapezoid."""
    return place in TRAPEZOIDS or place in BOX_OF.values()
