"""`make tune`: list every tuned number of the program, and run the scripts that set some of them again.

    python -m linesies.training.tune [--list] [--scenes N]

A number whose source is no script was set by hand or by what its source names; the list says so. Scripts need the
extra `training`; what they print as new is copied to the program by hand, after a look at what it changes on other
pictures.
"""

import argparse
import importlib
import pkgutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import linesies.calibration
import linesies.vision
from linesies.calibration.tuning import TunedNumber, Tuning, numbers_of
from linesies.vision.cards.card_odds import CardOdds
from linesies.vision.cards.find.trust import JointTrust, OutlineTrust
from linesies.vision.cards.read.reading import Trust
from linesies.vision.picture.registration import RegistrationTuning
from linesies.vision.picture.stillness import StillnessTuning

ROOMS = (linesies.calibration, linesies.vision)  # where tuned numbers are


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """What sets a group's numbers: on how many pictures of which kind, and how, given their number."""

    scenes: int
    pictures: str
    fit: Callable[[int], Tuning]


def _fit_outlines(scenes: int) -> Tuning:
    from linesies.training.finder_exam import examine  # noqa: PLC0415 - needs the extra `training`

    return examine(scenes, seed=900).trust()


def _fit_reader(scenes: int) -> Tuning:
    from linesies.training.decks import find_fonts  # noqa: PLC0415 - needs the extra `training`
    from linesies.training.reader.calibrate import calibrated  # noqa: PLC0415

    return calibrated(find_fonts(), scenes, seed=777)


def _fit_joint_trust(scenes: int) -> Tuning:
    from linesies.training.card_odds import fitted_joint  # noqa: PLC0415 - needs the extra `training`

    return fitted_joint(scenes)


def _fit_card_odds(scenes: int) -> Tuning:
    from linesies.training.card_odds import fitted  # noqa: PLC0415 - needs the extra `training`

    return fitted(scenes)


def _fit_stillness(streets: int) -> Tuning:
    from linesies.training.stillness import fitted  # noqa: PLC0415 - draws streets

    return fitted(streets)


def _fit_registration(streets: int) -> Tuning:
    from linesies.training.swaying import fitted  # noqa: PLC0415 - draws streets

    return fitted(streets)


SCRIPTS: dict[type[Tuning], Script] = {
    OutlineTrust: Script(scenes=40, pictures="scenes drawn by lot, seed 900", fit=_fit_outlines),
    Trust: Script(
        scenes=150, pictures="tables drawn by lot, seed 777, decks in the fonts held out here", fit=_fit_reader
    ),
    JointTrust: Script(scenes=10, pictures="of each of 13 worlds of cards, seed 89700", fit=_fit_joint_trust),
    CardOdds: Script(scenes=10, pictures="of each of 13 worlds of cards, seed 89700", fit=_fit_card_odds),
    RegistrationTuning: Script(
        scenes=4, pictures="simulated streets, filmed by a pole that sways, from seed 7201 on", fit=_fit_registration
    ),
    StillnessTuning: Script(scenes=6, pictures="drills on simulated streets, from seed 7101 on", fit=_fit_stillness),
}


def groups() -> list[type[Tuning]]:
    """Find every group of tuned numbers, in the order of their modules."""
    for room in ROOMS:
        for module in pkgutil.walk_packages(room.__path__, f"{room.__name__}."):
            importlib.import_module(module.name)
    return sorted(set(_below(Tuning)), key=lambda group: (group.__module__, group.__qualname__))


def _below(base: type[Tuning]) -> Iterator[type[Tuning]]:
    for group in base.__subclasses__():
        if group.__module__.startswith(tuple(room.__name__ for room in ROOMS)):
            yield group
        yield from _below(group)


def listed(group: type[Tuning]) -> str:
    """Say of a group's numbers what each means, its unit and range, and what set it."""
    lines = [f"{group.__module__.removeprefix('linesies.').replace('.', '/')}.py {group.__name__}"]
    source = ""
    for number in numbers_of(group()):
        if number.source != source:
            source = number.source
            lines.append(f"  Source: {source}")
        lines.append(f"    {_line(number)}")
    return "\n".join(lines)


def _line(number: TunedNumber) -> str:
    unit = "" if number.unit == "1" else f" {number.unit}"
    name = number.name.partition(".")[2]
    return f"{name} = {number.value:g}{unit}, of {number.low:g} to {number.high:g}: {number.title}"


def compared(old: Tuning, new: Tuning) -> str:
    """Say what a script would change: each number as it is, and as the script has it now."""
    pairs = zip(numbers_of(old), numbers_of(new), strict=True)
    return "\n".join(f"  {was.name}: {was.value:g} -> {now.value:g} {was.unit}" for was, now in pairs)


def main() -> None:
    """List, then run the scripts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", dest="is_list", action="store_true", help="list alone, run nothing")
    parser.add_argument("--scenes", type=int, help="how many scenes each script draws [default: as was shipped]")
    asked = parser.parse_args()
    for group in groups():
        sys.stdout.write(f"{listed(group)}\n\n")
    if asked.is_list:
        return
    for group, script in SCRIPTS.items():
        scenes = asked.scenes or script.scenes
        sys.stdout.write(f"{group.__name__}, fitted again on {scenes} {script.pictures}:\n")
        sys.stdout.flush()
        sys.stdout.write(f"{compared(group(), script.fit(scenes))}\n\n")


if __name__ == "__main__":
    main()
