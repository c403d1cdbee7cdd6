"""Simulated sources by name: `sim:street?seed=3&light=overcast`."""

from linesies.calibration.standard_boards import STREET, TABLE
from linesies.device.cameras.source import Source
from linesies.device.errors import BadInput
from linesies.simulator.cards.opening import open_table
from linesies.simulator.cards.stage import game_at
from linesies.simulator.options import read_offered, read_share, read_speed, read_whole
from linesies.simulator.street.phones import ByPhone
from linesies.simulator.street.stage import GAME, PLAIN, Wishes
from linesies.simulator.street.street import SimulatedStreet
from linesies.simulator.street.world import FPS

SMALL = {"width": "640", "fps": "20"}  # what a slow machine can bear
THINKING_FRAMES = 240  # four seconds, in which others see what is asked
PEOPLE = ("seed", "players", "speed", "journal", "options", "preset", "fidget")
KNOWN = (*PEOPLE, "width", "fps", "ground", "light", "paint", "play", "world")
WIDTHS = (320, 480, 640, 960, 1280, 1920)
RATES = tuple(n for n in range(5, FPS + 1) if FPS % n == 0)


def read_wishes(place: str, options: dict[str, str]) -> Wishes:
    """Read what is wished for; raises BadInput naming the option that is wrong."""
    unknown = [name for name in options if name not in KNOWN]
    if place not in (STREET, TABLE) or unknown:
        places = "sim:street, sim:table, sim:skull, sim:skull-king or sim:skipbo"
        fault = f"has no option {unknown[0]!r}" if unknown else f"knows no place {place!r}; try {places}"
        raise BadInput(f"sim:{place}: the simulator {fault}; options are {', '.join(KNOWN)}")
    width = read_offered(options, "width", WIDTHS, 1280)
    return Wishes(
        seed=read_whole(options, "seed", 1) or 0,
        board=place,
        players=read_whole(options, "players", None),
        size_px=(width, width * 9 // 16),
        fps=read_offered(options, "fps", RATES, FPS),
        options=options.get("options"),
        preset=options.get("preset"),
        fidget=read_share(options, "fidget"),
        ground=options.get("ground"),
        light=options.get("light"),
        paint=options.get("paint"),
        play=options.get("play", GAME),
        world=options.get("world", PLAIN),
    )


def open_simulator(place: str, options: dict[str, str]) -> Source:
    """Open `sim:PLACE?options`; raises BadInput naming the option that is wrong."""
    if game_at(place):
        return open_table(place, options)
    speed = read_speed(options)
    umpire = None
    if "journal" in options:
        umpire = ByPhone(options["journal"], thinking_frames=0 if speed == "max" else THINKING_FRAMES)
    return SimulatedStreet(wishes=read_wishes(place, options), umpire=umpire, speed=speed)
