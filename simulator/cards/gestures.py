"""What hands do at a card table, frame by frame: each gesture is a generator that yields once a frame."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from linesies.simulator.cards.die import Thrown
from linesies.simulator.cards.glass import Glass
from linesies.simulator.cards.paper import Lie
from linesies.simulator.cards.stage import FPS
from linesies.simulator.cards.world import Lying, TableWorld, Truth
from linesies.simulator.street.hand import Hand
from linesies.simulator.street.limbs import Gesture

Array = NDArray[np.float64]
Frames = Iterator[None]

COME_S = (0.45, 0.8)  # a hand's way in or out; as hands look, by eye
LIFT_MM = 42.0  # a carried card over the table; by eye
ROLL_MM = 110.0  # how far a die rolls
ROLL_FRAMES = 18
SHAKE_MM = 30.0  # how high it is shaken and thrown from
GLASS_GRIP_MM = 45.0  # above its foot, where a glass is held
GRIP_MM = 30.0  # from a held card's middle back to the fingertips


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Arm:
    """Whose arm, where it comes from, and how it moves today."""

    player: str
    person: int
    shoulder_mm: Array
    come_s: float


def arm_of(world: TableWorld, player: str, rng: np.random.Generator) -> Arm:
    """Give a player's arm for one gesture."""
    return Arm(
        player=player,
        person=world.stage.players.index(player) + world.stage.seed,
        shoulder_mm=world.towards_mm(player) + rng.normal(0, 45.0, 2),
        come_s=float(rng.uniform(*COME_S)),
    )


def wait(seconds: float) -> Frames:
    """Do nothing for a while."""
    for _ in range(round(seconds * FPS)):
        yield


def lay(world: TableWorld, arm: Arm, card: str, zone: str, lie: Lie, *, is_up: bool) -> Iterator[None]:
    """Bring a card from the hand and lay it down; its times stand in `world.truth[-1]` for the caller to complete."""
    yield from lay_together(world, arm, [(card, lie)], zone, is_up=is_up)


def lay_together(
    world: TableWorld, arm: Arm, cards: Sequence[tuple[str, Lie]], zone: str, *, is_up: bool
) -> Iterator[None]:
    """Bring cards from the hand and lay them down in one movement, the last uppermost; held by that one."""
    t_start = world.t_s
    sheets = [(world.sheet(card, is_up=is_up), lie) for card, lie in cards]
    tip = _grip(arm, cards[-1][1].xy_mm)
    for at, lift in _way(arm, tip, arm.come_s):
        _hold(world, arm, at, lift)
        world.held = [
            (sheet, replace(lie, xy_mm=lie.xy_mm + at - tip, lift_mm=lift + 2.0 + i))
            for i, (sheet, lie) in enumerate(sheets)
        ]
        yield
    world.held = []
    for card, lie in cards:
        world.put(card, zone, lie, is_up=is_up)
    yield from _let_go(world, arm, tip, t_start)


def flip(world: TableWorld, arm: Arm, card: Lying, lie: Lie) -> Iterator[None]:
    """Take the top card of a pile, turn it over and lay it face up beside the pile."""
    t_start = world.t_s
    yield from _reach(world, arm, card.lie.xy_mm)
    world.take(card.number)
    yield from _carry(world, arm, card, lie, turns=True)
    world.put(card.name, card.zone, lie, is_up=True)
    yield from _let_go(world, arm, _grip(arm, lie.xy_mm), t_start)


def carry(world: TableWorld, arm: Arm, card: Lying, zone: str, lie: Lie) -> Iterator[None]:
    """Take a card from where it lies to another zone, the same side up."""
    t_start = world.t_s
    yield from _reach(world, arm, card.lie.xy_mm)
    world.take(card.number)
    yield from _carry(world, arm, card, lie, turns=False)
    world.put(card.name, zone, lie, is_up=card.is_up)
    yield from _let_go(world, arm, _grip(arm, lie.xy_mm), t_start)


