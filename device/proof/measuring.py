"""Measures what a walk has photographed at one place, and issues a certificate of all places so far.

A process of its own, so that no game waits: `python -m linesies.device.proof.measuring STATE PLACE CALIBRATION CAPS`.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

from linesies.calibration import Calibration, read_calibration, read_json
from linesies.calibration.files import write_whole
from linesies.device.cameras.pictures import read_picture
from linesies.device.proof.certificates import keep
from linesies.device.proof.issuing import issued
from linesies.device.proof.walk import PLACES, measured_in, picture_at, station_file
from linesies.vision import Cap, Station, certify, check_paint, draw_gauge, measure_station, read_caps, seated_at

NOT_FOUND = 3  # the status of a process that found no gauge
ENOUGH_FOR_PAINT = 3  # places: then what lies at one of them is not in the middle of all pictures


def measure(state: Path, place: int, calibration: Calibration, caps: tuple[Cap, ...]) -> bool:
    """Measure one place and issue the certificate; tells whether the gauge was found. Raises BadInput."""
    gauge = draw_gauge(calibration.board.line_width_mm)
    bare, laid = (read_picture(picture_at(state, place, shows)) for shows in ("gauge", "caps"))
    station = measure_station(bare, laid, calibration, gauge, seated_at(gauge, caps, place))
    if not isinstance(station, Station):
        return False
    write_whole(station_file(state, place), msgspec.json.encode(station))
    stations = [read_json(station_file(state, number), Station) for number in range(measured_in(state))]
    bares = [read_picture(picture_at(state, number, "gauge")) for number in range(len(stations))]
    paint = check_paint(calibration, bares) if len(bares) >= ENOUGH_FOR_PAINT else None
    keep(issued(certify(stations, paint, caps), calibration), state)
    return True


def seats_of(caps: tuple[Cap, ...], line_width_mm: float) -> list[list[str]]:
    """Say for each place whose cap is to lie on which ring."""
    gauge = draw_gauge(line_width_mm)
    seated = [seated_at(gauge, caps, place) for place in range(PLACES)]
    return [[at[n].player if n in at else "" for n in range(len(gauge.seats))] for at in seated]


def main(arguments: Sequence[str]) -> int:
    """Measure what the arguments name; gives the status to end with."""
    state, place, calibration, caps = arguments
    is_found = measure(Path(state), int(place), read_calibration(calibration), read_caps(caps))
    return 0 if is_found else NOT_FOUND


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
