"""From a fitted cap to a call: on which side of the paint it lies, by how much, and how sure that is."""

from linesies.calibration import Calibration, locate
from linesies.vision.caps.candidates import Candidates
from linesies.vision.caps.cap import Listed
from linesies.vision.caps.certainty import CERTAINTY
from linesies.vision.caps.corroborating import corroborated, leaves_side_open
from linesies.vision.caps.gap_doubt import gap_sigma_mm
from linesies.vision.caps.reading import CapReading, Readings
from linesies.vision.caps.uncertainty import fitted_place
from linesies.vision.caps.veil import Clear
from linesies.vision.values import Call, Judgement, Resemblance


def measure(
    readings: Readings, candidates: Candidates, clear: Clear, calibration: Calibration, listed: Listed
) -> Judgement:
    """Measure all caps of a picture, and tell where nothing could be seen."""
    resemblances = resemblances_of(candidates, listed)
    calls = [call_of(one, calibration, listed) for one in readings.readings]
    to_mm = calibration.view.px_to_mm
    return Judgement(
        caps=tuple(call for call in calls if call.player is not None),
        unknown=tuple(call for call in calls if call.player is None),
        not_seen_mm=tuple(tuple((float(x), float(y)) for x, y in to_mm(outline)) for outline in clear.blind_px),
        resemblances=resemblances,
    )


def resemblances_of(candidates: Candidates, listed: Listed) -> tuple[Resemblance, ...]:
    """List where a listed cap may lie, the likeliest first: what is named, and what was doubted too much for that."""
    likely = (one for one in candidates.candidates if one.named_share >= CERTAINTY.rival)
    return tuple(
        Resemblance(
            player=listed.caps[one.likeliest].player,
            xy_mm=(float(one.xy_mm[0]), float(one.xy_mm[1])),
            share=one.named_share,
        )
        for one in sorted(likely, key=lambda one: -one.named_share)
    )


def call_of(reading: CapReading, calibration: Calibration, listed: Listed) -> Call:
    """Measure what was read: its gap, how sure that is, and whose cap it is."""
    cap, found = reading.cap, fitted_place(reading, calibration)
    said = reading.testimony
    placing = corroborated(found, said, cap.kind)
    place = locate(calibration, placing.xy_mm, cap.diameter_mm)
    towards_mm = place.edge_mm - placing.xy_mm
    is_borne_out = said is None or not leaves_side_open(found, said, place.gap_mm, towards_mm, cap)
    sigma_mm = gap_sigma_mm(reading, placing, place, calibration, listed)
    is_clear = abs(place.gap_mm) > reading.sigmas * sigma_mm and reading.fit.misfit < CERTAINTY.misfit
    return Call(
        player=cap.player if reading.is_named else None,
        xy_mm=(float(placing.xy_mm[0]), float(placing.xy_mm[1])),
        diameter_mm=cap.diameter_mm,
        location=place.location,
        gap_mm=place.gap_mm,
        sigma_mm=sigma_mm,
        is_certain=bool(reading.has_name and is_clear and is_borne_out),
    )
