"""What is known of one cap is one value, and so is what is known of the scene; here is all that can become of them.

A cap:

    NOWHERE     it lies nowhere that is known: not found yet, out of the picture, or taken from the board
    RESTING     it is seen in its place
    HIDDEN      its place does not look as before: a hand, a shadow, another cap on its way lies over it, or it has gone
    LEFT        it is not in its place any more: bare ground was seen there, or another cap has come to rest there
    RETURNING   its bare place looks like the cap again: it was put back, or a shadow lies there for a moment

    NOWHERE ----------------- found at rest ---------------------> RESTING
    RESTING, HIDDEN, LEFT     are told apart by how the place looks, frame by frame
    LEFT -- looks as before --> RETURNING -- still does after a while --> RESTING
    HIDDEN, LEFT, RETURNING - found at rest, there or elsewhere --> RESTING
    any --------------------- found out of the picture ----------> NOWHERE
    LEFT -------------------- bare for long, and no cap about ---> NOWHERE
    NOWHERE, RESTING, HIDDEN, LEFT - it left another place ------> LEFT     for it lay there, not where was thought
    LEFT -- bare for long, and something else left that place ---> RESTING  where it was thought to lie before
    LEFT, RETURNING --------- the story is told -----------------> HIDDEN  until its place is looked at anew

The scene:

    OPENING     nothing is known until the picture has been still for some frames
    AT_REST     every cap that lies on the board is in its place
    PLAYING     one is not
    GATHERING   some caps that moved have come to rest and are known; others of the same shot are waited for
    KNOCKED     the picture does not fit the calibration; once it does again, the scene is opened anew

What moves either is looked up in a table; what stands in none raises.
"""

from dataclasses import dataclass, replace
from enum import Enum
from math import hypot
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import Tuning, tuned
from linesies.vision.caps.cap import Cap
from linesies.vision.shots.blobs import Blob
from linesies.vision.shots.onset import PlaceHistory
from linesies.vision.shots.place import Place, Presence
from linesies.vision.shots.search import Search
from linesies.vision.values import Call


@dataclass(frozen=True)
class PhaseTuning(Tuning):
    """How long a look must last, or may, to mean something."""

    back_s: float = tuned(
        0.35,
        title="for which a place that was bare must look as before",
        unit="s",
        low=0.02,
        high=1,
        source="by hand, 0.12 until 30 November: the place of a cap that was grazed away by 18 mm looked as before for "
        "0.3 s (world=varied 3438), and the cap was told as shot by itself",
    )
    gone_s: float = tuned(
        0.12,
        title="for which a place must look bare until what may have been a cap has left it",
        unit="s",
        low=0.02,
        high=1,
        source=by_hand_in("710575c"),
    )
    abrupt_s: float = tuned(
        0.1,
        title="from when a cap was last there until its place is bare: no hand is so quick",
        unit="s",
        low=0.02,
        high=0.5,
        source=by_hand_in("0679fce"),
    )
    same_small_px: float = tuned(
        0.5,
        title="by which a cap that keeps still wanders, in the small picture",
        unit="px",
        low=0.1,
        high=3,
        source=by_hand_in("a0eb470"),
    )


PHASES = PhaseTuning()
REMEMBERED = 3  # places in which a cap lay: two that are swapped and put back go by a third


class CapPhase(Enum):
    """Where a cap is in its life on the board."""

    NOWHERE = "nowhere"
    RESTING = "resting"
    HIDDEN = "hidden"
    LEFT = "left"
    RETURNING = "returning"


class Cause(Enum):
    """What was seen of a cap."""

    LOOKS_AS_BEFORE = "its place looks as before"
    LOOKS_BARE = "its place looks like bare ground"
    LOOKS_COVERED = "its place looks like neither"
    STAYED_BACK = "its place, once bare, has looked as before for a while"
    DISPLACED = "another cap has come to rest in its place"
    FOUND = "it was found at rest"
    OUT_OF_VIEW = "it was found to be out of the picture"
    TAKEN_UP = "its place has been bare for long, and it lies nowhere"
    TOLD = "what happened is told, or nothing had"
    UNMASKED = "what has left another place was this cap, and something else was taken for it"
    LAY_THERE = "it lies where it was thought to lie before, for what left the other place lies nowhere"


