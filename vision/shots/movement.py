"""What has become of a cap whose way has ended: it came to rest, or it is out of the picture."""

from dataclasses import replace

from linesies.vision.shots.cap_state import CapState
from linesies.vision.shots.flights import has_flown
from linesies.vision.shots.measurer import MEASURING, unmeasured
from linesies.vision.shots.moved import Movement, MovementCause
from linesies.vision.shots.small_view import SmallView
from linesies.vision.shots.track import Track
from linesies.vision.values import Call


def to_rest(cap: CapState, track: Track, call: Call) -> Movement:
    """Say of a cap that came to rest somewhere new, where it was measured, whether it went there by itself."""
    return Movement(
        call=call,
        from_mm=None if cap.place is None else cap.place.xy_mm,
        track=track,
        cause=MovementCause.FLOWN if cap.place is not None and has_flown(track) else MovementCause.CARRIED,
        is_measured=call.sigma_mm < MEASURING.unmeasured_sigma_mm,
        past_mm=cap.past_mm,
    )


def out_of_view(cap: CapState, track: Track, view: SmallView) -> Movement:
    """Call a cap out of the picture, beyond its track's end."""
    call = replace(unmeasured(cap.cap, track.xy_mm[-1], view), location="off", is_certain=True)
    from_mm = None if cap.place is None else cap.place.xy_mm
    return Movement(call=call, from_mm=from_mm, track=track, cause=MovementCause.LEFT_VIEW)
