"""Following a game through time: frames in, events out as soon as they are known.

A frame's way is the list of steps below. A step looks: it takes what the steps before it gave and what is known of the
scene, and gives one value. The watcher remembers: what each value changes stands in `_remember`, and nowhere else.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from linesies.calibration import Calibration
from linesies.vision.caps.cap import Cap
from linesies.vision.picture.frame import Frame
from linesies.vision.picture.novelty import Novelty
from linesies.vision.picture.rain import Rain
from linesies.vision.picture.small_picture import shrink_of
from linesies.vision.shots.afresh import Afresh
from linesies.vision.shots.arrivals import Arrived, Patience, arrive, whereabouts
from linesies.vision.shots.at_rest import LookedOver, Rested, look_over, rest
from linesies.vision.shots.blinding import call_in_glare
from linesies.vision.shots.border import over_border
from linesies.vision.shots.cap_state import ScenePhase
from linesies.vision.shots.closing import HeldBack, close
from linesies.vision.shots.doubted import Doubted
from linesies.vision.shots.inspection import Inspection
from linesies.vision.shots.latest_frames import LatestFrames
from linesies.vision.shots.leaving import leave
from linesies.vision.shots.lit_picture import LitPicture
from linesies.vision.shots.looking import Lit, Looks, light, presence
from linesies.vision.shots.measurer import Measurer
from linesies.vision.shots.measuring import Measured, measure
from linesies.vision.shots.missing import Searched, search
from linesies.vision.shots.nudging import Nudged, nudge
from linesies.vision.shots.opening import StillFrames
from linesies.vision.shots.place import Place
from linesies.vision.shots.registering import Knocked, Registered, Registrar, Steady, notice, register, steady
from linesies.vision.shots.scene_state import SCENE_TUNING, SceneState
from linesies.vision.shots.scenery import SceneOpened, Scenery, open_scene
from linesies.vision.shots.small_view import SmallView
from linesies.vision.shots.still_blobs import Stills
from linesies.vision.shots.stirring import Settled, stir
from linesies.vision.shots.taking_up import TakenUp, take_up
from linesies.vision.shots.telling import AllTold, tell_known, tell_when_all_known
from linesies.vision.shots.told import FrameDone
from linesies.vision.shots.unexplained import Unexplained, blobs
from linesies.vision.shots.unmasking import Unmasked, unmask
from linesies.vision.shots.vanishing import vanish
from linesies.vision.steps import Blackboard, Way
from linesies.vision.values import Call, Event, Expectation, Scene

STEPS = (
    notice,  # whether the picture shows anything new; what does not is looked at no further
    register,  # how the frame lies on the calibrated ground; the way ends where the camera was knocked
    steady,  # the frame as it would look had the camera not moved
    open_scene,  # at first: who lies where, once the picture has been still
    light,  # the picture in the light of the first
    presence,  # how each cap's place looks
    unmask,  # who lay elsewhere than was thought at first
    blobs,  # what else is to be seen
    nudge,  # who lies nearly where it lay
    rest,  # while every cap is in its place, the ground follows the light
    look_over,  # and now and then a cap is found elsewhere than was thought
    arrive,  # who has come to rest
    whereabouts,  # where known caps lie, and who is still on the way
    measure,  # one a frame of those that seem to come to rest
    leave,  # who has left the view
    search,  # who lies somewhere, though lost from sight
    over_border,  # who was knocked out of the picture
    vanish,  # who went into light that blinds
    take_up,  # who was taken from the board
    close,  # the way of each cap, once all ends are known
    stir,  # who hardly moved, beside those that did; and where all lie now
    tell_when_all_known,  # what is told, once nobody of the same shot is waited for
)
LASTING = (
    *(Frame, Novelty, Registrar, StillFrames, LatestFrames, Inspection, Scenery, LitPicture, Stills, Rain),
    *(SceneState, SmallView, Measurer, Patience, Expectation),
)


class Watcher:
    """Remembers what is known of the scene, and the pictures by which it is seen.

    `see` takes frames in order and returns the events that became known; `finish` closes the source's end.
    A shot is told when all has been at rest for `settled_s`.
    """

    def __init__(self, calibration: Calibration, caps: tuple[Cap, ...], *, settled_s: float = 0.4) -> None:
        self._caps = caps
        self._shrink = shrink_of((calibration.view.lens.size_px[0], calibration.view.lens.size_px[1]))
        self._view = SmallView(calibration=calibration, caps=caps, shrink=self._shrink)
        self._measurer = Measurer(self._view)
        self.way = Way(STEPS, lasting=LASTING, ends=FrameDone)
        self._afresh: Afresh | None = None  # while the scene is to be taken anew
        self._board = Blackboard()
        self._board.put(Registrar(calibration))
        self._board.put(self._view)
        self._board.put(self._measurer)
        self._board.put(Patience(settled_s=settled_s))
        self._board.put(Expectation())
        self._changes: dict[type, Callable[[Any], None]] = {  # what a step's value changes; other values change nothing
            Registered: self._after_registered,
            Knocked: self._after_knocked,
            Steady: self._after_steady,
            SceneOpened: self._after_opened,
            Looks: self._after_looks,
            Unmasked: self._after_unmasked,
            Unexplained: self._after_unexplained,
            Nudged: self._after_nudged,
            Rested: self._after_rested,
            LookedOver: self._after_looked_over,
            Arrived: self._after_arrived,
            Measured: self._after_measured,
            Searched: self._after_sought,
            TakenUp: self._after_taken_up,
            HeldBack: self._after_held_back,
            Settled: self._after_settled,
            AllTold: self._after_told,
        }
        self.forget()

    def forget(self) -> None:
        """Forget the scene: the next still frames start anew, and so may their time."""
        self._board[Registrar].begin_again()
        self._begin(SceneState.of(self._caps))
        self._doubted = Doubted()
        self._measurer.forget()
        self._t_s = 0.0

    def look_afresh(self) -> None:
        """Take the scene anew once it is at rest: who missed something, or invented it, goes by nothing he knew."""
        if Scenery in self._board and self._afresh is None:
            self._afresh = Afresh(self._t_s)

    def _begin(self, state: SceneState, latest: LatestFrames | None = None) -> None:
        """Begin with no picture seen yet, or with the latest ones."""
        self._state = state
        self._afresh = None
        self._latest, self._stills, self._novelty = latest or LatestFrames(), Stills(), Novelty()
        kept = (self._latest, self._stills, self._novelty)
        for memory in (*kept, StillFrames(), Inspection(self._latest), Rain(), LitPicture()):
            self._board.put(memory)
        self._board.take_off(Scenery)

    def _take_anew(self) -> None:
        """Take the scene anew where that is asked for, once it is known, or it was waited for long enough."""
        if self._afresh is None:
            return
        if self._afresh.is_overdue(self._state, self._t_s):
            self._begin(SceneState.of(self._caps))
            return
        opened = self._afresh.scene(self._state, self._scenery, self._board[LitPicture], self._latest, self._measurer)
        if opened is not None:
            self._begin(SceneState.of(self._caps), self._latest)
            self._after_opened(opened)

    @property
    def _state(self) -> SceneState:
        return self._board[SceneState]

    @_state.setter
    def _state(self, state: SceneState) -> None:
        self._board.put(state)

    @property
    def _scenery(self) -> Scenery:
        return self._board[Scenery]

    def expect(self, expectation: Expectation) -> None:
        """Take what the rules await next as a prior for what the pictures leave open."""
        self._board.put(expectation)

    def see(self, frame: Frame) -> tuple[Event, ...]:
        """Look at the next frame; returns the events that have become known with it."""
        self._t_s = frame.t_s
        self._measurer.begin(frame.t_s)
        self._board.put(frame, kind=Frame)
        before = self._state
        events = self.way.follow(self._board, self._remember).events
        told = self._doubted.pass_on((*self._cut_short(before), *events), self._state, self._board[Expectation])
        self._take_anew()
        return told

    def _cut_short(self, before: SceneState) -> tuple[Event, ...]:
        """Tell what was known before this frame if it shows the camera knocked: nobody will come back to it."""
        is_knocked = self._state.phase is ScenePhase.KNOCKED and before.phase is not ScenePhase.KNOCKED
        return tell_known(before, self._board[Expectation], self._latest).events if is_knocked else ()

    def finish(self) -> tuple[Event, ...]:
        """Tell what is known at the source's end."""
        told = tell_known(self._state, self._board[Expectation], self._latest)
        self._remember(told)
        return (*self._doubted.give_up(), *told.events)

    @property
    def scene(self) -> Scene:
        """Tell how things stand now."""
        state = self._state
        caps_mm = {cap.player: cap.place.xy_mm for cap in state.placed if cap.place is not None}
        lately = tuple(state.since(self._t_s - SCENE_TUNING.seen_lately_s))
        for cap in state.missed:
            shown = next((blob for blob in reversed(lately) if SCENE_TUNING.may_show(blob, cap.column)), None)
            if shown is not None:
                x, y = self._view.to_mm(cap.cap, shown.xy_small[cap.column][None])[0]
                caps_mm[cap.player] = (float(x), float(y))
        return Scene(t_s=self._t_s, is_at_rest=not state.missed, caps_mm=caps_mm)

    def measured_again(self, player: str) -> Call | None:
        """Measure a cap that lies still once more, on the newest frame; None while anything is missed."""
        if self._state.missed:
            return None
        call, cap = self._measurer.again(player, self._state.placed, self._latest.last.bgr), self._state.caps[player]
        if call is None:
            return None
        call = call_in_glare(call, cap, self._scenery, self._view)
        return replace(call, is_certain=call.is_certain and not cap.is_guess)

    @property
    def leant_px(self) -> float:
        """Tell how far the camera has leaned since it was calibrated; its pictures are brought back."""
        return self._board[Registrar].leant_small * self._shrink

    def _remember(self, given: object) -> None:
        """Change what is known by what a step gave."""
        if (change := self._changes.get(type(given))) is not None:
            change(given)

    def _after_registered(self, given: Registered) -> None:
        if self._state.phase is ScenePhase.KNOCKED:
            self._begin(self._state.fits_again())
        elif Scenery in self._board and not given.displacement.is_negligible:
            self._scenery.background.forgive_sway()

    def _after_knocked(self, _: Knocked) -> None:
        self._state = self._state.knocked()

    def _after_steady(self, given: Steady) -> None:
        self._latest.add(given.frame)

    def _after_opened(self, given: SceneOpened) -> None:
        self._board.put(given.scenery)
        self._board.put(LitPicture())
        self._board.put(StillFrames())  # the sums of the last are large, and have served
        self._novelty.forget()
        scenery = given.scenery
        self._stills.forget(radius_small=scenery.radius_small)
        self._state = self._state.opened(
            given.places,
            radius_small=scenery.radius_small,
            lookalikes=given.lookalikes,
            is_blinded=scenery.is_blinded,
        )

    def _after_looks(self, given: Looks) -> None:
        frame_s = self._latest.frame_s
        self._state = self._state.looked_at(given.presences, given.histories, given.t_s, frame_s=frame_s)

    def _after_unmasked(self, given: Unmasked) -> None:
        before = self._state
        self._state = before.unmasked(given.lookalikes, given.caps)
        if given.caps:
            self._scenery.learn(self._caps, {player: one.place for player, one in given.caps.items()})
            was_litter = [place for p in given.caps if before.caps[p].has_left and (place := before.caps[p].place)]
            self._settle(now=(), left=was_litter)

    def _after_unexplained(self, given: Unexplained) -> None:
        self._state = self._state.with_blobs(given.blobs, is_calm=given.is_calm)
        self._stills.see(given.blobs, self._state.t_s)
        self._scenery.covered.see(given.leftover, self._state.t_s)

    def _after_nudged(self, given: Nudged) -> None:
        self._state = self._state.measured(given.measured)

    def _after_rested(self, given: Rested) -> None:
        if self._scenery.absorb(self._board[Lit].small, frame_s=self._latest.frame_s):
            self._novelty.forget()
        self._scenery.show_at_rest(given.alone, given.frames)
        if given.otherwise:
            self._settle(now=given.otherwise, left=())
        if not self._state.sought and any(cap.away_s for cap in self._state.caps.values()):
            self._stills.forget()
            self._state = self._state.forgotten()

    def _after_looked_over(self, given: LookedOver) -> None:
        self._state = self._state.straying(given.strays)
        if given.places:
            left = [place for player in given.places if (place := self._state.caps[player].place)]
            self._state = self._state.found(given.places)
            self._settle(now=given.places.values(), left=left)

    def _after_arrived(self, given: Arrived) -> None:
        self._state = self._state.still_at(given.stills).displaced(given.covered)

    def _after_measured(self, given: Measured) -> None:
        self._state = self._state.measured(given.calls)

    def _after_sought(self, given: Searched) -> None:
        self._state = self._state.searching(given.searches).measured(given.measured)

    def _after_taken_up(self, given: TakenUp) -> None:
        left = [place for player in given.players if (place := self._state.caps[player].place)]
        self._state = self._state.taken_up(given.players)
        lain = {p: place for p in given.players if (place := self._state.caps[p].place)}
        self._scenery.learn(self._caps, lain)
        self._settle(now=(), left=left)

    def _after_held_back(self, given: HeldBack) -> None:
        self._state = self._state.held_until(given.until_s)

    def _after_settled(self, given: Settled) -> None:
        before = self._state
        after = before.displaced(given.displaced, is_for_good=True).gathered(given.moved, given.t_end_s)
        self._state = after.found(given.places, unmoved=given.unmoved).unmeasured()
        now = [place for player in (*given.places, *given.unmoved) if (place := self._state.caps[player].place)]
        self._settle(now=now, left=[place for player in given.places if (place := before.caps[player].place)])
        self._stills.forget_at([(place.centre_small, 2 * place.radius_small) for place in now])
        moved = [place for player in given.places if (place := self._state.caps[player].place)]
        self._scenery.show_at_rest(moved, given.frames)

    def _after_told(self, given: AllTold) -> None:
        self._state = self._state.told(given.guesses)
        self._stills.forget()

    def _settle(self, *, now: Iterable[Place], left: Iterable[Place]) -> None:
        """Take over what is seen where caps lie now, and where they have left."""
        lying = [cap.place for cap in self._state.placed if cap.place is not None]
        lying += [one.place for one in self._state.lookalikes]
        self._scenery.settle(self._board[Lit].small, now=now, left=left, lying=lying)
        self._novelty.forget()