def take_off(world: TableWorld, arm: Arm, card: Lying) -> Iterator[None]:
    """Take a card up from where it lies and carry it away, the same side up."""
    yield from _reach(world, arm, card.lie.xy_mm)
    world.take(card.number)
    sheet, tip = world.sheet(card.name, is_up=card.is_up), _grip(arm, card.lie.xy_mm)
    for at, lift in reversed(_way(arm, tip, arm.come_s)):
        _hold(world, arm, at, lift)
        world.held = [(sheet, replace(card.lie, xy_mm=card.lie.xy_mm + at - tip, lift_mm=lift + 2.0))]
        yield
    world.held = []
    world.hands.pop(arm.player, None)


def sweep(world: TableWorld, arm: Arm, zone: str) -> Iterator[None]:
    """Gather up all that lies in a zone and take it away; writes the truth."""
    t_start = world.t_s
    cards = world.in_zone(zone)
    middle = np.mean([card.lie.xy_mm for card in cards], axis=0)
    yield from _reach(world, arm, middle)
    for card in cards:
        world.take(card.number)
    sheets = [(world.sheet(card.name, is_up=card.is_up), card.lie) for card in cards]
    for share in np.linspace(0, 1, round(0.3 * FPS)):
        world.held = [
            (sheet, replace(lie, xy_mm=lie.xy_mm + 0.8 * share * (middle - lie.xy_mm))) for sheet, lie in sheets
        ]
        yield
    gathered, tip, t_gone = list(world.held), _grip(arm, middle), world.t_s
    for at, lift in reversed(_way(arm, tip, arm.come_s)):
        _hold(world, arm, at, lift)
        world.held = [(s, replace(lie, xy_mm=lie.xy_mm + at - tip, lift_mm=lie.lift_mm + lift)) for s, lie in gathered]
        t_gone = world.t_s if np.hypot(*(at - tip)) < 220 else t_gone
        yield
    world.held = []
    world.hands.pop(arm.player, None)
    truth: Truth = {
        "t": round(t_gone, 3),
        "t_start": round(t_start, 3),
        "t_clear": round(world.t_s, 3),
        "event": "taken",
    }
    world.truth.append({**truth, "player": arm.player, "zone": zone, "count": len(cards)})


