"""What has become of a cap whose way has ended: it came to rest, or it is out of the picture."""

from dataclasses import replace
from math import dist

from linesies.vision.shots.cap_state import CapState
from linesies.vision.shots.flights import has_flown, is_carried, is_mostly_free
from linesies.vision.shots.measurer import MEASURING, unmeasured
from linesies.vision.shots.moved import Movement, MovementCause
from linesies.vision.shots.small_view import SmallView
from linesies.vision.shots.track import Track
from linesies.vision.values import Call


def to_rest(cap: CapState, track: Track, call: Call, *, was_by_hand: bool, was_hidden: bool = False) -> Movement:
    """Say of a cap that came to rest somewhere new, where it was measured, whether it went there by itself.

    `was_by_hand` says that a hand may have been there since it left, `was_hidden` that it came out of light that
    blinds, in which nobody knew it to lie.
    """
    is_measured = call.sigma_mm < MEASURING.unmeasured_sigma_mm
    return Movement(
        call=call,
        from_mm=None if cap.place is None else cap.place.xy_mm,
        track=track,
        cause=_cause(cap, track, call, was_by_hand=was_by_hand or not is_measured, was_hidden=was_hidden),
        is_measured=is_measured,
        past_mm=cap.past_mm,
    )


def _cause(cap: CapState, track: Track, call: Call, *, was_by_hand: bool, was_hidden: bool) -> MovementCause:
    if cap.place is None:
        return MovementCause.FLOWN if was_hidden and is_mostly_free(track) else MovementCause.CARRIED
    if has_flown(track) and not (was_by_hand and is_carried(track)):
        return MovementCause.FLOWN
    has_moved = dist(cap.place.xy_mm, call.xy_mm) > track.radius_mm
    is_unseen = has_moved and not (was_by_hand or cap.is_unmasked or cap.is_guess)
    return MovementCause.UNSEEN if is_unseen else MovementCause.CARRIED


def out_of_view(cap: CapState, track: Track, view: SmallView) -> Movement:
    """Call a cap out of the picture, beyond its track's end."""
    call = replace(unmeasured(cap.cap, track.xy_mm[-1], view), location="off", is_certain=True)
    from_mm = None if cap.place is None else cap.place.xy_mm
    return Movement(call=call, from_mm=from_mm, track=track, cause=MovementCause.LEFT_VIEW)