CAP: dict[tuple[CapPhase, Cause], CapPhase] = {
    (CapPhase.NOWHERE, Cause.FOUND): CapPhase.RESTING,
    (CapPhase.NOWHERE, Cause.OUT_OF_VIEW): CapPhase.NOWHERE,
    (CapPhase.NOWHERE, Cause.TOLD): CapPhase.NOWHERE,
    (CapPhase.NOWHERE, Cause.UNMASKED): CapPhase.LEFT,
    (CapPhase.RESTING, Cause.LOOKS_AS_BEFORE): CapPhase.RESTING,
    (CapPhase.RESTING, Cause.LOOKS_COVERED): CapPhase.HIDDEN,
    (CapPhase.RESTING, Cause.LOOKS_BARE): CapPhase.LEFT,
    (CapPhase.RESTING, Cause.FOUND): CapPhase.RESTING,  # it was stirred, or lay elsewhere than was thought
    (CapPhase.RESTING, Cause.OUT_OF_VIEW): CapPhase.NOWHERE,
    (CapPhase.RESTING, Cause.TOLD): CapPhase.RESTING,
    (CapPhase.RESTING, Cause.UNMASKED): CapPhase.LEFT,
    (CapPhase.HIDDEN, Cause.LOOKS_AS_BEFORE): CapPhase.RESTING,
    (CapPhase.HIDDEN, Cause.LOOKS_COVERED): CapPhase.HIDDEN,
    (CapPhase.HIDDEN, Cause.LOOKS_BARE): CapPhase.LEFT,
    (CapPhase.HIDDEN, Cause.DISPLACED): CapPhase.LEFT,
    (CapPhase.HIDDEN, Cause.FOUND): CapPhase.RESTING,
    (CapPhase.HIDDEN, Cause.OUT_OF_VIEW): CapPhase.NOWHERE,
    (CapPhase.HIDDEN, Cause.TOLD): CapPhase.HIDDEN,
    (CapPhase.HIDDEN, Cause.UNMASKED): CapPhase.LEFT,
    (CapPhase.LEFT, Cause.LOOKS_AS_BEFORE): CapPhase.RETURNING,
    (CapPhase.LEFT, Cause.LOOKS_COVERED): CapPhase.LEFT,
    (CapPhase.LEFT, Cause.LOOKS_BARE): CapPhase.LEFT,
    (CapPhase.LEFT, Cause.DISPLACED): CapPhase.LEFT,
    (CapPhase.LEFT, Cause.FOUND): CapPhase.RESTING,
    (CapPhase.LEFT, Cause.OUT_OF_VIEW): CapPhase.NOWHERE,
    (CapPhase.LEFT, Cause.TAKEN_UP): CapPhase.NOWHERE,
    (CapPhase.LEFT, Cause.TOLD): CapPhase.HIDDEN,
    (CapPhase.LEFT, Cause.UNMASKED): CapPhase.LEFT,  # what left the place before was none
    (CapPhase.LEFT, Cause.LAY_THERE): CapPhase.RESTING,
    (CapPhase.RETURNING, Cause.LOOKS_AS_BEFORE): CapPhase.RETURNING,
    (CapPhase.RETURNING, Cause.STAYED_BACK): CapPhase.RESTING,
    (CapPhase.RETURNING, Cause.LOOKS_COVERED): CapPhase.LEFT,
    (CapPhase.RETURNING, Cause.LOOKS_BARE): CapPhase.LEFT,
    (CapPhase.RETURNING, Cause.DISPLACED): CapPhase.RETURNING,
    (CapPhase.RETURNING, Cause.FOUND): CapPhase.RESTING,
    (CapPhase.RETURNING, Cause.OUT_OF_VIEW): CapPhase.NOWHERE,
    (CapPhase.RETURNING, Cause.TOLD): CapPhase.HIDDEN,
}


