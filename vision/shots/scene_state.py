"""What is known of the scene: each cap's state, the blobs since all was last told, and what is not told yet.

A value: every method gives the state that follows. What moves a cap or the scene on stands in cap_state.py.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from linesies.calibration.set_by_hand import by_hand_in
from linesies.calibration.tuning import ON_FILMS, Tuning, tuned
from linesies.vision.caps.cap import Cap, doubles
from linesies.vision.shots.blobs import Blob
from linesies.vision.shots.cap_state import (
    PHASES,
    SCENE,
    CapState,
    Measurement,
    SceneCause,
    ScenePhase,
    StillSince,
    moved_on,
)
from linesies.vision.shots.latest_frames import USUAL_FRAME_S
from linesies.vision.shots.lookalike import Lookalike
from linesies.vision.shots.moved import Movement
from linesies.vision.shots.onset import PlaceHistory
from linesies.vision.shots.pending import PendingShot
from linesies.vision.shots.place import Place, Presence, own_part
from linesies.vision.shots.search import Search

Caps = Mapping[str, CapState]


@dataclass(frozen=True)
class SceneTuning(Tuning):
    """What is remembered of a scene, and what belongs together."""

    longest_s: float = tuned(
        12.0,
        title="for which blobs are kept: flights are shorter",
        unit="s",
        low=2,
        high=60,
        source="physics: the fastest flick (FollowTuning.fastest_mm_s) comes to rest in 2.3 s; what rolls takes longer",
    )
    together_s: float = tuned(
        0.1,
        title="within which caps leave their places that were struck together",
        unit="s",
        low=0.02,
        high=0.5,
        source=by_hand_in("2d4b5cf"),
    )
    seen_lately_s: float = tuned(
        0.1, title="ago a blob shows where its cap is now", unit="s", low=0.02, high=1, source=ON_FILMS
    )
    most_blobs: int = tuned(
        6000,
        title="blobs that are kept at most, however many there are",
        unit="1",
        low=500,
        high=50_000,
        source=by_hand_in("cd19fdd"),
    )
    longest_look_s: float = tuned(
        1.0,
        title="from one look to the next: what took longer was not looked at, as before the first",
        unit="s",
        low=0.1,
        high=10,
        source=by_hand_in("d914c03"),
    )
    seen_misfit: float = tuned(
        0.5,
        title="misfit of colour up to which a blob under way is shown as a cap",
        unit="1",
        low=0.1,
        high=1,
        source=by_hand_in("0753346"),
    )
    seen_least_fill: float = tuned(
        0.4, title="least of a cap's area that it fills", unit="1", low=0.05, high=1, source=by_hand_in("0753346")
    )
    seen_most_fill: float = tuned(
        2.0, title="likewise the most", unit="1", low=1, high=10, source=by_hand_in("0753346")
    )

    def may_show(self, blob: Blob, column: int) -> bool:
        """Tell whether a blob under way may be shown as the cap of that column."""
        is_like = blob.misfit[column] < self.seen_misfit
        return bool(blob.is_free and is_like and self.seen_least_fill < blob.fill[column] < self.seen_most_fill)


SCENE_TUNING = SceneTuning()


@dataclass(frozen=True, kw_only=True, eq=False)
class SceneState:
    """The scene at the latest look; `caps` are in the order in which they came to rest."""

    caps: Caps
    lookalikes: tuple[Lookalike, ...] = ()  # what may be one of the caps instead, until that one has moved
    phase: ScenePhase = ScenePhase.OPENING
    t_s: float = 0.0  # of the latest look at the caps' places
    told_s: float = 0.0  # since when nothing is untold
    frame_s: float = USUAL_FRAME_S  # for which a frame lasts
    blobs: tuple[Blob, ...] = ()  # since then, in order of time
    latest: tuple[Blob, ...] = ()  # those of the latest picture in which any were looked for
    are_same_missed: bool = False  # the caps that were missed at the look before
    is_blinded: bool = False  # light hides what lies somewhere on the board
    radius_small: float = 0.0  # of a listed cap in the middle of the small picture
    is_calm: bool = False  # nothing larger than caps is to be seen but them
    hold_s: float = 0.0  # until when no arrival is believed: something may still be over it
    shots: tuple[PendingShot, ...] = ()  # not told yet

    @classmethod
    def of(cls, caps: Iterable[Cap]) -> "SceneState":
        """Begin with nothing known of these caps; of those that look alike, not even whose is whose."""
        listed = list(caps)
        alike = {player for pair in doubles(listed) for player in pair}
        return cls(
            caps={cap.player: CapState(cap=cap, column=k, is_guess=cap.player in alike) for k, cap in enumerate(listed)}
        )

    @cached_property
    def placed(self) -> tuple[CapState, ...]:
        """The caps that lie on the board, or lay there when they were last seen."""
        return tuple(cap for cap in self.caps.values() if cap.place is not None)

    @cached_property
    def missed(self) -> tuple[CapState, ...]:
        """The caps that are not seen in their places, the longest missed first."""
        missed = (cap for cap in self.caps.values() if cap.is_missed)
        return tuple(sorted(missed, key=lambda cap: cap.missed_s or 0.0))

    @cached_property
    def sought(self) -> tuple[CapState, ...]:
        """The caps that may come to rest somewhere, in the order in which they were listed."""
        found = (cap for cap in self.caps.values() if cap.is_missed or cap.place is None)
        return tuple(sorted(found, key=lambda cap: cap.column))

    @property
    def is_complete(self) -> bool:
        """Tell whether every listed cap is in its place, and whatever else may be one."""
        return not self.sought and all(one.presence is Presence.THERE for one in self.lookalikes)

    @property
    def is_glimpsed(self) -> bool:
        """Tell whether a missed cap was seen just now and should be waited for."""
        return any(cap.has_glimpsed(self.t_s) for cap in self.missed)

    @property
    def is_waiting(self) -> bool:
        """Tell whether a cap is still to be found that belongs to the shot that is not told yet."""
        left = [
            (cap.missed_s, cap.left_s)
            for cap in self.caps.values()
            if cap.has_left and cap.missed_s is not None and cap.left_s is not None
        ]
        return bool(self.shots) and self.shots[-1].is_waiting(self.t_s, left)

    def since(self, t_s: float) -> list[Blob]:
        """Return the blobs seen from a time on, in order."""
        return list(self.blobs[bisect_left(self.blobs, t_s, key=lambda blob: blob.t_s) :])

    def may_have_hidden(self, moved: Iterable[Movement]) -> bool:
        """Tell whether a cap may have lain where light hides it before these moved, and been shot from there unseen."""
        is_unseen = any(cap.place is None for cap in self.caps.values()) or any(m.from_mm is None for m in moved)
        return self.is_blinded and is_unseen

    def maybe(self, cap: CapState, t_s: float) -> list[Blob]:
        """Return the blobs seen from a time on that may be this cap: none where another keeps still."""
        others = [(one.still, one.column) for one in self.caps.values() if one.still and one.player != cap.player]
        seen = self.since(t_s)
        return [blob for blob in seen if not any(still.explains(blob, k) for still, k in others)] if others else seen

    def left_at_once(self, cap: CapState) -> bool:
        """Tell whether a cap was gone too quickly for a hand, or with others."""
        if cap.missed_s is None or cap.left_s is None:
            return False
        others = [one.missed_s for one in self.caps.values() if one.has_left and one.player != cap.player]
        is_abrupt = cap.left_s - (cap.last_there_s or 0.0) <= PHASES.abrupt_s
        return is_abrupt or any(s is not None and abs(s - cap.missed_s) < SCENE_TUNING.together_s for s in others)

    @property
    def lain_in(self) -> dict[str, Place]:
        """The places in which caps lie, by their players; of one that is missed there is none."""
        return {cap.player: cap.place for cap in self.placed if cap.place and not cap.is_missed}

    def opened(
        self,
        places: Mapping[str, Place],
        *,
        radius_small: float,
        lookalikes: Iterable[Lookalike] = (),
        is_blinded: bool = False,
    ) -> "SceneState":
        """Take the first scene at rest, in which light may hide caps; the first that is seen of those is no news.

        `radius_small` is that of a listed cap in the middle of the small picture.
        """
        caps = {p: cap if p in places else replace(cap, is_news=False) for p, cap in self.caps.items()}
        phase = moved_on(SCENE, self.phase, SceneCause.STILL)
        return replace(
            self,
            caps=_put(caps, places),
            lookalikes=tuple(lookalikes),
            phase=phase,
            radius_small=radius_small,
            is_blinded=is_blinded,
        )

    def looked_at(
        self,
        presences: Mapping[str, Presence],
        histories: Mapping[str, PlaceHistory],
        t_s: float,
        *,
        frame_s: float = USUAL_FRAME_S,
    ) -> "SceneState":
        """Note how each cap's place looks now, in frames that last so long."""
        took_s = min(max(t_s - self.t_s, 0.0), SCENE_TUNING.longest_look_s)
        seen = {
            player: self.caps[player].looked_at(presence, histories[player], t_s=t_s, took_s=took_s)
            for player, presence in presences.items()
        }
        caps = {**self.caps, **seen}
        is_same = all(cap.is_missed is self.caps[player].is_missed for player, cap in seen.items())
        phase = _phase(self.phase, caps)
        return replace(self, caps=caps, t_s=t_s, frame_s=frame_s, phase=phase, are_same_missed=is_same)

    def unmasked(self, lookalikes: Iterable[Lookalike], left: Mapping[str, Lookalike]) -> "SceneState":
        """Note how the lookalikes look, and which have left and were those caps, unless they lie where was thought."""
        changed = {
            player: cap.unmasked(
                one.history,
                last_there_s=one.last_there_s,
                bare_s=one.since_s,
                is_certain=one.was_named and cap.has_left,  # both have left: that of the litter, and its own
            )
            for player, one in left.items()
            for cap in (self.caps[player],)
        }
        caps = _put({**self.caps, **changed}, {}) if changed else self.caps
        named = (Lookalike.of(self.caps[player], self.t_s) for player in left)
        both = (*(one for one in named if one is not None), *lookalikes)
        return replace(self, caps=caps, lookalikes=both, phase=_phase(self.phase, caps))

    def with_blobs(self, blobs: tuple[Blob, ...], *, is_calm: bool) -> "SceneState":
        """Note one picture's blobs, and drop the oldest."""
        first = bisect_left(self.blobs, -SCENE_TUNING.longest_s, key=lambda blob: blob.t_s - self.t_s)
        return replace(
            self, blobs=(*self.blobs[first:], *blobs)[-SCENE_TUNING.most_blobs :], latest=blobs, is_calm=is_calm
        )

    def still_at(self, stills: Mapping[str, StillSince]) -> "SceneState":
        """Note where caps keep still: what is seen there is no other on its way."""
        return self._with({p: replace(self.caps[p], still=still) for p, still in stills.items()})

    def measured(self, calls: Mapping[str, Measurement]) -> "SceneState":
        """Keep calls that were made before it is sure that the caps stay there."""
        return self._with({p: replace(self.caps[p], measurement=measurement) for p, measurement in calls.items()})

    def held_until(self, t_s: float) -> "SceneState":
        """Believe no arrival until a time, and measure anew after it."""
        return replace(self.unmeasured(), hold_s=t_s)

    def displaced(self, players: Iterable[str], *, is_for_good: bool = False) -> "SceneState":
        """Note in whose places others have come to rest, of those caps that are missed."""
        missed = (self.caps[p] for p in players if self.caps[p].is_missed)
        return self._with({cap.player: cap.displaced(self.t_s, is_for_good=is_for_good) for cap in missed})

    def searching(self, searches: Mapping[str, Search]) -> "SceneState":
        """Note how the search for each lost cap stands; for all others there is none."""
        changed = {p: cap for p, cap in self.caps.items() if cap.search is not searches.get(p)}
        return self._with({p: replace(cap, search=searches.get(p)) for p, cap in changed.items()})

    def straying(self, strays: Mapping[str, Search]) -> "SceneState":
        """Note which caps seem to lie elsewhere, and how the search for each stands; the others don't."""
        changed = {p: cap for p, cap in self.caps.items() if cap.stray is not strays.get(p)}
        return self._with({p: replace(cap, stray=strays.get(p)) for p, cap in changed.items()})

    def found(self, places: Mapping[str, Place | None], *, unmoved: Iterable[str] = ()) -> "SceneState":
        """Note where caps have come to rest (None: out of the picture), and which have not moved."""
        caps = _put({**self.caps, **{p: self.caps[p].found_unmoved() for p in unmoved}}, places)
        lookalikes = tuple(one for one in self.lookalikes if one.player not in places)
        return replace(self, caps=caps, lookalikes=lookalikes, phase=_phase(self.phase, caps))

    def taken_up(self, players: Iterable[str]) -> "SceneState":
        """Note which caps people have taken from the board; or litter, and the cap lies where it was thought to lie."""
        taken = [self.caps[player] for player in players]
        sought = {cap.player for cap in taken if cap.is_unmasked}
        lie = {one.player: one for one in reversed(self.lookalikes) if one.was_named and one.player in sought}
        away = {cap.player: cap.taken_up() for cap in taken if cap.player not in lie}
        lay = {p: self.caps[p].lay_there(one.history, last_there_s=one.last_there_s) for p, one in lie.items()}
        caps = _put({**self.caps, **away, **lay}, {})
        lookalikes = tuple(one for one in self.lookalikes if one is not lie.get(one.player))
        return replace(self, caps=caps, lookalikes=lookalikes, phase=_phase(self.phase, caps))

    def gathered(self, moved: Iterable[Movement], t_end_s: float) -> "SceneState":
        """Add caps to the shot that is not told yet; when one of its caps has moved again, they begin another."""
        moved = tuple(moved)
        if self.shots and not self.shots[-1].has_moved_again(moved):
            shots = (*self.shots[:-1], self.shots[-1].joined_by(moved, t_end_s))
            return replace(self, shots=shots)
        if not moved:
            return self
        shot = PendingShot(moved=moved, since_s=self.t_s, t_end_s=t_end_s)
        begun = self.forgotten() if self.shots else self
        phase = moved_on(SCENE, self.phase, SceneCause.SOME_KNOWN)
        return replace(begun, shots=(*self.shots, shot), phase=phase)

    def told(self, guesses: frozenset[str]) -> "SceneState":
        """Forget what is told now: from here on, what becomes of those caps is news, and whose these are a guess."""
        told = {m.player for shot in self.shots for m in shot.moved}
        before = self.forgotten()
        caps = {
            p: replace(cap, is_news=cap.is_news or p in told, is_guess=p in guesses) for p, cap in before.caps.items()
        }
        phase = _phase(moved_on(SCENE, self.phase, SceneCause.TOLD), caps)
        return replace(before, caps=caps, phase=phase, shots=())

    def forgotten(self) -> "SceneState":
        """Forget what was seen since all was last told: it is told now, or all caps are in their places again."""
        caps = {p: cap.told() for p, cap in self.caps.items()}
        return replace(self, caps=caps, blobs=(), told_s=self.t_s)

    def knocked(self) -> "SceneState":
        """Note that the camera hangs otherwise than it was calibrated; what was known by then is told."""
        return replace(self, phase=moved_on(SCENE, self.phase, SceneCause.KNOCKED), shots=())

    def fits_again(self) -> "SceneState":
        """Begin anew, for the camera hangs again as it did."""
        phase = moved_on(SCENE, self.phase, SceneCause.FITS_AGAIN)
        listed = sorted(self.caps.values(), key=lambda cap: cap.column)
        return replace(SceneState.of(cap.cap for cap in listed), phase=phase)

    def unmeasured(self) -> "SceneState":
        """Forget the calls that were made before it was sure that the caps stay there."""
        return self._with({p: replace(cap, measurement=None) for p, cap in self.caps.items() if cap.measurement})

    def _with(self, changed: Caps) -> "SceneState":
        return replace(self, caps={**self.caps, **changed}) if changed else self


def _put(caps: Caps, places: Mapping[str, Place | None]) -> Caps:
    """Put caps in their new places, after those that have lain there for longer, and renew what each covers alone."""
    put = {p: cap for p, cap in caps.items() if p not in places}
    put |= {p: caps[p].found(place) for p, place in places.items()}
    resting = [cap.place for cap in put.values() if cap.place is not None]
    return {p: replace(cap, own_part=_own_part(cap.place, resting)) for p, cap in put.items()}


def _own_part(place: Place | None, resting: list[Place]) -> Place | None:
    return None if place is None else own_part(place, [other for other in resting if other is not place])


def _phase(phase: ScenePhase, caps: Caps) -> ScenePhase:
    """Move the scene on by whether a cap is missed."""
    is_missed = any(cap.is_missed for cap in caps.values())
    return moved_on(SCENE, phase, SceneCause.ONE_MISSED if is_missed else SceneCause.ALL_THERE)
