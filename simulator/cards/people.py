"""The people at a simulated card table: they do by hand what their game asks for, and say the rest."""

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from linesies.simulator.bots.skipbo import FACES, SkipBoBot
from linesies.simulator.bots.skull import SkullBot
from linesies.simulator.bots.skull_king import SkullKingBot
from linesies.simulator.cards.die import Thrown
from linesies.simulator.cards.fidgets import CardFidgets
from linesies.simulator.cards.gestures import Arm, arm_of, carry, flip, lay, reach_in, sweep, throw, wait
from linesies.simulator.cards.paper import Lie
from linesies.simulator.cards.world import TableWorld, Truth

Array = NDArray[np.float64]
Frames = Iterator[None]
Event = dict[str, Any]
Bot = SkullBot | SkullKingBot | SkipBoBot

STILL_S = 1.0  # before anybody moves
SETTLED_S = 0.7  # people wait so long after a hand has gone
REACHES_IN = 0.06  # how often somebody comes in between and does nothing
FORGOTTEN_S = 3600.0
BESIDE_MM = 74.0  # from a pile to the cards that were turned over
CURL_MM = 2.5
DIE_SPREAD_MM = (26.0, 40.0)  # where in its place the die comes to rest


class TableUmpire(Protocol):
    """Who tells the players how the game stands."""

    def state(self) -> dict[str, Any]:
        """Tell the public state."""
        ...

    def tell(self, truth: Truth) -> Frames:
        """Wait until what happened has been ruled on."""
        ...

    def say(self, event: Event) -> Frames:
        """Wait until what a player says has been taken."""
        ...

    def dismiss(self) -> Frames:
        """Say of whatever is asked or ruled on now that it was nothing."""
        ...