class ScenePhase(Enum):
    """What is going on over the whole board."""

    OPENING = "opening"
    AT_REST = "at rest"
    PLAYING = "playing"
    GATHERING = "gathering"
    KNOCKED = "knocked"


class SceneCause(Enum):
    """What was seen of the scene."""

    STILL = "the picture has been still for some frames"
    ALL_THERE = "every cap that lies on the board is seen in its place"
    ONE_MISSED = "a cap is not seen in its place"
    SOME_KNOWN = "it is known where caps that moved have come to rest"
    TOLD = "what happened is told"
    KNOCKED = "the picture lies elsewhere than the calibration has it"
    FITS_AGAIN = "the picture fits the calibration again"


SCENE: dict[tuple[ScenePhase, SceneCause], ScenePhase] = {
    (ScenePhase.OPENING, SceneCause.STILL): ScenePhase.AT_REST,
    (ScenePhase.OPENING, SceneCause.KNOCKED): ScenePhase.KNOCKED,
    (ScenePhase.AT_REST, SceneCause.ALL_THERE): ScenePhase.AT_REST,
    (ScenePhase.AT_REST, SceneCause.ONE_MISSED): ScenePhase.PLAYING,
    (ScenePhase.AT_REST, SceneCause.SOME_KNOWN): ScenePhase.GATHERING,  # a cap that lay nowhere was put down
    (ScenePhase.AT_REST, SceneCause.KNOCKED): ScenePhase.KNOCKED,
    (ScenePhase.PLAYING, SceneCause.ONE_MISSED): ScenePhase.PLAYING,
    (ScenePhase.PLAYING, SceneCause.ALL_THERE): ScenePhase.AT_REST,
    (ScenePhase.PLAYING, SceneCause.SOME_KNOWN): ScenePhase.GATHERING,
    (ScenePhase.PLAYING, SceneCause.KNOCKED): ScenePhase.KNOCKED,
    (ScenePhase.GATHERING, SceneCause.ONE_MISSED): ScenePhase.GATHERING,
    (ScenePhase.GATHERING, SceneCause.ALL_THERE): ScenePhase.GATHERING,
    (ScenePhase.GATHERING, SceneCause.SOME_KNOWN): ScenePhase.GATHERING,
    (ScenePhase.GATHERING, SceneCause.TOLD): ScenePhase.AT_REST,  # and PLAYING at once where a cap is still missed
    (ScenePhase.GATHERING, SceneCause.KNOCKED): ScenePhase.KNOCKED,
    (ScenePhase.KNOCKED, SceneCause.KNOCKED): ScenePhase.KNOCKED,
    (ScenePhase.KNOCKED, SceneCause.FITS_AGAIN): ScenePhase.OPENING,
}

LOOKS = {
    Presence.THERE: Cause.LOOKS_AS_BEFORE,
    Presence.BARE: Cause.LOOKS_BARE,
    Presence.COVERED: Cause.LOOKS_COVERED,
}
P = TypeVar("P", CapPhase, ScenePhase)
C = TypeVar("C", Cause, SceneCause)


class IllegalTransitionError(RuntimeError):
    """Something was said to be seen that cannot be in that phase: a fault of the program, not of the picture."""


def moved_on(table: dict[tuple[P, C], P], phase: P, cause: C) -> P:
    """Look up the phase that follows; raises IllegalTransitionError where the table names none."""
    if (phase, cause) not in table:
        raise IllegalTransitionError(f"{cause.name} cannot be while {phase.name}: {cause.value}")
    return table[phase, cause]


