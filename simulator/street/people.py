"""The people of a simulated game: they wait, shoot, place their caps, become killers and win, by the rules."""

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from linesies.simulator.street.aim import WORDS, choose_skill, middle, velocity_for, wanted
from linesies.simulator.street.fidgets import StreetFidgets
from linesies.simulator.street.gestures import place, point, shoot, take_away, wait
from linesies.simulator.street.truth import Truth
from linesies.simulator.street.world import World

Array = NDArray[np.float64]
Frames = Iterator[None]

STILL_S = 1.0  # before anybody moves
SETTLED_S = 0.7  # people wait this long after a shot before they reach in
OUTSIDE = (0.035, 0.025, 0.018)  # of the board's size from its border, a cap is put back where it is in the picture
HAND = 0.07  # of the board's size is a hand's breadth
POINTS_AT = 0.06  # how often somebody points at something between shots
FORGOTTEN_S = 3600.0  # how long the board is left alone after a game


class Umpire(Protocol):
    """Who tells the players how the game stands."""

    def state(self) -> dict[str, Any]:
        """Tell the public state."""
        ...

    def lies_mm(self) -> dict[str, tuple[float, float]]:
        """Tell where caps were last called to lie."""
        ...

    def tell(self, truth: Truth) -> Frames:
        """Wait until what happened has been ruled on."""
        ...

    def say(self, event: dict[str, Any]) -> Frames:
        """Wait until what a player says has been taken."""
        ...

    def dismiss(self) -> Frames:
        """Say of whatever is asked or ruled on now that it was nothing."""
        ...


