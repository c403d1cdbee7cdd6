"""The simulated card table as a camera source: the picture of a game that plays itself, and its truth."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linesies.simulator.cards.canvas import TableCanvas
from linesies.simulator.cards.die import Thrown
from linesies.simulator.cards.glass import Glass
from linesies.simulator.cards.people import TablePeople, TableUmpire
from linesies.simulator.cards.stage import FPS, TableStage, TableWishes, set_table
from linesies.simulator.cards.umpire import card_event
from linesies.simulator.cards.world import TableWorld
from linesies.simulator.pacing import Pacing, Speed
from linesies.simulator.playing import SelfPlaying
from linesies.simulator.umpire import RulesUmpire
from linesies.vision import Frame


class SimulatedTable(SelfPlaying[TableStage, TableWorld, TableUmpire]):
    """A camera over a card game that plays itself; remembers the game's moment and its picture.

    `speed` 1.0 keeps real time and leaves out frames that nobody takes; "max" is as fast as the frames are taken.
    """

    def __init__(
        self,
        wishes: TableWishes,
        *,
        umpire: TableUmpire | None = None,
        speed: Speed = "max",
        pace: float = 1.0,
    ) -> None:
        stage = set_table(wishes)
        name = f"sim:{wishes.game.replace('_', '-')}?seed={wishes.seed}"
        super().__init__(name, stage, stage.board, fps=float(wishes.fps), pacing=Pacing(speed, FPS))
        self._every = FPS // wishes.fps
        self.world = TableWorld(self.stage)
        self._umpire = umpire or RulesUmpire(self.start, card_event)
        self._people = TablePeople(self.world, self._umpire, self.start, pace)
        self._game = self._people.play()
        self._shown: set[int] = set()
        self._solids: tuple[Thrown | Glass | None, ...] = ()  # as shown
        self._layers = 0  # of those

    @property
    def start(self) -> dict[str, Any]:
        """The game's start event."""
        game, players = self.stage.game, list(self.stage.players)
        return {"event": "start", "game": game, "players": players, "options": dict(self.stage.options)}

    @property
    def fidgets(self) -> list[tuple[float, str]]:
        """What people did besides playing, as (second, habit)."""
        return self._people.fidgets.done

    def frames(self) -> Iterator[Frame]:
        """Yield the game's pictures for as long as they are asked for."""
        canvas, _ = self._drawn
        while self._goes_on():
            if self.world.frame % self._every == 0 and self._pacing.is_in_time(self.world.frame):
                self._settle(canvas)
                planes = canvas.frame(self.world.held, tuple(self.world.hands.values()))
                number = self.world.frame // self._every
                yield Frame.from_yuv420(planes, number=number, t_s=self.world.t_s, is_full_range=True)
            self.world.tick()

    def play(self) -> Iterator[float]:
        """Let the game pass without pictures; yields the time in seconds."""
        while self._goes_on():
            yield self.world.t_s
            self.world.tick()

    @cached_property
    def _drawn(self) -> tuple[TableCanvas, NDArray[np.uint8]]:
        """The canvas, and the picture of the empty table that it began with."""
        stage = self.stage
        canvas = TableCanvas(stage.table_light, stage.ground_mm, stage.view, stage.light, stage.rng(4))
        return canvas, canvas.picture()

    @property
    def _empty_light(self) -> NDArray[np.uint8]:
        return self._drawn[1]

    def _settle(self, canvas: TableCanvas) -> None:
        """Bring what lies still up to date."""
        gone = list(self._shown - set(self.world.cards))
        come = {
            number: (self.world.sheet(card.name, is_up=card.is_up), card.lie)
            for number, card in self.world.cards.items()
            if number not in self._shown
        }
        self._shown = set(self.world.cards)
        solids = (self.world.die, self.world.glass)
        if solids != self._solids:
            gone += [-1 - i for i in range(self._layers)]
            layers = [layer for one in solids if one is not None for layer in one.layers()]
            come |= {-1 - i: layer for i, layer in enumerate(layers)}
            self._solids, self._layers = solids, len(layers)
        canvas.change(gone, come)