@dataclass(frozen=True, slots=True, kw_only=True)
class StillSince:
    """Where in the small picture a cap seems to have come to rest, within which reach it is seen, and since when."""

    xy_small: tuple[float, float]
    reach_small: float
    since_s: float

    @classmethod
    def of(cls, xy_small: NDArray[np.float64], *, reach_small: float, since_s: float) -> "StillSince":
        """Take a point (2,) of the small picture."""
        x, y = map(float, xy_small)
        return cls(xy_small=(x, y), reach_small=reach_small, since_s=since_s)

    def explains(self, blob: Blob, column: int) -> bool:
        """Tell whether a blob is that cap, of that column: by where it is seen as it, not by a middle with shadow."""
        (x, y), (there_x, there_y) = blob.xy_small[column].tolist(), self.xy_small
        return blob.t_s >= self.since_s and hypot(x - there_x, y - there_y) < self.reach_small


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Measurement:
    """The call on a cap that keeps still at a point (2,) of the small picture; whether it stays is not sure yet."""

    xy_small: NDArray[np.float64]
    call: Call


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CapState:
    """All that is known of one cap; times are seconds of the source, None where that is not so.

    `column` is the cap's among those listed, by which a blob says how much it looks like it.
    """

    cap: Cap
    column: int
    phase: CapPhase = CapPhase.NOWHERE
    is_news: bool = True  # what becomes of it is told; not so of a cap that nobody has seen on the board yet
    is_guess: bool = False  # it looks like another listed cap, and may be that one
    is_unmasked: bool = False  # while it is missed: it may lie in yet another place, for what left its own was litter

    place: Place | None = None  # where it lies, or lay
    past_mm: tuple[tuple[float, float], ...] = ()  # where it lay before that, the latest first
    own_part: Place | None = None  # the same, less what its neighbours cover of it
    presence: Presence | None = None  # how its place looked at the latest look
    history: PlaceHistory | None = None  # how its place looked lately
    is_displaced: bool = False  # another cap lies in its place for good: that is bare of this one, whatever is seen

    last_there_s: float | None = None  # last seen in its place
    missed_s: float | None = None  # since when it is not seen in its place
    left_s: float | None = None  # since when it is known not to be in its place
    bare_s: float | None = None  # since when its place has looked bare without a break
    back_s: float | None = None  # since when its bare place has looked as before
    away_s: float = 0.0  # for how long in all it was missed since the last story was told

    still: StillSince | None = None  # where it keeps still
    measurement: Measurement | None = None
    search: Search | None = None  # while it is lost from sight
    stray: Search | None = None  # while something that looks just like it lies elsewhere

    @property
    def player(self) -> str:
        """Whose cap it is."""
        return self.cap.player

    @property
    def is_missed(self) -> bool:
        """Tell whether it lies on the board but is not seen in its place."""
        return self.phase in (CapPhase.HIDDEN, CapPhase.LEFT, CapPhase.RETURNING)

    @property
    def has_left(self) -> bool:
        """Tell whether it is missed and known not to be in its place."""
        return self.phase in (CapPhase.LEFT, CapPhase.RETURNING)

    @property
    def _past_mm(self) -> tuple[tuple[float, float], ...]:
        """Where it lay before, once it lies elsewhere."""
        return self.past_mm if self.place is None else (self.place.xy_mm, *self.past_mm)[:REMEMBERED]

    def has_glimpsed(self, t_s: float) -> bool:
        """Tell whether it was seen lately, though lost from sight, and should be waited for."""
        return self.search is not None and self.search.has_glimpsed(t_s)

    def measured_at(self, xy_small: NDArray[np.float64]) -> Call | None:
        """Return the call that was made while the cap kept still there; None where none was."""
        if self.measurement is None or np.hypot(*(self.measurement.xy_small - xy_small)) >= PHASES.same_small_px:
            return None
        return self.measurement.call

    def looked_at(self, presence: Presence, history: PlaceHistory, *, t_s: float, took_s: float) -> "CapState":
        """Note how its place looks now, `took_s` after the last look."""
        is_there = presence is Presence.THERE
        has_stayed = is_there and self.back_s is not None and t_s - self.back_s >= PHASES.back_s
        stays = self.phase is CapPhase.RETURNING and has_stayed
        phase = moved_on(CAP, self.phase, Cause.STAYED_BACK if stays else LOOKS[presence])
        if phase is CapPhase.RESTING:
            return self._unmissed(phase, presence=presence, history=history, last_there_s=t_s)
        is_bare = presence is Presence.BARE
        return replace(
            self,
            phase=phase,
            presence=presence,
            history=history,
            missed_s=_first(self.missed_s, t_s),
            left_s=_first(self.left_s, t_s) if is_bare else self.left_s,
            bare_s=_first(self.bare_s, t_s) if is_bare else None,
            back_s=_first(self.back_s, t_s) if is_there else None,
            away_s=self.away_s + took_s,
        )

    def displaced(self, t_s: float, *, is_for_good: bool = False) -> "CapState":
        """Note that it can't be in its place, for another has come to rest there."""
        phase = moved_on(CAP, self.phase, Cause.DISPLACED)
        is_displaced = self.is_displaced or is_for_good
        return replace(self, phase=phase, left_s=_first(self.left_s, t_s), is_displaced=is_displaced)

    def found(self, place: Place | None) -> "CapState":
        """Note where it has come to rest; None: out of the picture."""
        phase = moved_on(CAP, self.phase, Cause.OUT_OF_VIEW if place is None else Cause.FOUND)
        history = None if place is None else PlaceHistory.of(place)
        is_news = self.is_news or self.is_unmasked
        there = self._unmissed(phase, place=place, is_displaced=False, away_s=0.0)
        return replace(there, history=history, past_mm=self._past_mm, is_news=is_news)

    def found_unmoved(self) -> "CapState":
        """Note that it has not moved, though its place looked otherwise for a while."""
        return self._unmissed(moved_on(CAP, self.phase, Cause.FOUND), away_s=0.0)

    def unmasked(
        self, history: PlaceHistory, *, last_there_s: float, bare_s: float, is_certain: bool = False
    ) -> "CapState":
        """Note that it lay in another place than was thought, and has left it: for certain, or that was litter."""
        return replace(
            self,
            phase=moved_on(CAP, self.phase, Cause.UNMASKED),
            is_unmasked=not is_certain,
            place=history.place,
            own_part=history.place,
            presence=Presence.BARE,
            is_displaced=False,
            history=history,
            last_there_s=last_there_s,
            missed_s=bare_s,
            left_s=bare_s,
            bare_s=bare_s,
            back_s=None,
        )

    def lay_there(self, history: PlaceHistory, *, last_there_s: float) -> "CapState":
        """Note that it lies where it was thought to lie before, for what was taken for it since was none."""
        phase, place = moved_on(CAP, self.phase, Cause.LAY_THERE), history.place
        there = self._unmissed(phase, place=place, history=history, last_there_s=last_there_s, is_displaced=False)
        return replace(there, presence=None)

    def taken_up(self) -> "CapState":
        """Note that people have taken it from the board: it is waited for no longer."""
        phase = moved_on(CAP, self.phase, Cause.TAKEN_UP)
        past_mm = self._past_mm
        return self._unmissed(phase, left_s=self.left_s, place=None, history=None, past_mm=past_mm, is_displaced=False)

    def told(self) -> "CapState":
        """Forget what it did: all that has happened is told. Whether its place is bare will be seen anew."""
        phase = moved_on(CAP, self.phase, Cause.TOLD)
        return replace(self, phase=phase, left_s=None, back_s=None, away_s=0.0, still=None)

    def _unmissed(self, phase: CapPhase, *, left_s: float | None = None, **more: Any) -> "CapState":
        """Move on, forget since when it was missed, and note more: in one copy, for every cap and frame."""
        return replace(
            self, phase=phase, missed_s=None, left_s=left_s, bare_s=None, back_s=None, is_unmasked=False, **more
        )


def _first(since_s: float | None, t_s: float) -> float:
    """Since when something has been so that is so now."""
    return t_s if since_s is None else since_s
