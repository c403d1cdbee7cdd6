"""What people do at a card table besides playing: they look, straighten, turn, push, show and err. None of it counts.

Each habit is done where the game leaves room for it, and is undone by whoever did it; what the referee asks meanwhile
was nothing, and what he rules on is objected to.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from linesies.simulator.cards.die import Thrown
from linesies.simulator.cards.gestures import (
    Arm,
    arm_of,
    carry,
    lay,
    lay_together,
    pick_up,
    put_down,
    reach_in,
    take_off,
    throw,
    wait,
)
from linesies.simulator.cards.glass import DRINKS, Glass
from linesies.simulator.cards.paper import Lie
from linesies.simulator.cards.world import PHONE, Lying, TableWorld

Array = NDArray[np.float64]
Frames = Iterator[None]
Public = dict[str, Any]

SETTLED_S = 0.8  # rest after a fidget, until cards are looked at; by hand
LOOK_S = (0.2, 1.5)  # how long a card is looked at
WITH_CARDS = 0.7  # how often it is a card that is fidgeted with, where there is one
BESIDE_THE_CARDS = ("reach across", "elbow", "phone put down", "glass put down")
NOTICED_S = (0.8, 1.6)  # how long a card lies that should not
APART_MM = 6.0  # how far two cards laid in one movement lie beside each other
STAY_S = (1.0, 3.0)  # how long a thing or an elbow stays


class FidgetyTable(Protocol):
    """What of the people at a table their habits need."""

    def hand(self, player: str) -> Sequence[str]:
        """Name cards that a player may hold."""
        ...

    def place_mm(self, zone: str, player: str) -> Array:
        """Tell where a player would lay a card in a zone."""
        ...


class CardFidgets:
    """Remembers the table and what was done so far, as (second, habit), to tell which habit misleads a referee."""

    def __init__(self, world: TableWorld, table: FidgetyTable, rng: np.random.Generator) -> None:
        self._world = world
        self._table = table
        self._rng = rng
        self.done: list[tuple[float, str]] = []
        self._habits: dict[str, Callable[[Public], Frames | None]] = {
            "peek": self._peek,
            "straighten": lambda state: self._move(state, 5.0, 0.15),
            "turn": lambda state: self._move(state, 2.0, np.pi / 2),
            "push": lambda state: self._move(state, 28.0, 0.1),
            "take back": self._take_back,
            "straighten another's": lambda state: self._move(state, 5.0, 0.15, is_anothers=True),
            "wrong player": self._wrong_player,
            "wrong pile": self._wrong_pile,
            "two at once": self._two_at_once,
            "shown by mistake": self._shown,
            "reach across": self._reach_across,
            "elbow": self._elbow,
            "phone put down": self._phone,
            "glass put down": self._glass,
            "die off its place": self._die_off,
        }

    def fidget(self, state: Public) -> Frames:
        """Do one thing that leaves the game as it was."""
        names = [str(name) for name in self._rng.permutation(list(self._habits))]
        if self._rng.random() < WITH_CARDS:
            names.sort(key=lambda name: name in BESIDE_THE_CARDS)
        for name in names:
            doing = self._habits[name](state)
            if doing is not None:
                self.done.append((self._world.t_s, name))
                told = len(self._world.truth)
                yield from doing
                del self._world.truth[told:]  # nothing truly happened
                yield from wait(SETTLED_S)
                return

    def _own_tops(self) -> list[tuple[str, Lying]]:
        """List the uppermost card of each pile with the player before whom, or by whom, it lies."""
        tops: list[tuple[str, Lying]] = []
        cards = list(self._world.cards.values())
        for i, card in enumerate(cards):
            is_covered = any(_distance(card, above) < 80 for above in cards[i + 1 :])
            if is_covered or card.zone in ("draw", ""):
                continue
            owner = card.zone.removeprefix("seat:")
            players = self._world.stage.players
            tops.append((owner if owner in players else str(self._rng.choice(players)), card))
        return tops

    def _any_top(self) -> tuple[str, Lying] | None:
        tops = self._own_tops()
        return tops[int(self._rng.integers(len(tops)))] if tops else None

    def _arm(self, player: str) -> Arm:
        return arm_of(self._world, player, self._rng)

    def _beside(self, lie: Lie, far_mm: float, turn_rad: float) -> Lie:
        """Lay a card off where it lay, so far as a rule, but still in its place."""
        way = self._rng.uniform(0, 2 * np.pi)
        off = abs(self._rng.normal(far_mm, 0.3 * far_mm)) * np.array([np.cos(way), np.sin(way)])
        turned = turn_rad * float(self._rng.choice([-1, 1]))
        return replace(lie, xy_mm=lie.xy_mm + off, angle_rad=lie.angle_rad + turned)

    def _fits(self, card: Lying, lie: Lie) -> bool:
        """Tell whether a card may lie so: in its zone, and where no other card of the trick is covered by it."""
        region = self._world.stage.board.region(card.zone)
        if region is None:
            return False
        low, high = region.polygon_mm.min(axis=0) + 8, region.polygon_mm.max(axis=0) - 8
        return bool(((lie.xy_mm > low) & (lie.xy_mm < high)).all())

    def _move(self, _state: Public, far_mm: float, turn_rad: float, *, is_anothers: bool = False) -> Frames | None:
        found = self._any_top()
        if found is None:
            return None
        player, card = found
        if self._world.stage.game == "skipbo":
            far_mm, turn_rad = min(far_mm, 8.0), min(turn_rad, 0.2)  # piles lie side by side
        lie = self._beside(card.lie, far_mm, turn_rad)
        if not self._fits(card, lie):
            return None
        others = [name for name in self._world.stage.players if name != player]
        hand = str(self._rng.choice(others)) if is_anothers else player
        return carry(self._world, self._arm(hand), card, card.zone, lie)

    def _peek(self, _state: Public) -> Frames | None:
        """Lift a card a little towards oneself, look, and put it back a few millimetres off."""
        found = self._any_top()
        return None if found is None else self._lift(*found, seconds=float(self._rng.uniform(*LOOK_S)), far_mm=8.0)

    def _take_back(self, _state: Public) -> Frames | None:
        """Take a card back into the hand, think, and lay it there again."""
        found = self._any_top()
        return None if found is None else self._lift(*found, seconds=float(self._rng.uniform(1.5, 3.5)), far_mm=4.0)

    def _lift(self, player: str, card: Lying, *, seconds: float, far_mm: float) -> Frames:
        arm = self._arm(player)
        lie = self._beside(card.lie, far_mm, 0.1)
        yield from take_off(self._world, arm, card)
        yield from wait(seconds)
        lie = lie if self._fits(card, lie) else card.lie
        yield from lay(self._world, arm, card.name, card.zone, lie, is_up=card.is_up)

    def _wrong_player(self, state: Public) -> Frames | None:
        """Lay a card though it is another's turn, hear that, and take it back."""
        game, due = self._world.stage.game, state.get("out_of_turn") or state.get("turn")
        others = [name for name in self._world.stage.players if name != due and self._table.hand(name)]
        wanted = {"skull": ("place", "bid", "reveal"), "skull_king": ("play",), "skipbo": ("play",)}[game]
        if state["phase"] not in wanted or due not in self._world.stage.players or not others:
            return None
        player = str(self._rng.choice(others))
        zone = "trick" if game == "skull_king" else f"seat:{player}"
        return self._lay_and_take_back(player, zone, is_up=game != "skull")

    def _wrong_pile(self, state: Public) -> Frames | None:
        """Lay a card onto a building pile where it does not belong, and take it back."""
        if self._world.stage.game != "skipbo" or state["phase"] != "play" or not state["turn"]:
            return None
        player = str(state["out_of_turn"] or state["turn"])
        pile = int(self._rng.integers(4))
        top = state["building"][pile]["top"]
        wrong = [c for c in self._table.hand(player) if c != "SB" and (int(c) - top - 1) % 12 not in (0, 1, 11)]
        if not wrong:
            return None
        return self._lay_and_take_back(player, f"pile{pile + 1}", is_up=True, card=wrong[0])

    def _shown(self, state: Public) -> Frames | None:
        """Drop a card face up by mistake in Skull, and take it back."""
        if self._world.stage.game != "skull" or state["phase"] not in ("first", "place", "bid"):
            return None
        players = [name for name in self._world.stage.players if self._table.hand(name)]
        if not players:
            return None
        player = str(self._rng.choice(players))
        return self._lay_and_take_back(player, f"seat:{player}", is_up=True)

    def _two_at_once(self, state: Public) -> Frames | None:
        """Lay two cards in one movement where one is due, hear that, and take both back."""
        game = self._world.stage.game
        due = str(state.get("out_of_turn") or state.get("turn"))
        wanted = {"skull": ("place",), "skull_king": ("play",), "skipbo": ("play",)}[game]
        if state["phase"] not in wanted or due not in self._world.stage.players or len(self._table.hand(due)) < 2:
            return None
        zone = "trick" if game == "skull_king" else f"seat:{due}"
        names = [str(name) for name in self._rng.permutation(list(self._table.hand(due)))[:2]]
        return self._lay_two_and_take_back(due, zone, names)

    def _lay_two_and_take_back(self, player: str, zone: str, names: Sequence[str]) -> Frames:
        spot = self._table.place_mm(zone, player)
        cards = [(name, self._by_hand(spot + self._rng.normal(0, APART_MM, 2))) for name in names]
        yield from lay_together(self._world, self._arm(player), cards, zone, is_up=self._world.stage.game != "skull")
        yield from wait(float(self._rng.uniform(*NOTICED_S)))
        for _ in names:
            yield from take_off(self._world, self._arm(player), self._world.in_zone(zone)[-1])

    def _by_hand(self, xy_mm: Array) -> Lie:
        return Lie(xy_mm=xy_mm, angle_rad=float(self._rng.normal(0, 0.1)), curl_mm=1.0)

    def _lay_and_take_back(self, player: str, zone: str, *, is_up: bool, card: str | None = None) -> Frames:
        arm = self._arm(player)
        name = card or str(self._rng.choice(list(self._table.hand(player))))
        lie = self._by_hand(self._table.place_mm(zone, player) + self._rng.normal(0, 4.0, 2))
        yield from lay(self._world, arm, name, zone, lie, is_up=is_up)
        yield from wait(float(self._rng.uniform(*NOTICED_S)))
        yield from take_off(self._world, self._arm(player), self._world.in_zone(zone)[-1])

    def _reach_across(self, _state: Public) -> Frames:
        """Reach over the table, as for a glass."""
        return reach_in(self._world, self._arm(self._somebody()), self._somewhere(), float(self._rng.uniform(0.1, 0.6)))

    def _elbow(self, _state: Public) -> Frames:
        """Rest an arm on the table for a while."""
        return reach_in(self._world, self._arm(self._somebody()), self._somewhere(), float(self._rng.uniform(*STAY_S)))

    def _phone(self, _state: Public) -> Frames | None:
        """Put a phone down on the mat, and take it up again."""
        player, spot = self._somebody(), self._somewhere()
        if not self._is_free(spot, 150.0):
            return None
        arm = self._arm(player)
        lie = Lie(xy_mm=spot, angle_rad=float(self._rng.uniform(0, np.pi)), curl_mm=0.0)
        return self._put_and_take_up(arm, lie)

    def _glass(self, _state: Public) -> Frames | None:
        """Put a glass down on the mat, and take it up again."""
        player, spot = self._somebody(), self._somewhere()
        if not self._is_free(spot, 110.0):
            return None
        glass = Glass(xy_mm=spot, drink=int(self._rng.integers(len(DRINKS))))
        return self._stand_and_take_up(self._arm(player), glass)

    def _stand_and_take_up(self, arm: Arm, glass: Glass) -> Frames:
        yield from put_down(self._world, arm, glass)
        yield from wait(float(self._rng.uniform(*STAY_S)))
        yield from pick_up(self._world, arm)

    def _is_free(self, spot_mm: Array, room_mm: float) -> bool:
        """Tell whether no card lies near a spot."""
        return all(np.hypot(*(card.lie.xy_mm - spot_mm)) >= room_mm for card in self._world.cards.values())

    def _put_and_take_up(self, arm: Arm, lie: Lie) -> Frames:
        yield from lay(self._world, arm, PHONE, "", lie, is_up=True)
        yield from wait(float(self._rng.uniform(*STAY_S)))
        yield from take_off(self._world, arm, self._world.in_zone("")[-1])

    def _die_off(self, state: Public) -> Frames | None:
        """Throw the die off its place; it does not count and lies there until it is thrown again."""
        if self._world.stage.game != "skipbo" or state["phase"] != "play" or state["die"]["face"] is not None:
            return None
        player = str(state["out_of_turn"] or state["turn"])
        off = self._world.middle_mm("die") + np.array([0.0, float(self._rng.choice([-1, 1])) * 140.0])
        rest = Thrown(face="SB", xy_mm=off, angle_rad=float(self._rng.uniform(0, 6)))
        return throw(self._world, self._arm(player), ["1-4", "SB"], rest)

    def _somebody(self) -> str:
        return str(self._rng.choice(self._world.stage.players))

    def _somewhere(self) -> Array:
        return np.asarray(self._rng.uniform(0.15, 0.85, 2) * self._world.stage.board.size_mm, float)


def _distance(card: Lying, other: Lying) -> float:
    return float(np.hypot(*(card.lie.xy_mm - other.lie.xy_mm)))
