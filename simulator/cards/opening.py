"""Simulated card tables by name: `sim:skull?seed=3&light=overcast`."""

from linesies.device.errors import BadInput
from linesies.simulator.cards.phones import TableByPhone
from linesies.simulator.cards.sitting import SimulatedTable
from linesies.simulator.cards.stage import FPS, TableWishes, game_at
from linesies.simulator.options import read_offered, read_share, read_speed, read_whole

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
        fps=read_offered(options, "fps", RATES, FPS),
        options=options.get("options"),
        preset=options.get("preset"),
        fidget=read_share(options, "fidget"),
    )


def open_table(place: str, options: dict[str, str]) -> SimulatedTable:
    """Open `sim:PLACE?options`; raises BadInput naming the option that is wrong."""
    speed = read_speed(options)
    umpire = None
    if "journal" in options:
        umpire = TableByPhone(options["journal"], thinking_frames=0 if speed == "max" else THINKING_FRAMES)
    return SimulatedTable(read_table_wishes(place, options), umpire=umpire, speed=speed)
