"""A whole simulated game, refereed as fast as the machine can and held against the truth."""

import time
from dataclasses import replace

import cv2

from linesies.device.journal.journal import Journal
from linesies.device.places import journal_file, passing_folder
from linesies.simulator.customs import Customs
from linesies.simulator.demo import Audience, DemoWishes, play_demo
from linesies.simulator.scenes import Simulated
from linesies.simulator.whole_games.comparison import Event, GameReport
from linesies.simulator.whole_games.street import compare
from linesies.simulator.whole_games.table import compare_table

LAST_HAND_S = 2.0


def play_game(game: str, customs: Customs, seed: int) -> GameReport:
    """Play and referee one game in a folder of its own, and hold its journal against its truth."""
    cv2.setNumThreads(1)
    began_s = time.monotonic()
    truth: list[Event] = []
    scenes: list[Simulated] = []

    def look_back(scene: Simulated) -> None:
        truth.extend(_to_the_end(scene))
        scenes.append(scene)

    with passing_folder() as folder:
        wishes = DemoWishes(state=folder, game=game, seed=seed, customs=customs, is_fast=True, games=1)
        play_demo(wishes, Audience(say=lambda _line: None, after_game=look_back))
        journal = Journal(journal_file(folder))
        rows = journal.rows_after(0)
        journal.close()
    return replace(
        (compare if game == "skully" else compare_table)(rows, truth),
        seed=seed,
        took_s=round(time.monotonic() - began_s, 1),
        fidgets=tuple(what for scene in scenes for what in scene.fidgets),
        options=scenes[0].start["options"] if scenes else None,
    )


def _to_the_end(scene: Simulated) -> list[Event]:
    """Let the last hand go its way: the game is over as soon as its last card lies, what was done is known after."""
    began_s: float | None = None
    for t_s in scene.play():
        began_s = t_s if began_s is None else began_s
        if t_s - began_s > LAST_HAND_S:
            break
    return list(scene.truth)
