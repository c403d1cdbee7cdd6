"""Simulated card tables by name: `sim:skull?seed=3&light=overcast`."""

from linesies.device.errors import BadInput
from linesies.simulator.cards.phones import TableByPhone
from linesies.simulator.cards.sitting import SimulatedTable
from linesies.simulator.cards.stage import FPS, TableWishes, game_at
from linesies.simulator.options import read_share, read_whole

KNOWN = ("seed", "players", "speed", "journal", "fps", "table", "light", "options", "preset", "fidget")
RATES = tuple(n for n in range(5, FPS + 1) if FPS % n == 0)
THINKING_FRAMES = 60  # two seconds, in which others see what is asked


def read_table_wishes(place: str, options: dict[str, str]) -> TableWishes:
    """Read what is wished for; raises BadInput naming the option that is wrong."""
    unknown = [name for name in options if name not in KNOWN]
    if unknown:
        raise BadInput(f"sim:{place}: the card table has no option {unknown[0]!r}; options are {', '.join(KNOWN)}")
    game = game_at(place)
    if game is None:
        raise BadInput(f"sim:{place}: no cards are played there; tables are sim:skull, sim:skull-king and sim:skipbo")
    return TableWishes(
        game=game,
        seed=read_whole(options, "seed", 1) or 0,
        players=read_whole(options, "players", None),
        table=options.get("table"),
        light=options.get("light"),
        fps=_read_fps(place, options),
        options=options.get("options"),
        preset=options.get("preset"),
        fidget=read_share(options, "fidget"),
    )


def _read_fps(place: str, options: dict[str, str]) -> int:
    fps = read_whole(options, "fps", FPS)
    if fps not in RATES:
        raise BadInput(f"sim:{place}: `fps` must be one of {', '.join(map(str, RATES))}, not {fps}")
    return fps


def open_table(place: str, options: dict[str, str]) -> SimulatedTable:
    """Open `sim:PLACE?options`; raises BadInput naming the option that is wrong."""
    speed = options.get("speed", "1")
    try:
        rate = "max" if speed == "max" else float(speed)
    except ValueError:
        rate = -1.0
    if rate != "max" and not 0 < rate < float("inf"):
        raise BadInput(f"sim:{place}: `speed` must be a number above 0 or max, not {speed!r}")
    umpire = None
    if "journal" in options:
        umpire = TableByPhone(options["journal"], thinking_frames=0 if rate == "max" else THINKING_FRAMES)
    return SimulatedTable(read_table_wishes(place, options), umpire=umpire, speed=rate)
