"""A referee at full speed over an endless film, ended at random moments: `python -m tests.endless_referee STOPS SEED`.

The real loop, journal, announcers, evidence and film roll; the eyes see a shot every few frames, so that clips are
always being cut. For each stop one line is printed: seconds from the signal to the end, and the threads still there.
"""

import itertools
import os
import random
import signal
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import numpy as np

from linesies.device.announcers.evidence import Evidence
from linesies.device.announcers.evidence_store import Shelf
from linesies.device.cameras.source import Recording
from linesies.device.loop.ending import until_ended
from linesies.device.loop.match import Match
from linesies.vision import Frame
from tests.refereeing import Listener, quick_journal, referee_on, shot
from tests.test_match import ScriptedEyes

LONGEST_S = 0.6
SHOT_EVERY = 15  # frames


class Endless(Recording):
    """Grey pictures, as fast as they are taken."""

    name, size_px, fps = "endless", (320, 240), 60.0

    def frames(self):
        planes = np.full((360, 320), 100, np.uint8)
        for number in itertools.count():
            yield Frame.from_yuv420(planes, number=number, t_s=number / 60, is_full_range=True)

    def close(self):
        """Hold nothing open."""


class Shots:
    """Sees a shot every few frames."""

    def get(self, number, _otherwise):
        return (shot("ana", "open", t_s=number / 60),) if number % SHOT_EVERY == 0 and number else ()


def stop(chance: random.Random) -> float:
    """Referee until a signal comes at a random moment; tells how long the ending took."""
    asked_s = []

    def ask() -> None:
        asked_s.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGTERM)

    with until_ended(lambda _words: None), quick_journal() as path:
        referee = referee_on(path, Listener())
        shelf = Shelf(Path(path).parent, pictures=10, clips=10, megabytes=10)
        with closing(referee.journal), closing(Evidence(shelf, lambda *_: ())) as evidence:
            threading.Timer(chance.uniform(0, LONGEST_S), ask).start()
            Match(ScriptedEyes(Shots()), referee, evidence=evidence).follow(Endless(), is_done=lambda: False)
    return time.monotonic() - asked_s[0]


if __name__ == "__main__":
    chance = random.Random(int(sys.argv[2]))
    for _ in range(int(sys.argv[1])):
        took_s = stop(chance)
        left = [thread.name for thread in threading.enumerate() if thread.name in ("film", "evidence")]
        sys.stdout.write(f"{took_s:.2f} {' '.join(left)}\n")
        sys.stdout.flush()
