"""What was played on a card table, through time: each place is looked at whenever it has come to rest."""

from collections import deque
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from linesies.calibration import Calibration, Tuning, tuned
from linesies.calibration.seats import Seating, seated, seats_of
from linesies.vision.cards.judge import Reader
from linesies.vision.cards.learn.deck import LearnedDeck
from linesies.vision.cards.learn.die import NO_DIE
from linesies.vision.cards.spots import TableSpot, spots_of
from linesies.vision.cards.table.accounting import Account, Act, account_for, with_strange, with_touched
from linesies.vision.cards.table.arms import Arms, Shoulders, shoulders_mm
from linesies.vision.cards.table.backs import Backs
from linesies.vision.cards.table.die import DIE, TableDie
from linesies.vision.cards.table.finding import PlaceFinding
from linesies.vision.cards.table.ledger import Ledger, LedgerEntry, PlaceDifference
from linesies.vision.cards.table.seen import SeenCard, look_at, read_where_others_lay
from linesies.vision.cards.table.sources import BY_HAND
from linesies.vision.cards.table.spread import Spreads
from linesies.vision.cards.table.stir import Stir
from linesies.vision.cards.table.teller import Public, Teller
from linesies.vision.cards.table.told import TableEvent
from linesies.vision.picture.frame import Frame, Image
from linesies.vision.picture.small_picture import look_at as look_small
from linesies.vision.picture.small_picture import look_at_bgr, mean_bgr
from linesies.vision.picture.steadiness import Steadiness
from linesies.vision.values import CameraMoved

Array = NDArray[np.float64]

FRAMES = 5  # frames joined in one look
UNREAD_DIE = "the die could not be read"


@dataclass(frozen=True)
class PatienceTuning(Tuning):
    """How long the watcher waits, and how many frames it joins."""

    quiet_s: float = tuned(
        0.2,
        title="nothing stirs for so long before a place is looked at",
        unit="s",
        low=0.05,
        high=2.0,
        source=BY_HAND,
    )
    still_s: float = tuned(
        0.3,
        title="the whole picture is still for so long before it counts as free of arms",
        unit="s",
        low=0.05,
        high=2.0,
        source=BY_HAND,
    )
    all_still_s: float = tuned(
        2.5,
        title="no arm holds so still, whatever seems to reach into a place",
        unit="s",
        low=0.5,
        high=20.0,
        source=BY_HAND,
    )
    again_s: float = tuned(
        0.2,
        title="between two looks at something that no card explains",
        unit="s",
        low=0.03,
        high=2.0,
        source=BY_HAND,
    )
    read_for_s: float = tuned(
        0.6,
        title="a face that can't be read is looked at again for so long",
        unit="s",
        low=0.0,
        high=5.0,
        source=BY_HAND,
    )
    neighbour_s: float = tuned(
        1.0,
        title="a slight change waits so long for a neighbouring place that stirs: a card may reach over from there",
        unit="s",
        low=0.0,
        high=5.0,
        source=BY_HAND,
    )
    back_s: float = tuned(
        2.0,
        title="a back that looks otherwise for so long, and no card explains it, may be another laid on it",
        unit="s",
        low=0.5,
        high=6.0,
        source="as no arm holds still that long; plain backs laid squarely in simulated Skull 985003",
    )
    give_up_s: float = tuned(
        6.0,
        title="what lies there so long belongs to the table",
        unit="s",
        low=1.0,
        high=60.0,
        source=BY_HAND,
    )


PATIENCE = PatienceTuning()


@dataclass(slots=True, kw_only=True)
class _Stirred:
    """A place in which something stirs, or did and has not been looked at since."""

    t_start_s: float
    t_last_s: float
    t_look_s: float = -1.0
    t_unexplained_s: float = inf  # of the first look that no card explained

    @property
    def was_visited_again(self) -> bool:
        """Whether a hand has come again since a look that no card explained: what was there then may be gone."""
        return self.t_unexplained_s < self.t_last_s

    def may_tell(self, now_s: float) -> bool:
        """Tell whether a look may yet show what was done here; of what no card explained at once, none will."""
        return self.t_look_s < self.t_last_s or now_s - self.t_last_s < PATIENCE.read_for_s


class CardGame(Protocol):
    """What a game says of its cards on a table."""

    @property
    def places(self) -> int:
        """How many places lie side by side in a player's zone."""
        ...

    @property
    def has_doubles(self) -> bool:
        """Whether faces are not each there once."""
        ...

    def teller(self, shoulders: Shoulders) -> Teller:
        """Make what tells the game's events, for players who sit there."""
        ...