def throw(world: TableWorld, arm: Arm, tumbling: Sequence[str], rest: Thrown) -> Iterator[None]:
    """Take up the die if it lies there and throw it: it shows `tumbling` faces before it comes to rest."""
    t_start = world.t_s
    if world.die is not None:
        yield from _reach(world, arm, world.die.xy_mm)
        world.die = None
    back = arm.shoulder_mm - rest.xy_mm
    start = rest.xy_mm + ROLL_MM * back / np.hypot(*back)
    for at, lift in _way(arm, start, arm.come_s):
        _hold(world, arm, at, lift + SHAKE_MM)
        yield
    way = list(reversed(_way(arm, start, arm.come_s)))
    for i in range(1, ROLL_FRAMES + 1):
        left = (1 - i / ROLL_FRAMES) ** 2
        face = rest.face if i == ROLL_FRAMES else tumbling[i // 3 % len(tumbling)]
        die = replace(
            rest,
            face=face,
            xy_mm=rest.xy_mm + left * (start - rest.xy_mm),
            angle_rad=rest.angle_rad + 9 * left,
            lift_mm=SHAKE_MM * left * abs(np.cos(7 * left)),
        )
        world.held = die.layers()
        _hold(world, arm, *way[min(i, len(way) - 1)])
        yield
    world.held, world.die, t_rest = [], rest, world.t_s
    for at, lift in way[ROLL_FRAMES:]:
        _hold(world, arm, at, lift)
        yield
    world.hands.pop(arm.player, None)
    times = {"t": t_rest, "t_start": t_start, "t_clear": world.t_s}
    world.truth.append({name: round(t_s, 3) for name, t_s in times.items()})


def put_down(world: TableWorld, arm: Arm, glass: Glass) -> Iterator[None]:
    """Bring a glass and put it down."""
    tip = _grip(arm, glass.xy_mm)
    for at, lift in _way(arm, tip, arm.come_s):
        world.held = glass.carried(at - tip, lift).layers()
        _hold(world, arm, at, lift + GLASS_GRIP_MM)
        yield
    world.held, world.glass = [], glass
    yield from _let_go(world, arm, tip, world.t_s)


def pick_up(world: TableWorld, arm: Arm) -> Iterator[None]:
    """Take the glass away that stands on the table."""
    glass = world.glass
    assert glass is not None
    yield from _reach(world, arm, glass.xy_mm)
    world.glass, tip = None, _grip(arm, glass.xy_mm)
    for at, lift in reversed(_way(arm, tip, arm.come_s)):
        world.held = glass.carried(at - tip, lift).layers()
        _hold(world, arm, at, lift + GLASS_GRIP_MM)
        yield
    world.held = []
    world.hands.pop(arm.player, None)


def reach_in(world: TableWorld, arm: Arm, xy_mm: Array, stay_s: float, gesture: Gesture = "point") -> Iterator[None]:
    """Come in, stay a while over something, and go without having done anything."""
    for at, lift in _way(arm, xy_mm, arm.come_s):
        _hold(world, arm, at, lift + 12.0, gesture)
        yield
    yield from wait(stay_s)
    for at, lift in reversed(_way(arm, xy_mm, arm.come_s)):
        _hold(world, arm, at, lift + 12.0, gesture)
        yield
    world.hands.pop(arm.player, None)


def _reach(world: TableWorld, arm: Arm, xy_mm: Array) -> Frames:
    for at, lift in _way(arm, _grip(arm, xy_mm), arm.come_s):
        _hold(world, arm, at, lift)
        yield
    yield from wait(0.1)


def _carry(world: TableWorld, arm: Arm, card: Lying, lie: Lie, *, turns: bool) -> Frames:
    sheet = world.sheet(card.name, is_up=card.is_up)
    steps = max(round(float(np.hypot(*(lie.xy_mm - card.lie.xy_mm))) / 420 * FPS), round(0.4 * FPS))
    turn = (lie.angle_rad - card.lie.angle_rad + np.pi / 2) % np.pi - np.pi / 2  # a card looks the same upside down
    for i in range(1, steps + 1):
        share = i / steps
        eased = share * share * (3 - 2 * share)
        xy = card.lie.xy_mm + eased * (lie.xy_mm - card.lie.xy_mm)
        lift = LIFT_MM * float(np.sin(np.pi * share))
        tilt = np.pi * eased if turns else 0.0
        angle = card.lie.angle_rad + eased * turn
        world.held = [(sheet, Lie(xy_mm=xy, angle_rad=angle, lift_mm=lift + 2.0, tilt_rad=tilt, curl_mm=lie.curl_mm))]
        _hold(world, arm, _grip(arm, xy), lift + (16.0 if turns else 0.0))
        yield
    world.held = []


def _let_go(world: TableWorld, arm: Arm, tip_mm: Array, t_start: float) -> Frames:
    """Leave the card, draw the hand back, and note when what happened."""
    t_rest = world.t_s
    yield from wait(0.1)
    way = list(reversed(_way(arm, tip_mm, arm.come_s)))
    t_clear = None
    for at, lift in way:
        _hold(world, arm, at, lift)
        if t_clear is None and np.hypot(*(at - tip_mm)) > 70:
            t_clear = world.t_s
        yield
    world.hands.pop(arm.player, None)
    world.truth.append({"t": round(t_rest, 3), "t_start": round(t_start, 3), "t_clear": round(t_clear or world.t_s, 3)})


def _grip(arm: Arm, xy_mm: Array) -> Array:
    """Tell where the fingertips are that hold a card by its near side."""
    back = arm.shoulder_mm - xy_mm
    return xy_mm + GRIP_MM * back / np.hypot(*back)


def _way(arm: Arm, tip_mm: Array, seconds: float) -> Sequence[tuple[Array, float]]:
    """List where the fingertip is on the way in, frame by frame, and how high."""
    shares = 0.05 + 0.95 * (1 - (1 - np.arange(1, round(seconds * FPS) + 1) / round(seconds * FPS)) ** 2)
    return [(arm.shoulder_mm + share * (tip_mm - arm.shoulder_mm), LIFT_MM * float(1 - share)) for share in shares]


def _hold(world: TableWorld, arm: Arm, tip_mm: Array, lift_mm: float, gesture: Gesture = "pinch") -> None:
    ahead = tip_mm - arm.shoulder_mm
    world.hands[arm.player] = Hand(
        tip_mm=np.asarray(tip_mm, np.float32),
        bearing_rad=float(np.arctan2(ahead[1], ahead[0])),
        lift_mm=lift_mm,
        person=arm.person,
        gesture=gesture,
    )
