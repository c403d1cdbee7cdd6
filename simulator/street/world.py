"""The moment of a simulated game: caps on the ground or in a hand, the hand itself, and what has truly happened."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from linesies.simulator.street.cast import Pose
from linesies.simulator.street.hand import Hand
from linesies.simulator.street.mood import CALM
from linesies.simulator.street.physics import Pavement
from linesies.simulator.street.stage import Stage
from linesies.simulator.street.truth import Truth, first_hits, place_truth
from linesies.vision import Cap

Array = NDArray[np.float64]

FPS = 60
MOVED_MM = 0.05  # less than this is no move


@dataclass(slots=True, kw_only=True)
class Flick:
    """A flick about to happen within the next frame's time."""

    player: str
    velocity_mm_s: Array
    spin_rad_s: float
    wait_s: float
    is_rolling: bool = False


class World:
    """Remembers caps, what hands and feet do, the frame's number and the truth so far."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.caps: dict[str, Cap] = {cap.player: cap for cap in stage.caps}
        self.pavement = Pavement()
        self.limbs: dict[int, Hand] = {}  # by whose they are
        self.held: dict[str, Pose] = {}  # caps in hands
        self.truth: list[Truth] = []
        self.mood = CALM
        self.visitors: list[Hand] = []  # feet and dogs
        self.drops: list[tuple[Array, float]] = []  # rain that has fallen since the last picture: where, radius
        self.frame = 0
        self._flick: Flick | None = None
        self._before: dict[str, Array] = {}

    @property
    def hands(self) -> tuple[Hand, ...]:
        """What comes between the camera and the board."""
        return (*self.visitors, *self.limbs.values())

    @property
    def t_s(self) -> float:
        """The time of the frame that shows this moment."""
        return self.frame / FPS

    def tick(self) -> None:
        """Let a frame's time pass."""
        left_s = 1 / FPS
        if self._flick is not None:
            flick, self._flick = self._flick, None
            self.pavement.wait(flick.wait_s)
            left_s -= flick.wait_s
            self.pavement.flick(flick.player, flick.velocity_mm_s, flick.spin_rad_s, is_rolling=flick.is_rolling)
        self.pavement.wait(left_s)
        self.frame += 1
        self.pavement.t_s = self.t_s

    def put(self, player: str, xy_mm: Array) -> None:
        """Lay a cap down."""
        self.held.pop(player, None)
        self.pavement.put(player, xy_mm, self.caps[player].diameter_mm)

    def lift(self, player: str) -> Array:
        """Take a cap off the ground; tells where it lay."""
        xy_mm = self.pavement.xy_mm(player)
        self.pavement.take(player)
        return xy_mm

    def flick(self, flick: Flick) -> None:
        """Let a shot happen in the next frame's time."""
        self._before = {p: self.pavement.xy_mm(p) for p in self.pavement.players}
        self._flick = flick

    @property
    def is_at_rest(self) -> bool:
        """Whether no cap slides, or is about to."""
        return self._flick is None and self.pavement.is_at_rest

    def shot_truth(self, player: str, kind: str | None = None) -> Truth:
        """Tell what the last flick truly did, once all is at rest; `kind` is what it was meant to try."""
        slide = self.pavement.slide
        hits = first_hits(player, [touch.players for touch in slide.touches])
        rest = {}
        for p, before in self._before.items():
            moved_mm = float(np.hypot(*(self.pavement.xy_mm(p) - before)))
            if moved_mm > MOVED_MM or p == player:
                place = self.place(p)
                rest[p] = {**place, "moved": round(moved_mm, 2)}
        return {
            "event": "shot",
            "kind": kind or ("hit" if len(hits) == 1 else "chain" if hits else "plain"),
            "player": player,
            "t_start": round(slide.moved_s[player], 4),
            "t_end": round(slide.still_s, 4),
            "hits": hits,
            "rest": rest,
        }

    def place(self, player: str) -> Truth:
        """Tell where a cap lies."""
        return place_truth(self.stage.truth, self.caps[player], self.pavement.xy_mm(player))
