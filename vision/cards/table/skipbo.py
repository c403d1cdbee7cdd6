"""Skip-Bo at the table: cards built up on the piles in the middle, from stock, discard piles or hand, and discards."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Tuning, tuned
from linesies.vision.cards.table.accounting import Act
from linesies.vision.cards.table.arms import Shoulders
from linesies.vision.cards.table.finding import WHY, PlaceFinding
from linesies.vision.cards.table.seen import SeenCard
from linesies.vision.cards.table.sources import BY_HAND
from linesies.vision.cards.table.teller import Public
from linesies.vision.cards.table.told import TableEvent

Array = NDArray[np.float64]

WILD = "SB"  # alone may lie on a building pile again: squarely on its like, it looks as that did
LAST = 12  # completes a building pile
_NOBODY: Public = {"players": ()}
AGAIN = "a wild card may have been laid squarely where one lay before, or the card on it was taken back"


@dataclass(frozen=True)
class HandOverTuning(Tuning):
    """How long a card is on its way from one place to another."""

    lately_s: float = tuned(
        2.0,
        title="what left a pile so shortly before is what was laid, however it was read",
        unit="s",
        low=0.2,
        high=10.0,
        source=BY_HAND,
    )
    held_s: float = tuned(
        20.0,
        title="so long after it was taken from a pile a card may silently be put back; later people are asked",
        unit="s",
        low=3.0,
        high=120.0,
        source="a discard of simulated Skip-Bo 985001 was lost to a card thought to be in the hand for minutes",
    )


HAND_OVER = HandOverTuning()


@dataclass(frozen=True, slots=True)
class _Gone:
    """A card in somebody's hand that was taken from a player's pile of so many; `number` 0 is the stock."""

    owner: str
    number: int
    name: str | None
    count: int | None
    t_s: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Held:
    """A card laid on a building pile, not told yet: where it came from may still show."""

    finding: PlaceFinding
    act: Act


class SkipBoTeller:
    """Remembers cards on their way from a pile, those laid on building piles meanwhile, and what the rules hold."""

    def __init__(self, shoulders: Shoulders) -> None:
        self._shoulders = shoulders
        self._due: str | None = None
        self._public: Public | None = None
        self._gone: list[_Gone] = []
        self._held: list[_Held] = []
        self._lifted: dict[str, int] = {}  # building piles of which a wild card is in a hand, and their tops

    def expect(self, due: str | None, public: Public | None) -> None:
        """Hear who is due, and what the rules hold to lie on each pile."""
        self._due, self._public = due, public
        if public is not None:
            self._held = self._held if public["phase"] == "play" else []  # that game is won
            self._due = public["out_of_turn"] or public["turn"]
            self._gone = [gone for gone in self._gone if self._pile(gone.owner, gone.number)[0] == gone.count]
            self._lifted = {spot: top for spot, top in self._lifted.items() if self._top(spot) == top}

    def has_backs(self, spot: str) -> bool:
        """Tell that cards lie face down in the draw pile and the stocks alone."""
        return spot == "draw" or spot.endswith(":0")

    def tell(self, finding: PlaceFinding) -> list[TableEvent]:
        """Tell discards and piles taken at once; plays wait until it is seen which pile they came from."""
        if finding.owner is not None:
            return self._at_seat(finding, finding.owner)
        if not finding.spot.startswith("pile"):
            return []
        taken = finding.done("taken")
        self._lift(finding, taken)
        if finding.is_bare:
            return finding.taken(taken)
        self._held += [_Held(finding=finding, act=act) for act in finding.done("laid") if self._is_play(finding, act)]
        self._held += [_Held(finding=finding, act=act) for act in self._wilds(finding, taken)]
        return []

    def settle(self, until_s: float) -> list[TableEvent]:
        """Tell the plays held back that lay before then, each from the pile it came from, else from the hand.

        A pile that began to stir only after a card lay cannot be where it came from; what is seen to have come from a
        pile waits for none but the plays beneath it.
        """
        ready: list[_Held] = []
        waiting: list[_Held] = []
        for held in self._held:
            is_behind = any(other.finding.spot == held.finding.spot for other in waiting)
            is_known = held.finding.t_end_s < until_s or bool(self._alike(held.finding, held.act.card))
            (ready if is_known and not is_behind else waiting).append(held)
        self._held = waiting
        return [self._play(held) for held in ready]

    def _is_play(self, finding: PlaceFinding, act: Act) -> bool:
        """Tell whether a card laid on a building pile is new to the rules; else it was lifted and put back."""
        name = act.card.reading.name
        if act.card.reading.face != "up":
            return False
        if name == WILD:
            return self._lifted.pop(finding.spot, None) is None
        return self._public is None or name != str(self._top(finding.spot))

    def _lift(self, finding: PlaceFinding, taken: list[Act]) -> None:
        """Remember a wild card taken up from a building pile that the rules still hold to lie there."""
        is_wild = any(act.card.reading.name == WILD for act in taken)
        if is_wild and self._public is not None and self._lacks_cards(finding):
            self._lifted[finding.spot] = self._top(finding.spot)

    def _top(self, spot: str) -> int:
        """Give the number on top of a building pile, by the rules."""
        top: int = self._building(spot)["top"]
        return top

    def _wanted(self, spot: str) -> int:
        """Give the number that a building pile needs next, by the rules."""
        return self._top(spot) % LAST + 1

    def _lacks_cards(self, finding: PlaceFinding) -> bool:
        """Tell whether less lies on a building pile than counts; else what was taken is what the rules refused."""
        return len(finding.lying) < self._building(finding.spot)["cards"]

    def _building(self, spot: str) -> Public:
        """Give what the rules hold to lie on a building pile."""
        assert self._public is not None
        pile: Public = self._public["building"][int(spot.removeprefix("pile")) - 1]
        return pile

    def _wilds(self, finding: PlaceFinding, taken: list[Act]) -> list[Act]:
        """Find a wild card laid so squarely where one lay before that the card between seems to be gone."""
        if not taken or finding.done("laid") or not finding.lying or finding.lying[-1].reading.name != WILD:
            return []
        if self._public is not None and not self._lacks_cards(finding):
            return []
        return [Act(kind="laid", card=finding.lying[-1], doubt="touched")]

    def _at_seat(self, finding: PlaceFinding, owner: str) -> list[TableEvent]:
        """Tell discards; what is taken may be on its way to another pile, and what is put back is no event.

        Of a pile in which the rules hold one card, no more than that one was taken: the other was only seen there. So
        it is with a stock, of which nobody turns a card before the last is played.
        """
        taken = finding.done("taken")
        count, top = self._pile(owner, finding.number)
        if finding.is_bare and len(taken) > 1 and count != 1:
            return finding.taken(taken)
        if not self._is_refused(finding, owner):
            most = 1 if finding.number == 0 else count
            names = [act.card.reading.name for act in taken if act.card.reading.face == "up"][:most]
            if not names and top is not None and _bares_the_next(finding):
                names = [top]
            self._gone += [_Gone(owner, finding.number, top or name, count, finding.t_end_s) for name in names]
        laid = [act for act in finding.done("laid", "turned") if act.card.reading.face == "up"]
        now_s = finding.t_end_s
        new = [act for act in (self._unless_put_back(owner, act, now_s) for act in laid) if act is not None]
        is_theirs = finding.number > 0 and owner in self._shoulders  # who has left discards nothing
        return [self._discard(finding, owner, act) for act in new] if is_theirs else []

    def _is_refused(self, finding: PlaceFinding, owner: str) -> bool:
        """Tell whether what the rules refused when it was laid is only back in the hand: all that counts lies there.

        What counts as uppermost, and is seen to leave it, was taken however many cards seem to lie there; not where as
        many like it lie there still.
        """
        player = self._player_of(owner)
        if player is None or finding.number == 0:
            return False
        pile, lying = player["discards"][finding.number - 1], [card.reading.name for card in finding.lying]
        shown = [act.card.reading.name for act in finding.done("taken")]
        top = pile[-1] if pile else None
        return len(lying) >= len(pile) and not (top in shown and lying.count(top) < pile.count(top))

    def _pile(self, owner: str, number: int) -> tuple[int | None, str | None]:
        """Count the cards of a player's pile and name the uppermost, by the rules; None where they say nothing."""
        player = self._player_of(owner)
        if player is None:
            return None, None
        if number == 0:
            return player["stock"]["cards"], player["stock"]["top"]
        pile = player["discards"][number - 1]
        return len(pile), pile[-1] if pile else None

    def _player_of(self, name: str) -> Public | None:
        """Give what the rules say of a player; None where they say nothing."""
        return next((player for player in (self._public or _NOBODY)["players"] if player["name"] == name), None)

    def _unless_put_back(self, owner: str, act: Act, now_s: float) -> Act | None:
        """Leave out a card that was taken from one of the player's piles just now, and doubt one that was so before."""
        back = next((g for g in reversed(self._gone) if g.owner == owner and g.name == act.card.reading.name), None)
        if back is None:
            return act
        self._gone.remove(back)
        return None if now_s - back.t_s < HAND_OVER.held_s else replace(act, doubt="touched")

    def _discard(self, finding: PlaceFinding, owner: str, act: Act) -> TableEvent:
        player = finding.player(self._shoulders, act.card, owner)
        keys = {"player": owner if player == owner else None, "pile": finding.number}
        doubt = act.doubt_where(is_odd=self._is_odd(finding, owner))
        return finding.event("discard", act.card, doubt=WHY[doubt], **keys)

    def _is_odd(self, finding: PlaceFinding, owner: str) -> bool:
        """Tell whether by the rules no discard is due there, or what lay there before does not count."""
        count, _ = self._pile(owner, finding.number)
        return count is not None and (self._due != owner or len(finding.lying) > count + 1)

    def _play(self, held: _Held) -> TableEvent:
        finding, card = held.finding, held.act.card
        number = int(finding.spot.removeprefix("pile"))
        player = self._player(finding, card)
        keys: dict[str, Any] = {"player": player, "from": "hand"}
        source = self._source(finding, card)
        if source is not None:
            self._gone.remove(source)
            keys["from"] = "discard" if source.number else "stock"
            keys |= {"n": source.number} if source.number else {}
            keys |= {"owner": source.owner} if source.owner != player else {}
        return finding.event("play", card, doubt=self._doubt(held), **keys, pile=number, **self._die(finding, card))

    def _doubt(self, held: _Held) -> str | None:
        """Tell what else may have been done: a card that the pile lacks, by the rules, was not there to be touched."""
        name, doubt = held.act.card.reading.name, held.act.doubt
        if doubt == "touched" and self._public is not None and name == str(self._wanted(held.finding.spot)):
            return None
        return AGAIN if doubt == "touched" and name == WILD else WHY[doubt]

    def _player(self, finding: PlaceFinding, card: SeenCard) -> str | None:
        """Name who laid a card on a building pile."""
        return finding.player(self._shoulders, card, self._due)

    def _source(self, finding: PlaceFinding, card: SeenCard) -> _Gone | None:
        """Find the card taken from a pile that this one is: read alike, or gone so lately that it must be."""
        gone = self._playable(finding, card)
        lately = [one for one in gone if abs(finding.t_end_s - one.t_s) < HAND_OVER.lately_s]
        return next(iter([*reversed(self._alike(finding, card)), *lately]), None)

    def _alike(self, finding: PlaceFinding, card: SeenCard) -> list[_Gone]:
        """List the cards taken from piles that are read as this one."""
        return [gone for gone in self._playable(finding, card) if gone.name == card.reading.name]

    def _playable(self, finding: PlaceFinding, card: SeenCard) -> list[_Gone]:
        """List the cards taken from piles that whoever laid this one may play: his own and a partner's.

        Another's was only looked at, though nobody saw it put back.
        """
        sides = [side["players"] for side in (self._public or _NOBODY).get("sides", ())]
        player = self._player(finding, card)
        own = next((side for side in sides if player in side), None)
        return [gone for gone in self._gone if own is None or gone.owner in own]

    def _die(self, finding: PlaceFinding, card: SeenCard) -> dict[str, int]:
        """Tell for which number the die stands, where no play without it explains the card."""
        name = card.reading.name
        if self._public is None or name is None or not name.isdigit():
            return {}
        wanted = self._wanted(finding.spot)
        die = self._public["die"]
        if die["used"] or int(name) == wanted or int(name) != wanted % LAST + 1:
            return {}
        return {"die": wanted} if _stands_for(die["face"], wanted) else {}


def _bares_the_next(finding: PlaceFinding) -> bool:
    """Tell whether a back has come to light on a stock: nobody lays one there, so the card on it was taken."""
    has_come = any(act.card.reading.face == "down" for act in finding.done("laid"))
    is_on_top = bool(finding.lying) and finding.lying[-1].reading.face == "down"
    return finding.number == 0 and has_come and is_on_top


def _stands_for(face: str | None, number: int) -> bool:
    """Tell whether a face of the die may stand for a number."""
    if face == WILD:
        return True
    low, _, high = (face or "").partition("-")
    return low.isdigit() and high.isdigit() and int(low) <= number <= int(high)