class TableWatcher:
    """Remembers what lies in every place of the table, what stirs, who sits where, and the last frames."""

    def __init__(self, calibration: Calibration, reader: Reader, *, cards: CardGame) -> None:
        self._calibration = calibration
        self._reader = reader
        self._has_doubles = cards.has_doubles
        self._spots = spots_of(calibration, cards.places)
        self._ledgers = {s.name: Ledger(s, s.lay_flat(calibration.empty_bgr)) for s in self._spots}
        self._beside = {s.name: [o.name for o in self._spots if o is not s and s.is_beside(o)] for s in self._spots}
        self._backs, self._spreads = Backs(), Spreads()
        self._die = self._learned_die()
        self._has_moved = False
        self._zones = tuple(region.name for region in calibration.board.regions)
        self._due: str | None = None
        self._is_rolled = False
        self._shoulders_mm, self._shoulders = shoulders_mm(calibration.board), Shoulders({})
        self._teller = cards.teller(self._shoulders)
        self._sit_down(seated(self._zones, ()))
        self.forget()

    def forget(self) -> None:
        """Look afresh: the camera was away, its time may begin anew, and anything may have happened meanwhile.

        What then looks as it did still lies there.
        """
        self._frames: deque[Frame] = deque(maxlen=FRAMES)
        self._stirred: dict[str, _Stirred] = {}
        self._begun: set[str] = set()
        self._stir, self._arms = Stir(), Arms(self._calibration)
        self._steadiness: Steadiness | None = None

    @property
    def is_at_rest(self) -> bool:
        """Whether nothing stirs, and all is told."""
        return not self._stirred

    @property
    def seating(self) -> Seating:
        """Who sits where: seat by seat, the player."""
        return self._seating

    def expect(self, player: str | None, public: Public | None = None, seating: Seating | None = None) -> None:
        """Say who is due by the rules, the game's public state, and who sits where; none overrules what is seen.

        Where nothing is said of seats, the players take those of the mat in their order where it bears other names.
        Who has left keeps his till another has it, and the cards before it, but no hand is his.
        """
        if public is not None:
            names = tuple(person["name"] for person in public["players"])
            gone = {person["name"] for person in public["players"] if person.get("status") == "left"}
            self._sit_down(seating or seated(self._zones, names), gone)
            self._is_rolled = public.get("die", {}).get("face") is not None
        self._due = player
        self._teller.expect(player, public)

    def see(self, frame: Frame) -> tuple[TableEvent | CameraMoved, ...]:
        """Look at the next frame; tells what has come to rest since, and nothing more once the camera was moved."""
        if self._has_moved:
            return ()
        if (moved := self._steady(frame)) is not None:
            self._has_moved = True
            return (moved,)
        self._stir.see(frame)
        self._frames.append(frame)
        stirring = [spot for spot in self._spots if self._stir.is_stirring(spot)]
        for spot in stirring:
            known = self._stirred.setdefault(spot.name, _Stirred(t_start_s=frame.t_s, t_last_s=frame.t_s))
            known.t_last_s = frame.t_s
            if spot.name == DIE and self._die is not None:
                self._die.look_on(frame)
        if self._stirred or (self._die is not None and self._stir.still_s == 0):  # the die may fly from any hand
            self._arms.see(frame, tuple(s for s in self._spots if s.name in self._stirred))
        told: list[TableEvent] = []
        for spot in self._spots:
            told += self._attend(spot, frame)
        open_since_s = (one.t_start_s for one in self._stirred.values() if one.may_tell(frame.t_s))
        told += self._teller.settle(min(open_since_s, default=inf))
        if self._stir.still_s >= (PATIENCE.all_still_s if self._stirred else PATIENCE.still_s):
            self._arms.settle(frame, may_show_arm=bool(self._stirred))
        return tuple(told)

    def finish(self) -> tuple[TableEvent, ...]:
        """Tell what was still open at the source's end, and wait for nothing more."""
        told: list[TableEvent] = []
        for spot in () if self._has_moved else self._spots:
            stirred = self._stirred.get(spot.name)
            if stirred is not None and spot.name in self._begun and not self._arms.is_over(spot):
                told += self._look(spot, self._frames_at_rest(stirred) or [self._frames[-1]], is_last=True)
        return (*told, *self._teller.settle(inf))

    def _sit_down(self, seating: Seating, gone: Container[str] = ()) -> None:
        """Give the seats to players, of whom some are gone."""
        self._seating = seating
        self._shoulders.seat(
            {player: self._shoulders_mm[seat] for seat, player in seating.items() if player not in gone}
        )

    def _learned_die(self) -> TableDie | None:
        """Look out for the die, if it was learned with the deck and has its place on this table."""
        learned = self._reader.die if isinstance(self._reader, LearnedDeck) else None
        spot = next((spot for spot in self._spots if spot.name == DIE), None)
        return None if learned is None or spot is None else TableDie(spot, self._calibration, learned)

    def _steady(self, frame: Frame) -> CameraMoved | None:
        """Look now and then whether the camera still hangs as it was calibrated."""
        if self._steadiness is None:
            self._steadiness = Steadiness(look_at_bgr(self._calibration.empty_bgr, frame.layout))
        is_alarmed = len(self._stirred) == len(self._spots)
        self._steadiness.see(lambda: look_small(frame), frame.t_s, is_alarmed=is_alarmed)
        if not self._steadiness.has_moved:
            return None
        return CameraMoved(t_s=self._steadiness.moved_since_s or frame.t_s)

    def _attend(self, spot: TableSpot, frame: Frame) -> list[TableEvent]:
        """Look at a place if it is time to."""
        stirred = self._stirred.get(spot.name)
        if spot.name not in self._begun:
            if stirred is None and self._has_seen_enough:
                self._begin(spot)
            elif stirred is not None and frame.t_s - stirred.t_last_s > PATIENCE.quiet_s:
                del self._stirred[spot.name]
            return []
        if (
            stirred is None
            or frame.t_s - stirred.t_last_s < PATIENCE.quiet_s
            or frame.t_s - stirred.t_look_s < PATIENCE.again_s
        ):
            return []
        if self._arms.is_over(spot) and frame.t_s - stirred.t_last_s < PATIENCE.give_up_s:
            return []
        stirred.t_look_s = frame.t_s
        return self._look(spot, self._frames_at_rest(stirred))

    @property
    def _has_seen_enough(self) -> bool:
        """Whether a first look can be taken: at so many frames, or at what a slow camera has shown for a while."""
        seen_s = self._frames[-1].t_s - self._frames[0].t_s
        return len(self._frames) == FRAMES or seen_s >= PATIENCE.still_s

    def _begin(self, spot: TableSpot) -> None:
        """Take the first look at a place."""
        picture, ledger = mean_bgr(self._frames), self._ledgers[spot.name]
        ledger.begin(spot.lay_flat(picture))
        if spot.name == DIE and self._die is not None:
            self._die.note(self._die.read(picture, ledger))
        self._begun.add(spot.name)

    def _frames_at_rest(self, stirred: _Stirred) -> list[Frame]:
        return [frame for frame in self._frames if frame.t_s > stirred.t_last_s]

    def _look(self, spot: TableSpot, frames: Sequence[Frame], *, is_last: bool = False) -> list[TableEvent]:
        """Compare a place at rest with its last rest, and tell what happened there; after the last look none waits."""
        stirred, ledger = self._stirred[spot.name], self._ledgers[spot.name]
        picture = mean_bgr(frames)
        now = spot.lay_flat(picture)
        ledger.heed([card.quad_mm for name in self._beside[spot.name] for card in self._ledgers[name].cards])
        difference = ledger.compare(now)
        if difference is None:
            self._at_rest(spot)
            return []
        now_s = frames[-1].t_s
        waited_s = inf if is_last else now_s - stirred.t_last_s
        if spot.name == DIE:
            return self._look_at_die(spot, picture, difference, is_patient=waited_s < PATIENCE.read_for_s)
        if not difference.is_explained:
            return self._await(spot, now, waited_s)
        if difference.is_slight and waited_s < PATIENCE.neighbour_s and self._stirs_beside(spot, now_s):
            return []
        return self._explain(spot, picture, difference, waited_s)

    def _explain(
        self, spot: TableSpot, picture: Image, difference: PlaceDifference, waited_s: float
    ) -> list[TableEvent]:
        """Account for a difference by cards, and tell what was done with them."""
        ledger, now = self._ledgers[spot.name], spot.lay_flat(picture)
        seen, cards = self._cards(spot, picture, difference)
        if seen and not cards and not difference.is_of_all:
            difference = ledger.compare_all(now, difference)
            seen, cards = self._cards(spot, picture, difference)
        if not cards and (seen or not difference.is_explained):
            return self._await(spot, now, waited_s)
        if waited_s < PATIENCE.read_for_s and _is_unread(cards):
            return self._unexplained(spot)
        has_doubles = self._has_doubles and not self._teller.has_backs(spot.name)  # there the uppermost alone is up
        account = account_for(ledger, now, cards, difference, spreads=self._spreads, has_doubles=has_doubles)
        account = with_strange(account, self._backs.is_strange)
        if self._stirred[spot.name].was_visited_again:
            account = with_touched(account)
        ledger.enter(now, account.entry)
        laid = [act for act in account.acts if act.kind == "laid"]
        self._backs.learn([act.card for act in laid if act.doubt in (None, "strange")])
        if account.spread is not None:
            self._spreads.learn(account.spread)
        return self._teller.tell(self._finding(spot, account, is_bare=difference.is_bare))

    def _stirs_beside(self, spot: TableSpot, now_s: float) -> bool:
        """Tell whether a neighbouring place has yet to show what was done there."""
        beside = (self._stirred.get(name) for name in self._beside[spot.name])
        return any(stirred is not None and stirred.may_tell(now_s) for stirred in beside)

    def _cards(
        self, spot: TableSpot, picture: Image, difference: PlaceDifference
    ) -> tuple[list[SeenCard], tuple[SeenCard, ...]]:
        """Read what may be new cards of a place: all of them, and those that can be one there."""
        found = look_at(picture, spot, difference.candidates, self._calibration, self._reader)
        lain = self._ledgers[spot.name].cards
        seen = [read_where_others_lay(card, lain, picture, self._calibration, self._reader) for card in found]
        return seen, self._sift(spot, seen)

    def _sift(self, spot: TableSpot, seen: Sequence[SeenCard]) -> tuple[SeenCard, ...]:
        """Leave out what is no card of this deck, or can be none in this place."""
        has_backs = self._teller.has_backs(spot.name)
        return tuple(card for card in self._backs.sift(seen) if has_backs or card.reading.face == "up")

    def _await(self, spot: TableSpot, now: Image, waited_s: float) -> list[TableEvent]:
        """Wait until what no card explains is gone; what stays belongs to the table, or is a back on its like.

        That shows no edge where backs are plain: whether another was laid there people are asked.
        """
        ledger = self._ledgers[spot.name]
        may_be_laid = waited_s >= PATIENCE.back_s and self._arms.has_reached(spot.name)
        back = ledger.back_changed_in_place(now) if may_be_laid else None
        if back is None:
            if waited_s > PATIENCE.give_up_s:
                ledger.adopt(now)
                self._at_rest(spot)
                return []
            return self._unexplained(spot)
        account = Account(acts=(Act(kind="laid", card=back, doubt="touched"),), entry=LedgerEntry(come=(back,)))
        ledger.enter(now, account.entry)
        return self._teller.tell(self._finding(spot, account))

    def _unexplained(self, spot: TableSpot) -> list[TableEvent]:
        """Tell nothing, and remember that there was a look that told nothing."""
        stirred = self._stirred[spot.name]
        stirred.t_unexplained_s = min(stirred.t_unexplained_s, self._frames[-1].t_s)
        return []

    def _look_at_die(
        self, spot: TableSpot, picture: Image, difference: PlaceDifference, *, is_patient: bool
    ) -> list[TableEvent]:
        """Read the die where it has come to rest, if it was learned with the deck; once rolled, it is only moved.

        One that lies as it did was not touched: something else was put down or taken beside it. Of one that was thrown
        and cannot be read, or of a small thing that may be it, people are asked.
        """
        ledger = self._ledgers[spot.name]
        reading = NO_DIE if self._die is None else self._die.read(picture, ledger)
        if reading.face is None and is_patient and self._die is not None and not difference.is_bare:
            return []
        is_thrown = self._die is not None and self._die.note(reading)
        ledger.enter(spot.lay_flat(picture), LedgerEntry(gone=tuple(range(len(ledger.layers)))))
        ledger.adopt(spot.lay_flat(picture))
        finding = self._finding(spot, Account())
        if self._is_rolled or not is_thrown:
            return []
        crossing_mm = finding.arms.crossing_mm()
        if crossing_mm is None:
            crossing_mm = self._arms.thrower_mm(finding.t_start_s)
        player = finding.owner_of(crossing_mm, self._shoulders, spot.middle_mm, self._due)
        if reading.face is None:
            return [finding.event("roll", doubt=UNREAD_DIE, player=player or self._due, face=None)]
        return [replace(finding.event("roll", player=player, face=reading.face), confidence=reading.confidence)]

    def _finding(self, spot: TableSpot, account: Account, *, is_bare: bool = False) -> PlaceFinding:
        """Join what was done in a place with its times and its arm; the place is at rest again."""
        stirred = self._stirred.pop(spot.name)
        arms = self._arms.reached(spot)
        self._arms.forget(spot.name)
        kind, _, rest = spot.name.partition(":")
        seat, _, number = rest.rpartition(":") if rest not in seats_of(self._zones) else (rest, "", "0")
        return PlaceFinding(
            spot=spot.name,
            acts=account.acts,
            is_bare=is_bare,
            owner=self.seating.get(seat) if kind == "seat" else None,
            number=int(number or 0),
            lying=tuple(self._ledgers[spot.name].cards),
            arms=arms,
            t_start_s=stirred.t_start_s,
            t_end_s=stirred.t_last_s,
        )

    def _at_rest(self, spot: TableSpot) -> None:
        self._stirred.pop(spot.name, None)
        self._arms.forget(spot.name)


def _is_unread(cards: Sequence[SeenCard]) -> bool:
    return any(card.reading.face == "up" and card.reading.name is None for card in cards)
