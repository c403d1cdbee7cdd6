"""Caps that were lost from sight and lie at rest somewhere: the judge, who knows how they look on any ground, is asked.

What it finds where something moves, or where a known cap lies, is none of them; nor is what lay there already when
they were still in their places.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from linesies.vision.shots.arrival import Arrival, arrival_of
from linesies.vision.shots.arrivals import Arrived, Whereabouts
from linesies.vision.shots.cap_state import Measurement
from linesies.vision.shots.inspection import Inspection
from linesies.vision.shots.leaving import Gone
from linesies.vision.shots.measurer import Measurer
from linesies.vision.shots.scene_state import SceneState
from linesies.vision.shots.search import Search


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Searched:
    """How the search for each lost cap stands, and which were found at rest somewhere, with their calls."""

    searches: Mapping[str, Search]
    arrivals: tuple[Arrival, ...] = ()
    measured: Mapping[str, Measurement]


def search(
    state: SceneState, arrived: Arrived, gone: Gone, where: Whereabouts, inspection: Inspection, measurer: Measurer
) -> Searched:
    """Find the caps that were lost from sight and lie at rest somewhere."""
    t_s = state.t_s
    known = {arrival.player for arrival in arrived.arrivals} | {m.player for m in gone.moved}
    lost = [cap for cap in state.missed if cap.has_left and cap.player not in where.on_their_way]
    lost += [cap for cap in state.caps.values() if cap.place is None and not cap.is_news]
    searches = {cap.player: cap.search or Search.begun(t_s) for cap in lost if cap.player not in known}
    if arrived.arrivals:
        searches = {player: search.hurried(t_s) for player, search in searches.items()}
    if not (state.is_calm and any(search.is_due(t_s) for search in searches.values())):
        return Searched(searches=searches, measured={})
    judged = inspection.calls(measurer)
    if judged is None:
        return Searched(searches=searches, measured={})
    calls = {
        player: call
        for player, call in judged.items()
        if (place := measurer.view.place_of(call)) is not None
        and inspection.is_still_at(place)
        and not where.is_taken(place.centre_small)
        and not (state.caps[player].has_left and where.has_lain(place))
    }
    found = []
    measured = {}
    for player, before in searches.items():
        searches[player], call = before.after(calls.get(player), t_s)
        if call is not None:
            arrival = arrival_of(call, state, measurer.view)
            found.append(arrival)
            measured[player] = Measurement(xy_small=arrival.xy_small, call=call)
    return Searched(searches=searches, arrivals=tuple(found), measured=measured)
