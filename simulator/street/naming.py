"""Simulated sources by name: `sim:street?seed=3&light=overcast`."""

from linesies.calibration.standard_boards import STREET, TABLE
from linesies.device.cameras.source import Source
from linesies.device.errors import BadInput
from linesies.simulator.cards.opening import open_table
from linesies.simulator.cards.stage import game_at
from linesies.simulator.options import read_share, read_whole
from linesies.simulator.street.phones import ByPhone
from linesies.simulator.street.stage import Wishes
from linesies.simulator.street.street import SimulatedStreet
from linesies.simulator.street.world import FPS

SMALL = {"width": "640", "fps": "20"}  # what a slow machine can bear
THINKING_FRAMES = 240  # four seconds, in which others see what is asked
WORDS = ("ground", "light", "paint", "play", "world")
WIDTHS = (320, 480, 640, 960, 1280, 1920)
RATES = tuple(n for n in range(5, FPS + 1) if FPS % n == 0)


def read_wishes(place: str, options: dict[str, str]) -> Wishes:
    """Read what is wished for; raises BadInput naming the option that is wrong."""
    known = ("seed", "players", "speed", "journal", "width", "fps", "options", "preset", "fidget", *WORDS)
    unknown = [name for name in options if name not in known]
    if place not in (STREET, TABLE) or unknown:
        places = "sim:street, sim:table, sim:skull, sim:skull-king or sim:skipbo"
        fault = f"has no option {unknown[0]!r}" if unknown else f"knows no place {place!r}; try {places}"
        raise BadInput(f"sim:{place}: the simulator {fault}; options are {', '.join(known)}")
    width = _one_of(WIDTHS, options, "width", 1280)
    return Wishes(
        seed=read_whole(options, "seed", 1) or 0,
        board=place,
        players=read_whole(options, "players", None),
        size_px=(width, width * 9 // 16),
        fps=_one_of(RATES, options, "fps", FPS),
        options=options.get("options"),
        preset=options.get("preset"),
        fidget=read_share(options, "fidget"),
        **{name: options[name] for name in WORDS if name in options},
    )


def open_simulator(place: str, options: dict[str, str]) -> Source:
    """Open `sim:PLACE?options`; raises BadInput naming the option that is wrong."""
    if game_at(place):
        return open_table(place, options)
    speed = options.get("speed", "1")
    rate = "max" if speed == "max" else _number(speed)
    if rate is None:
        raise BadInput(f"sim:{place}: `speed` must be a number above 0 or max, not {speed!r}")
    umpire = None
    if "journal" in options:
        umpire = ByPhone(options["journal"], thinking_frames=0 if rate == "max" else THINKING_FRAMES)
    return SimulatedStreet(wishes=read_wishes(place, options), umpire=umpire, speed=rate)


def _one_of(offers: tuple[int, ...], options: dict[str, str], name: str, default: int) -> int:
    number = read_whole(options, name, default)
    if number not in offers:
        raise BadInput(f"sim: `{name}` must be one of {', '.join(map(str, offers))}, not {number}")
    return number


def _number(text: str) -> float | None:
    """Read a number above 0; None for anything else."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0 < number < float("inf") else None