class People:
    """Remembers each player's skill and where caps lay before the last shot."""

    def __init__(self, world: World, umpire: Umpire, rng: np.random.Generator, pace: float = 1.0) -> None:
        self._world = world
        self._umpire = umpire
        self._rng = rng
        self._pace = pace
        self._skills = {player: choose_skill(rng) for player in world.caps}
        self._lay: dict[str, Array] = {}
        self.fidgets = StreetFidgets(world, world.stage.rng(7))

    def play(self) -> Frames:
        """Play a game to its winner, a frame at a time."""
        self._take_positions()
        yield from wait(STILL_S)
        while (state := self._umpire.state())["phase"] != "over":
            yield from wait(float(self._rng.uniform(0.1, 0.5)) / self._pace)
            if state["phase"] == "shoot" and self.fidgets.rng.random() < self._world.stage.fidget:
                yield from self.fidgets.fidget()
                yield from self._umpire.dismiss()
            elif state["phase"] == "choice":
                yield from self._choose(state)
            elif state["phase"] == "place":
                yield from self._place(state)
            elif state["phase"] == "shoot":  # while play is paused, people wait
                yield from self._turn(state)
        yield from wait(FORGOTTEN_S)

    def _take_positions(self) -> None:
        """Lay the caps behind the start line, or where they lay in a game that was broken off."""
        lay_mm = self._umpire.lies_mm()
        for player in self._umpire.state()["players"]:
            name, at = player["name"], player["at"]
            if at == "start" or (name in lay_mm and at not in ("out", "hand", "town")):
                self._world.put(
                    name, self._start_mm(name) if at == "start" else self._clear_of(name, np.array(lay_mm[name]))
                )

    def _turn(self, state: dict[str, Any]) -> Frames:
        player = state["turn"]
        if self._rng.random() < POINTS_AT:
            yield from point(self._world, self._somewhere(), self._rng)
        yield from self._come_to_shoot(player, next(p for p in state["players"] if p["name"] == player))
        others = [p for p in state["players"] if p["name"] != player]
        me = next(p for p in state["players"] if p["name"] == player)
        self._lay = {p: self._world.pavement.xy_mm(p) for p in self._world.pavement.players}
        aim_mm, past_mm = wanted(me, others, self._lay, self._world.stage.painted.board, self._rng)
        velocity = velocity_for(self._lay[player], aim_mm, past_mm, self._skills[player], self._rng)
        yield from shoot(self._world, player, self.fidgets.slipped(velocity), self._rng)
        yield from wait(SETTLED_S)
        yield from self._umpire.tell(self._world.truth[-1])
        yield from self._bring_back()
        yield from self._go_out_of_town()

    def _come_to_shoot(self, player: str, me: dict[str, Any]) -> Frames:
        """Bring the cap to where it may be shot from, if it is elsewhere."""
        world = self._world
        if me["at"] == "start":
            if player not in world.pavement.players or world.pavement.xy_mm(player)[1] > -0.05 * self._size:
                yield from self._put(player, self._start_mm(player))
        elif player not in world.pavement.players:
            yield from self._put(player, self._edge_mm())

    def _place(self, state: dict[str, Any]) -> Frames:
        """Place the cap that is due in its box, towards what comes next."""
        due = next(a for a in state["awaiting"] if a["what"] == "place")
        me = next(p for p in state["players"] if p["name"] == due["player"])
        spot = self._free_spot(due["player"], due["box"], me["going_for"])
        yield from self._put(due["player"], spot)
        yield from wait(SETTLED_S)
        yield from self._umpire.tell({**self._world.truth[-1], "of": due["box"]})

    def _choose(self, state: dict[str, Any]) -> Frames:
        """Stay where an early hit sent one, or go back."""
        due = next(a for a in state["awaiting"] if a["what"] == "choice")
        player = due["player"]
        choice = "stay" if self._rng.random() < 0.5 or player not in self._lay else "back"
        yield from self._umpire.say({"event": "choice", "player": player, "choice": choice})
        if choice == "back":
            yield from self._put(player, self._clear_of(player, self._lay[player]))

    def _bring_back(self) -> Frames:
        """Put caps that flew out of the picture where it begins: people know what the camera sees, and play there."""
        for name in [
            p for p in self._world.pavement.players if not self._is_well_in_view(self._world.pavement.xy_mm(p))
        ]:
            yield from self._put(name, self._edge_mm(self._world.pavement.xy_mm(name)))

    def _is_well_in_view(self, xy_mm: Array) -> bool:
        return self._world.stage.view.is_in_picture(1.02 * xy_mm - 0.01 * self._size)

    def _go_out_of_town(self) -> Frames:
        """Let a new killer take the cap far off the board, and whoever is out of the game take it home."""
        for player in self._umpire.state()["players"]:
            name = player["name"]
            if name not in self._world.pavement.players:
                continue
            if player["at"] == "out":
                yield from take_away(self._world, name, self._rng)
            elif player["at"] == "town" and self._out_mm(self._world.pavement.xy_mm(name)) < 0.05 * self._size:
                yield from self._put(name, self._town_mm())

    def _put(self, player: str, xy_mm: Array) -> Frames:
        yield from place(self._world, player, xy_mm, self._rng)
        yield from wait(0.3)

    @property
    def _size(self) -> float:
        return self._world.stage.painted.board.size_mm[0]

    def _start_mm(self, player: str) -> Array:
        """Each player's place behind the start line."""
        board = self._world.stage.painted.board
        assert board.start_line_mm is not None
        left, right = board.start_line_mm
        i = list(self._world.caps).index(player)
        share = (i + 0.5) / len(self._world.caps)
        return left + share * (right - left) + np.array([0.0, -0.018 * self._size - (i % 2) * 0.022 * self._size])

    def _edge_mm(self, from_mm: Array | None = None) -> Array:
        """Find a free place just outside the border, a hand's breadth from a point: nearer, it would be a touch."""
        near = self._rng.uniform(0, self._size, 2) if from_mm is None else from_mm
        towards_middle = HAND * self._size * np.where(near < self._size / 2, 1.0, -1.0)
        spot = np.clip(near + towards_middle, 0.15 * self._size, 0.85 * self._size)
        side = int(np.argmax(np.abs(near - self._size / 2)))
        for outside in OUTSIDE:
            spot[side] = -outside * self._size if near[side] < self._size / 2 else (1 + outside) * self._size
            if self._is_well_in_view(spot):
                break
        return self._clear_of("", spot)

    def _out_mm(self, xy_mm: Array) -> float:
        """How far a point is outside the border."""
        return float(np.max(np.maximum(-xy_mm, xy_mm - self._size)))

    def _town_mm(self) -> Array:
        """Find the farthest from the board of some chance places in the picture."""
        tried = self._rng.uniform(-0.5, 1.5, (40, 2)) * self._size
        seen = [xy for xy in tried if self._world.stage.view.is_in_picture(xy * 1.04 - 0.02 * self._size)]
        return self._clear_of("", max([*seen, self._edge_mm()], key=self._out_mm))

    def _free_spot(self, player: str, box: str, going_for: str) -> Array:
        """Find a place in a box, on the side towards the next target, clear of lines and of other caps."""
        board = self._world.stage.painted.board
        centre = middle(board, box)
        aim = middle(board, WORDS.get(going_for, going_for.rstrip("fbk"))) if going_for != "killer" else centre
        way = (aim - centre) / max(float(np.hypot(*(aim - centre))), 1.0)
        room = 0.028 * self._size if box.startswith("skull") else 0.045 * self._size
        spot = centre + self._rng.uniform(0.2, 1.0) * room * way + self._rng.normal(0, 0.2 * room, 2)
        return self._clear_of(player, spot)

    def _clear_of(self, player: str, spot: Array) -> Array:
        """Find the nearest free place to a spot, tried round it in growing circles."""
        others = [p for p in self._world.pavement.players if p != player]
        for i in range(60):
            tried = spot + 0.006 * self._size * np.sqrt(i) * np.array([np.cos(2.4 * i), np.sin(2.4 * i)])
            if all(np.hypot(*(self._world.pavement.xy_mm(p) - tried)) > 45 for p in others):
                return np.asarray(tried, float)
        return spot

    def _somewhere(self) -> Array:
        return self._rng.uniform(0.1, 0.9, 2) * self._size