class TablePeople:
    """Remembers the bots' hands and where each player's piles lie."""

    def __init__(self, world: TableWorld, umpire: TableUmpire, start: Event, pace: float = 1.0) -> None:
        self._world = world
        self._umpire = umpire
        self._rng = world.stage.rng(1)
        self._pace = pace
        bots: dict[str, type[Bot]] = {"skull": SkullBot, "skull_king": SkullKingBot, "skipbo": SkipBoBot}
        self._bot = bots[world.stage.game](start["options"], Random(world.stage.seed))  # noqa: S311 - play, no secret
        self._acts = {
            "placed": self._place,
            "flip": self._flip,
            "play": self._play if world.stage.game == "skull_king" else self._build,
            "discard": self._discard,
            "turn_up": self._turn_up,
            "roll": self._roll,
        }
        self._spots: dict[str, tuple[Array, float]] = {}
        self._agreed = start["options"]
        self.fidgets = CardFidgets(world, self, world.stage.rng(6))

    def play(self) -> Frames:
        """Play a game to its winner, a frame at a time."""
        self._lay_stocks()
        yield from wait(STILL_S)
        while (state := self._umpire.state())["phase"] != "over":
            yield from wait(float(self._rng.uniform(0.1, 0.6)) / self._pace)
            yield from self._clear_up(state)
            if self._rng.random() < REACHES_IN:
                yield from self._reach_in()
            if self._rng.random() < self._world.stage.fidget:
                yield from self.fidgets.fidget(state)
                yield from self._umpire.dismiss()
                continue
            event = self._bot.event(state)
            act = self._acts.get(event["event"])
            if act is None:
                self._world.truth.append({"t": round(self._world.t_s, 3), **event})
                yield from self._umpire.say(event)
                if event["event"] == "next_game":
                    self._lay_stocks()
            else:
                yield from act(event)
        yield from wait(SETTLED_S)
        yield from self._clear_up(self._umpire.state())
        yield from wait(FORGOTTEN_S)

    def hand(self, player: str) -> Sequence[str]:
        """Name the cards that a player holds."""
        if isinstance(self._bot, SkullBot):
            held = Counter(self._bot.owned.get(player, ())) - Counter(self._bot.piles.get(player, ()))
            return list(held.elements())
        return self._bot.hands.get(player, ())

    def place_mm(self, zone: str, player: str) -> Array:
        """Tell where a player would lay a card in a zone."""
        if self._world.stage.game == "skipbo" and zone == f"seat:{player}":
            return self._place_mm(player, int(self._rng.integers(1, 5)))
        if self._world.stage.game == "skull":
            return self._spot(zone)[0]
        return self._world.middle_mm(zone)

    def _lay_stocks(self) -> None:
        """Let face-down piles lie ready where the game has them: stocks, and what is drawn from."""
        if self._world.stage.game != "skipbo":
            return
        spots = [(f"seat:{player}", self._place_mm(player, 0)) for player in self._world.stage.players]
        for zone, spot in [*spots, ("draw", self._world.middle_mm("draw"))]:
            for _ in range(3):
                self._world.put("1", zone, self._lie(spot, 0.0, 0.8), is_up=False)

    def _done(self, event: Event, zone: str) -> Frames:
        """Complete the truth of the last gesture and wait for the ruling on it."""
        times = self._world.truth.pop()
        self._world.truth.append({**times, **event, "zone": zone})
        yield from wait(SETTLED_S / self._pace)
        yield from self._umpire.tell(self._world.truth[-1])

    def _arm(self, player: str) -> Arm:
        return arm_of(self._world, player, self._rng)

    def _lie(self, xy_mm: Array, angle_rad: float, spread_mm: float = 4.0) -> Lie:
        return Lie(
            xy_mm=xy_mm + self._rng.normal(0, spread_mm, 2),
            angle_rad=angle_rad + float(self._rng.normal(0, 0.08)),
            curl_mm=float(self._rng.uniform(0, CURL_MM)),
        )

    def _place(self, event: Event) -> Frames:
        """Lay a card face down on one's pile."""
        player = event["player"]
        zone = f"seat:{player}"
        xy, angle = self._spot(zone)
        assert isinstance(self._bot, SkullBot)  # only there are cards laid face down
        card = self._bot.piles[player][-1]
        yield from lay(self._world, self._arm(player), card, zone, self._lie(xy, angle), is_up=False)
        pile = sum(not lying.is_up for lying in self._world.in_zone(zone))
        yield from self._done({**event, "pile": pile}, zone)

    def _flip(self, event: Event) -> Frames:
        """Turn over the top card of a pile and lay it beside."""
        zone = f"seat:{event['owner']}"
        top = [card for card in self._world.in_zone(zone) if not card.is_up][-1]
        is_right = self._spot(zone)[0][0] < self._world.middle_mm(zone)[0]
        flipped = sum(card.is_up for card in self._world.in_zone(zone))
        beside = self._spot(zone)[0] + [(BESIDE_MM + 14 * flipped) * (1 if is_right else -1), 0.0]
        lie = self._lie(beside, float(self._rng.normal(0, 0.15)), 3.0)
        yield from flip(self._world, self._arm(event["player"]), top, lie)
        yield from self._done(event, zone)

    def _play(self, event: Event) -> Frames:
        """Play a card face up to the trick."""
        player = event["player"] if event["player"] in self._world.stage.players else self._world.stage.players[0]
        names = [*self._world.stage.players]
        share = (len(self._world.in_zone("trick")) + 0.5) / len(names) - 0.5
        spot = self._world.middle_mm("trick") + np.array(
            [share * min(76.0 * len(names), 460.0), self._rng.normal(0, 12.0)]
        )
        lie = self._lie(spot, float(self._rng.normal(0, 0.25)))
        before = self._umpire.state()["trick"]  # read now: the card may be ruled on before the hand has gone
        yield from lay(self._world, self._arm(player), event["card"], "trick", lie, is_up=True)
        yield from self._done(event, "trick")
        after = self._umpire.state()
        if after["trick"] != before or not after["table"]:
            yield from wait(0.5 / self._pace)
            winner = after["leader"] if after["leader"] in names else player
            yield from sweep(self._world, self._arm(winner), "trick")

    def _turn_up(self, event: Event) -> Frames:
        """Turn up the top of a stock; there the whole stock is one card thick."""
        zone = f"seat:{event['player']}"
        lie = self._lie(self._place_mm(event["player"], 0), 0.0, 1.5)
        for card in [card for card in self._stock(event["player"]) if card.is_up]:
            self._world.take(card.number)
        yield from lay(self._world, self._arm(event["player"]), event["card"], zone, lie, is_up=True)
        times = self._world.truth.pop()
        self._world.truth.append({"t": times["t"], **event})
        yield from wait(SETTLED_S / self._pace)
        yield from self._umpire.say(event)

    def _build(self, event: Event) -> Frames:
        """Play a card from hand, stock or a discard pile to a building pile."""
        zone, owner = f"pile{event['pile']}", str(event.get("owner", event["player"]))
        lie = self._lie(self._world.middle_mm(zone), 0.0, 2.5)
        before = self._umpire.state()["completed"]  # until this card lies
        if event["from"] == "hand":
            yield from lay(self._world, self._arm(event["player"]), event["card"], zone, lie, is_up=True)
        else:
            number = 0 if event["from"] == "stock" else event["n"]
            top = self._pile(owner, number)[-1]
            yield from carry(self._world, self._arm(event["player"]), top, zone, lie)
        yield from self._done(event, zone)
        after = self._umpire.state()
        if after["completed"] != before and not after["building"][event["pile"] - 1]["top"]:
            yield from sweep(self._world, self._arm(event["player"]), zone)

    def _discard(self, event: Event) -> Frames:
        """Lay a card from the hand onto one of one's discard piles."""
        zone = f"seat:{event['player']}"
        lie = self._lie(self._place_mm(event["player"], event["pile"]), 0.0, 2.5)
        yield from lay(self._world, self._arm(event["player"]), event["card"], zone, lie, is_up=True)
        yield from self._done(event, zone)

    def _roll(self, event: Event) -> Frames:
        """Throw the die into its place."""
        rest = Thrown(
            face=event["face"],
            xy_mm=self._world.middle_mm("die") + self._rng.uniform(-1, 1, 2) * DIE_SPREAD_MM,
            angle_rad=float(self._rng.uniform(0, 2 * np.pi)),
        )
        tumbling = [str(face) for face in self._rng.permutation(FACES)]
        yield from throw(self._world, self._arm(event["player"]), tumbling, rest)
        yield from self._done(event, "die")

    def _clear_up(self, state: dict[str, Any]) -> Frames:
        """Take the cards back when a round is over."""
        is_over = state["phase"] in ("over", "between")
        if self._world.stage.game == "skull" and (state["phase"] == "first" or is_over):
            lying = any(card.is_up for card in self._world.cards.values())
            zones = [f"seat:{p['name']}" for p in state["players"]] if lying or is_over else []
        else:
            zones = [region.name for region in self._world.stage.board.regions] if is_over else []
        for zone in zones:
            if self._world.in_zone(zone):
                player = zone.removeprefix("seat:") if zone.startswith("seat:") else self._world.stage.players[0]
                yield from sweep(self._world, self._arm(player), zone)
                yield from wait(0.3 / self._pace)
                self._spots.pop(zone, None)

    def _reach_in(self) -> Frames:
        size = np.array(self._world.stage.board.size_mm)
        player = str(self._rng.choice(self._world.stage.players))
        xy = self._rng.uniform(0.15, 0.85, 2) * size
        yield from reach_in(self._world, self._arm(player), xy, float(self._rng.uniform(0.1, 0.8)))
        yield from wait(0.3)

    def _spot(self, zone: str) -> tuple[Array, float]:
        """Tell where a player's pile lies this round, and how it is turned."""
        if zone not in self._spots:
            side = float(self._rng.choice([-1.0, 1.0]))
            offset = np.array([side * self._rng.uniform(44, 62), self._rng.normal(0, 14.0)])
            self._spots[zone] = (self._world.middle_mm(zone) + offset, float(self._rng.normal(0, 0.3)))
        return self._spots[zone]

    def _place_mm(self, player: str, number: int) -> Array:
        """Tell where a player's stock (0) or a discard pile (1 to 4) lies: side by side from the player's left."""
        middle = self._world.middle_mm(f"seat:{player}")
        is_near = middle[1] > self._world.stage.board.size_mm[1] / 2
        return middle + np.array([(number - 2) * 84.0 * (1 if is_near else -1), 0.0])

    def _pile(self, player: str, number: int) -> list[Any]:
        here = self._place_mm(player, number)
        return [c for c in self._world.in_zone(f"seat:{player}") if abs(c.lie.xy_mm[0] - here[0]) < 42]

    def _stock(self, player: str) -> list[Any]:
        return self._pile(player, 0)
