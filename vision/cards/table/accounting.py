"""What hands did in one place: the cheapest acts that lead from the ledger before to the look after.

A card that lay there still lies there unless the look beside the new cards shows what lay beneath it; a card that is
gone and one like it that is new are one card that was looked at, straightened, turned or pushed. Where too little of
a card is left to see to tell, both readings stand: the act is not certain, and people are asked.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np

from linesies.calibration import Tuning, tuned
from linesies.vision.cards.change import Mask, changed, in_one_light
from linesies.vision.cards.spots import PX_PER_MM
from linesies.vision.cards.table.ledger import Ledger, LedgerEntry, PlaceDifference
from linesies.vision.cards.table.seen import SEEN, SeenCard
from linesies.vision.cards.table.sources import BY_HAND
from linesies.vision.cards.table.spread import SPREAD, PlaceAround, Spread, Spreads, spread_of
from linesies.vision.picture.frame import Image

NOTHING_CHANGED = LedgerEntry()
Kind = Literal["laid", "moved", "turned", "taken"]
Lot = Literal["lies", "gone", "hidden"]
# a card may only have been touched; two may have been laid where one is seen; it may be none
Doubt = Literal["touched", "two", "strange"]


@dataclass(frozen=True)
class AccountTuning(Tuning):
    """From when on a card is held to lie there still, to be gone, or to be the same as another."""

    rim_mm: float = tuned(
        0.8,
        title="blurred rim of a card, which is no witness",
        unit="mm",
        low=0.0,
        high=3.0,
        source=BY_HAND,
    )
    round_mm: float = tuned(
        1.5,
        title="how far round a card its edge may still be seen",
        unit="mm",
        low=0.0,
        high=5.0,
        source=BY_HAND,
    )
    least_support: float = tuned(
        4000.0,
        title="difference between a card and what lies beneath it, summed over all that is left to see",
        unit="levels mm2",
        low=100.0,
        high=20000.0,
        source=BY_HAND,
    )
    sure_share: float = tuned(
        0.3,
        title="by how much what is left to see must be like the one rather than the other, of 1",
        unit="1",
        low=0.05,
        high=0.95,
        source=BY_HAND,
    )
    near_place: float = tuned(
        0.4,
        title="overlap from which on a card of which too little is seen may be the one now on top",
        unit="1",
        low=0.1,
        high=1.0,
        source=BY_HAND,
    )
    together: float = tuned(
        0.1,
        title="overlap from which two cards that came in one visit were laid together",
        unit="1",
        low=0.02,
        high=0.5,
        source="by hand, 0.4 until 30 November: two laid at once 31 mm apart, which overlap by 0.34, were told as one "
        "that was played (Skull King 988221, 776.3 s); two that people lay beside each other overlap by 0.03",
    )
    exact_place: float = tuned(
        0.93,
        title="overlap of outlines from which on they are one",
        unit="1",
        low=0.8,
        high=1.0,
        source=BY_HAND,
    )
    unmoved: float = tuned(
        0.97,
        title="overlap from which on a card that may have doubles is only seen again",
        unit="1",
        low=0.8,
        high=1.0,
        source="a 12 laid on a 12, 1.4 mm beside it: 0.95 (simulated Skip-Bo 988093); two looks at one: over 0.98",
    )


ACCOUNT = AccountTuning()


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Act:
    """One thing that a hand did with a card: laid it, moved it in its place, turned it over, took it.

    `card` is as it lies afterwards (taken: as it lay before). `doubt` says what else may have been done. What was laid
    squarely where another lay, or even exactly, may have lain beneath that one unseen, which was taken off it;
    `on_another` is the overlap of the two.
    """

    kind: Kind
    card: SeenCard
    doubt: Doubt | None = None
    on_another: float = 0.0

    @property
    def is_squarely(self) -> bool:
        """Whether the card lies where another lay."""
        return self.on_another > SEEN.same_place

    @property
    def is_exactly(self) -> bool:
        """Whether the two outlines are one."""
        return self.on_another > ACCOUNT.exact_place

    def doubt_where(self, *, is_odd: bool) -> Doubt | None:
        """Tell what else may have been done, where by the rules a card there is odd or is not."""
        return self.doubt or ("two" if self.is_squarely and is_odd else None)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Account:
    """All that was done in one visit, and what it changes in the ledger.

    `spread` is that of a card that was laid alone, by itself.
    """

    acts: tuple[Act, ...] = ()
    entry: LedgerEntry = NOTHING_CHANGED
    spread: Spread | None = None


def account_for(
    ledger: Ledger,
    now: Image,
    seen: Sequence[SeenCard],
    difference: PlaceDifference,
    *,
    spreads: Spreads,
    has_doubles: bool = False,
) -> Account:
    """Explain a place's difference by the fewest acts; `seen` are the cards read where something could be new.

    Where cards have doubles, one that is seen again hardly moved may be another laid on it.
    """
    if difference.is_bare or difference.removed:
        return _taken_off(ledger, len(ledger.layers) - difference.removed)
    lots = _lots(ledger, now, seen)
    if has_doubles:
        lots = ["hidden" if lot == "gone" and _is_buried(ledger, i, lots) else lot for i, lot in enumerate(lots)]
    new, uncovered = _really_new(ledger, seen, lots, has_doubles=has_doubles)
    gone = [i for i, lot in enumerate(lots) if lot == "gone" or i in uncovered]
    acts: list[Act] = []
    left = [i for i in gone if ledger.layers[i].card is not None and not _lies_as_another(ledger, i, lots)]
    hidden = [i for i, lot in enumerate(lots) if lot == "hidden" and i not in uncovered]
    for card in new:
        act, before = _act_of(ledger, card, left, [*hidden, *_squarely_under(ledger, card, lots)])
        acts.append(act)
        if before is not None:
            left.remove(before)
    come = [act.card for act in acts]
    taken, beneath = _rest_of_a_pile(ledger, left, acts)
    acts = [_doubted(act, taken, _laid_besides(act, acts)) for act in acts]
    acts = [replace(act, on_another=_share_on_another(ledger, act, lots)) for act in acts]
    spread = _spread(ledger, now, new[0], gone) if len(new) == 1 and acts[0].kind == "laid" else None
    if spread is not None and not spread.is_of_a_card and _lies_on_its_like(ledger, new[0]):
        return Account()
    if spread is not None and spreads.is_of_two(spread):
        acts = [replace(acts[0], doubt=acts[0].doubt or "two")]
        if new[0].reading.face == "down":  # what shows of it is a card like it
            acts.append(Act(kind="laid", card=new[0], doubt="two"))
            come.insert(0, new[0])
    is_by_itself = spread is not None and not any(new[0].overlap(known) for known in ledger.cards)
    acts += [Act(kind="taken", card=card) for card in taken]
    return Account(
        acts=tuple(acts),
        entry=LedgerEntry(gone=tuple(gone), come=(*beneath, *come)),
        spread=spread if is_by_itself else None,
    )


def with_strange(account: Account, is_strange: Callable[[SeenCard], bool]) -> Account:
    """Doubt what was laid that may be no card."""
    doubted = {act.card for act in account.acts if act.kind == "laid" and act.doubt is None and is_strange(act.card)}
    acts = tuple(replace(act, doubt="strange") if act.card in doubted else act for act in account.acts)
    return replace(account, acts=acts)


def with_touched(account: Account) -> Account:
    """Doubt whatever was laid: it may have lain beneath another, in hands that came and went without being read."""
    acts = tuple(replace(act, doubt=act.doubt or "touched") if act.kind == "laid" else act for act in account.acts)
    return replace(account, acts=acts)


def _laid_besides(act: Act, acts: Sequence[Act]) -> list[SeenCard]:
    return [other.card for other in acts if other is not act and other.kind == "laid"]


def _doubted(act: Act, taken: Sequence[SeenCard], beside: Sequence[SeenCard]) -> Act:
    """Doubt a card laid onto another in one movement, or that may have lain beneath one now taken, however askew."""
    if act.kind != "laid" or act.doubt is not None:
        return act
    is_onto = any(act.card.overlap(other) > ACCOUNT.together for other in beside)
    may_be_bared = any(act.card.overlap(other) > 0.0 for other in taken)
    return replace(act, doubt="two") if is_onto or may_be_bared else act


def _share_on_another(ledger: Ledger, act: Act, lots: Sequence[Lot]) -> float:
    """Tell how squarely a card was laid where another seems to lie still: the share of overlap, 0 to 1."""
    left = [layer.card for layer, lot in zip(ledger.layers, lots, strict=True) if lot != "gone"]
    if act.kind != "laid":
        return 0.0
    return max((card.overlap(act.card) for card in left if card is not None), default=0.0)


def _taken_off(ledger: Ledger, left: int) -> Account:
    """Account for layers that are gone from the top, while all below looks as it did before them."""
    gone = tuple(range(left, len(ledger.layers)))
    cards = [ledger.layers[i].card for i in gone]
    return Account(
        acts=tuple(Act(kind="taken", card=card) for card in cards if card is not None), entry=LedgerEntry(gone=gone)
    )


def _lots(ledger: Ledger, now: Image, seen: Sequence[SeenCard]) -> list[Lot]:
    """Tell whether each layer still lies there, by what the new cards leave in sight of it."""
    covered = np.zeros_like(ledger.inside)
    for card in seen:
        covered |= ledger.reach(card.quad_mm, ACCOUNT.rim_mm)
    lots: list[Lot] = []
    for number in range(len(ledger.layers) - 1, -1, -1):
        layer = ledger.layers[number]
        below = ledger.look(number)
        own = _own(layer.card, ledger, below, layer.look)
        lot = _lot(layer.look, below, now, own & ~covered & ledger.nearby)
        lots.append(lot)
        if lot != "gone":
            covered |= own
    return lots[::-1]


def _own(card: SeenCard | None, ledger: Ledger, below: Image, look: Image) -> Mask:
    """Mark where a layer can be seen at all."""
    if card is None:
        return cv2.dilate(changed(below, look), np.ones((3, 3), np.uint8)).astype(np.uint8)
    return ledger.reach(card.quad_mm, ACCOUNT.round_mm)


def _lot(lying: Image, below: Image, now: Image, where: Mask) -> Lot:
    """Weigh whether a place looks as with a card or as without it: levels, summed over where the two differ."""
    (with_it, seen), (without, _) = in_one_light(lying, now), in_one_light(below, now)
    here = where > 0
    apart, to_with, to_without = (
        cv2.absdiff(a, b)[here].astype(float).max(axis=1, initial=0.0).sum() / PX_PER_MM**2
        for a, b in ((with_it, without), (seen, with_it), (seen, without))
    )
    if apart < ACCOUNT.least_support:
        return "hidden"
    share = (to_without - to_with) / apart
    if abs(share) < ACCOUNT.sure_share:
        return "hidden"
    return "lies" if share > 0 else "gone"


def _really_new(
    ledger: Ledger, seen: Sequence[SeenCard], lots: Sequence[Lot], *, has_doubles: bool
) -> tuple[list[SeenCard], set[int]]:
    """Leave out cards that lay there before and are only seen again: where cards have doubles, exactly there.

    Tells too which layers no longer cover them.
    """
    new, uncovered = [], set[int]()
    unmoved = ACCOUNT.unmoved if has_doubles else ACCOUNT.exact_place
    for card in seen:
        again = next((i for i in range(len(lots) - 1, -1, -1) if _is_again(ledger, i, card)), None)
        if again is None or lots[again] == "gone":
            new.append(card)
            continue
        above = {i for i in range(again + 1, len(lots)) if _covers(ledger, i, card)}
        is_exact = _card(ledger, again).overlap(card) > unmoved
        may_be_another = has_doubles or card.reading.face == "down"
        if any(lots[i] == "lies" or (lots[i] == "hidden" and _is_like(ledger, i, card)) for i in above):
            new.append(card)
        elif above and (is_exact or not may_be_another):
            uncovered |= above
        elif above or card.reading.face == "down" or not is_exact:
            new.append(card)
    return new, uncovered


def _is_again(ledger: Ledger, number: int, card: SeenCard) -> bool:
    """Tell whether a layer is this very card: it shows the same, in the same place."""
    known = ledger.layers[number].card
    return known is not None and _shows_the_same(known, card) and known.overlap(card) > SEEN.same_place


def _is_buried(ledger: Ledger, number: int, lots: Sequence[Lot]) -> bool:
    """Tell whether a card lies beneath another that is not gone: nobody draws it out, one like it may lie on top."""
    known = ledger.layers[number].card
    above = [i for i in range(number + 1, len(lots)) if lots[i] != "gone"]
    return known is not None and any(_covers(ledger, i, known) for i in above)


def _is_like(ledger: Ledger, number: int, card: SeenCard) -> bool:
    """Tell whether a layer is a card that shows the same: a back as any other, a face of the same name."""
    known = ledger.layers[number].card
    return known is not None and _shows_the_same(known, card)


def _lies_on_its_like(ledger: Ledger, card: SeenCard) -> bool:
    """Tell whether a card lies on one that shows the same, which may be all that is seen."""
    return any(_is_like(ledger, i, card) and _covers(ledger, i, card) for i in range(len(ledger.layers)))


def _lies_as_another(ledger: Ledger, number: int, lots: Sequence[Lot]) -> bool:
    """Tell whether a card that is gone lies there still as one like it, squarely on it: it had only been touched."""
    gone = _card(ledger, number)
    above = [i for i in range(number + 1, len(lots)) if lots[i] == "lies" and _is_like(ledger, i, gone)]
    return any(_card(ledger, i).overlap(gone) > SEEN.same_place for i in above)


def _covers(ledger: Ledger, number: int, card: SeenCard) -> bool:
    known = ledger.layers[number].card
    return known is not None and known.overlap(card) > 0.0


def _shows_the_same(before: SeenCard, after: SeenCard) -> bool:
    """Tell whether two looks may be at one card the same side up; a face that could not be read may be any."""
    names = {before.reading.name, after.reading.name}
    return before.reading.face == after.reading.face and (len(names) == 1 or None in names)


def _act_of(ledger: Ledger, card: SeenCard, gone: Sequence[int], hidden: Sequence[int]) -> tuple[Act, int | None]:
    """Find the cheapest act behind a new card: one that is gone was moved or turned; else it was laid."""
    for i in reversed(gone):
        if _shows_the_same(_card(ledger, i), card):
            return Act(kind="moved", card=card), i
    for i in reversed(gone):
        if _card(ledger, i).reading.face == "down" and card.reading.face == "up":
            return Act(kind="turned", card=card), i
    near = [_card(ledger, i) for i in hidden if ledger.layers[i].card is not None]
    if any(_shows_the_same(other, card) and other.overlap(card) > ACCOUNT.near_place for other in near):
        return Act(kind="laid", card=card, doubt="touched"), None
    if card.reading.face == "up" and any(one.reading.face == "down" and one.overlap(card) > 0.0 for one in near):
        return Act(kind="turned", card=card, doubt="touched"), None
    return Act(kind="laid", card=card), None


def _squarely_under(ledger: Ledger, card: SeenCard, lots: Sequence[Lot]) -> list[int]:
    """List cards that seem to lie there still, but so squarely under a new one that its own edge may look like that."""
    lying = [i for i, lot in enumerate(lots) if lot == "lies" and ledger.layers[i].card is not None]
    return [i for i in lying if _card(ledger, i).overlap(card) > ACCOUNT.exact_place]


def _card(ledger: Ledger, number: int) -> SeenCard:
    card = ledger.layers[number].card
    assert card is not None
    return card


def _rest_of_a_pile(ledger: Ledger, left: Sequence[int], acts: Sequence[Act]) -> tuple[list[SeenCard], list[SeenCard]]:
    """Tell of cards that are gone and not seen again: taken, or moved beneath the one that lay on top of them."""
    cards = [_card(ledger, i) for i in left]
    on_top = next((act.card for act in acts if act.kind == "moved"), None)
    if on_top is None:
        return cards, []
    beneath = [card for card in cards if card.reading.face == on_top.reading.face]
    return [card for card in cards if card not in beneath], [card.at(on_top.quad_mm) for card in beneath]


def _spread(ledger: Ledger, now: Image, card: SeenCard, gone: Sequence[int]) -> Spread:
    """Measure how far what a new card changed spreads, without what is gone and the edges of what lies there."""
    seen, lying = ledger.nearby & ledger.reach(card.quad_mm, SPREAD.room_mm), ledger.reach(card.quad_mm, 0.0)
    for number, layer in enumerate(ledger.layers):
        if number in gone:
            seen &= ~_own(layer.card, ledger, ledger.look(number), layer.look)
        elif layer.card is not None:
            seen &= ~ledger.edge(layer.card.quad_mm, SPREAD.edge_mm)
            lying |= ledger.reach(layer.card.quad_mm, ACCOUNT.round_mm)
    quad_px = (card.quad_mm - ledger.spot.origin_mm) * PX_PER_MM
    return spread_of(ledger.last, now, quad_px, PlaceAround(seen=seen, lying=lying))
