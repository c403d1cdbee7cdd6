"""One simulated board of a league: people who play by chance whatever match is called to them, in a process of its own.

No camera looks: what happens goes straight to the referee. All behind that is a real box, its journal and its pusher.
`python -m linesies.simulator.league_board STATE --seed 7` plays until it is ended.
"""

import time
from pathlib import Path
from random import Random
from typing import Any

import click
import msgspec

from linesies.device.announcers.announcing import Announcers
from linesies.device.announcers.pushing import LeaguePusher
from linesies.device.journal.journal import Journal
from linesies.device.membership import read_membership
from linesies.device.places import journal_file
from linesies.referee.referee import Referee
from linesies.simulator.bots.skully import SkullyBot

IDLE_S = 0.2  # between two looks at what is to be done
WALK_S = 3.0  # until those who were called have come
GONE_HOME = "gone_home"  # a file in a board's folder: nobody plays there any more
FRIENDS = ("Finn", "Gwen")  # who play on where no match is called; no entrant is called so
GOES_HOME = ("leave", "correct")  # what people seldom do, and would end a game of two at once


class LeagueBoard:
    """A box and the people round it."""

    def __init__(self, state: Path, seed: int) -> None:
        membership = read_membership(state)
        assert membership is not None  # who starts it has joined it
        self.journal = Journal(journal_file(state))
        pusher = LeaguePusher(membership, state, self.journal.path)
        self.referee = Referee(self.journal, Announcers([pusher]), elsewhere=lambda one: one.location)
        self._chance = Random(seed)  # noqa: S311 - a game, no secret

    def go_on(self, pace_s: float, *, is_restless: bool) -> None:
        """Do the next thing: begin the match that is called, let somebody play, or wait (or play on among friends)."""
        self.referee.take_orders()
        match = self.referee.story.match
        if self.referee.has_game:
            play_on(self.referee, self.journal, self._chance)
            time.sleep(pace_s * self._chance.uniform(0.5, 1.5))
        elif match is not None:
            time.sleep(WALK_S)
            begin(self.referee, match.players)
        elif is_restless:
            begin(self.referee, FRIENDS)
        else:
            time.sleep(IDLE_S)


def begin(referee: Referee, players: tuple[str, ...]) -> None:
    """Begin a street game."""
    referee.begin({}, {"event": "start", "game": "skully", "players": list(players), "options": {}})


def play_on(referee: Referee, journal: Journal, chance: Random) -> None:
    """Let somebody do what people do next, by chance."""
    agreed = msgspec.to_builtins(referee.story.state.options)  # also by whoever stood here before a start anew
    event: dict[str, Any] = SkullyBot(agreed, chance).event(referee.story.standing)
    if event["event"] not in GOES_HOME:
        journal.submit({"order": "event", "event": event}, "street")
        referee.take_orders()


@click.command()
@click.argument("state", type=click.Path(path_type=Path))
@click.option("--seed", default=1)
@click.option("--pace", "pace_s", default=0.5, help="Seconds from one shot to the next.")
@click.option("--restless", "is_restless", is_flag=True, help="Play on among friends where no match is called.")
def main(state: Path, seed: int, pace_s: float, *, is_restless: bool) -> None:
    """Play until it is ended, or until people have gone home; what was played is told also then."""
    board = LeagueBoard(state, seed)
    while True:
        if (state / GONE_HOME).exists():
            time.sleep(IDLE_S)
        else:
            board.go_on(pace_s, is_restless=is_restless)


if __name__ == "__main__":
    main()
