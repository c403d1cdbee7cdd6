"""A picture's way runs forward through its files: few are come back to, and it is known which."""

import inspect
import sys
from dataclasses import is_dataclass
from itertools import groupby
from pathlib import Path

from linesies.vision.caps import judge
from linesies.vision.caps.judge import Judge
from tests import cap_pictures

CAPS = Path(inspect.getfile(judge)).parent
# what a picture, a body, light and a cap are, how odds are reckoned, and a net that is asked: tools of all steps
TOOLS = {"cap", "found", "hull", "light", "net", "odds", "patch", "pictures", "placing", "solid"}


def stays(run, works):
    """List the files of caps in the order in which functions of theirs are called, each stay once.

    In each step a call counts the first time that it is made: what is done for every cap is read once. What values
    tell of themselves is left out.
    """
    calls, resumed, steps = {}, [], [0]

    def note(frame, what, _):
        code, path = frame.f_code, Path(frame.f_code.co_filename)
        if (
            what != "call"
            or path.parent != CAPS
            or code.co_name.startswith("<")
            or any(frame is one for one in resumed)
        ):
            return
        if code.co_flags & inspect.CO_GENERATOR:
            resumed.append(frame)
        steps[0] += code in works
        owner = getattr(sys.modules[frame.f_globals["__name__"]], code.co_qualname.partition(".")[0], None)
        is_own_word = isinstance(owner, type) and is_dataclass(owner)
        if not is_own_word and path.stem not in TOOLS:
            caller = frame.f_back.f_code if frame.f_back else None
            calls.setdefault((steps[0], caller, code), path.stem)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        run()
    finally:
        sys.setprofile(before)
    return [file for file, _ in groupby(calls.values())]


def test_a_picture_leaves_nearly_every_file_once():
    calibration = cap_pictures.calibration()
    judge = Judge(calibration, cap_pictures.CAPS[1:])
    judge.prepare()
    picture = cap_pictures.picture(
        calibration, [(cap_pictures.BLUE, (430.0, 250.0)), (cap_pictures.YELLOW, (180.0, 180.0))]
    )
    way = stays(lambda: judge.judge(picture), {step.work.__code__ for step in judge.way.steps})
    again = [file for i, file in enumerate(way) if file in way[:i]]
    assert way[0] == "judge"
    assert way.index("hypothesis") < way.index("shadow") < way.index("seek") < way.index("fit") < way.index("measuring")
    assert sorted(again) == sorted(
        ["find", "change", "cuts", "scouting", "cuts", "cuts", "looks", "recognising", "fit", "cuts"]
    ), way
