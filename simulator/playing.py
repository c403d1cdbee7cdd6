"""A game that plays itself before a simulated camera: what a street of caps and a table of cards have in common."""

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Board, Lens, View
from linesies.device.cameras.source import Source
from linesies.simulator.pacing import Pacing
from linesies.simulator.street.set_up import averaged, rough_taps


class PlayedStage(Protocol):
    """Where a game is played: how the camera looks at it, and chance."""

    @property
    def view(self) -> View:
        """Tell how the camera looks at it."""

    def rng(self, purpose: int) -> np.random.Generator:
        """Open a stream of chance for one purpose."""


class PlayedWorld(Protocol):
    """What goes on there: its moment and its truth."""

    truth: list[dict[str, Any]]


class PublicState(Protocol):
    """What the players know of the game's state."""

    def state(self) -> dict[str, Any]:
        """Tell it as the public sees it."""


StageOf = TypeVar("StageOf", bound=PlayedStage)
WorldOf = TypeVar("WorldOf", bound=PlayedWorld)
UmpireOf = TypeVar("UmpireOf", bound=PublicState)


class SelfPlaying(Source, Generic[StageOf, WorldOf, UmpireOf]):
    """A camera over a game that plays itself; remembers the game's moment and its picture."""

    world: WorldOf
    _umpire: UmpireOf
    _game: Iterator[None]

    def __init__(self, name: str, stage: StageOf, board: Board, *, fps: float, pacing: Pacing) -> None:
        self.name = name
        self.stage = stage
        self.board = board
        self.size_px = stage.view.lens.size_px
        self.fps = fps
        self.is_live = pacing.is_live
        self._pacing = pacing
        self._is_open = True

    @property
    def lens(self) -> Lens:
        """The camera's lens, exactly."""
        return self.stage.view.lens

    @property
    def truth(self) -> list[dict[str, Any]]:
        """What has truly happened so far: what was done by hand, and what was said."""
        return self.world.truth

    @property
    def is_over(self) -> bool:
        """Whether somebody has won."""
        return self._umpire.state()["phase"] == "over"

    @property
    @abstractmethod
    def _empty_light(self) -> NDArray[np.uint8]:
        """Give the picture before anybody plays."""

    @property
    def fidgets(self) -> list[tuple[float, str]]:
        """What people did that does not count, as (second, habit)."""
        return []

    @property
    def corners_px(self) -> list[tuple[float, float]]:
        """Rough taps on the outer corners of board or mat, clockwise from its first."""
        return rough_taps(self.board, self.stage.view, self.stage.rng(2))

    @property
    def empty_bgr(self) -> NDArray[np.uint8]:
        """A picture before anybody plays, with the camera's noise averaged away over a few frames."""
        return averaged(self._empty_light, self.stage.rng(3))

    def close(self) -> None:
        """End the game; may be called twice."""
        self._is_open = False

    def _goes_on(self) -> bool:
        """Let the players act at this moment; False when they are done or nobody looks any more."""
        return self._is_open and next(self._game, True) is None
