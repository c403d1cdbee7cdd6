"""A whole evening in real processes: a hub, its PostgreSQL, simulated boards, and an organiser who taps by HTTP.

`python -m linesies.benchmarks.league_evening [--players 64] [--boards 8] [--seed 1]`: groups, then a knock-out, to the
winner. Somebody does not come, a board dies for good, a result is corrected, somebody leaves. In the end the bracket is
compared with what the boards' journals tell.
"""

import contextlib
import json
import re
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from linesies.benchmarks.passing import passing_folder
from linesies.device.journal.journal import Journal
from linesies.device.places import journal_file
from linesies.league.cluster import running_cluster
from linesies.league.game_result import ranking_in
from linesies.league.names import keys_folder
from linesies.referee.folding import fold
from linesies.referee.story import Story
from linesies.simulator.evening import MORTAL, EveningWishes, open_evening, playing

PORT = 8191
MOST_ROWS = 10_000_000
LOOK_S = 0.5
CODE = re.compile(r"organiser's phone: (\d+) (\d+)")


class Organiser:
    """Whoever runs the evening, with a phone and the organiser's code; remembers what was tapped."""

    def __init__(self, hub: str, code: str) -> None:
        self._tournament = f"{hub}/tournaments/1"
        self._cookie = ""
        with self._asked(f"{hub}/organiser", {"code": code}) as answer:
            self._cookie = answer.headers["Set-Cookie"].split(";")[0]
        self.taps: list[str] = []

    def look(self) -> dict[str, Any]:
        """Read the tournament's page."""
        with urllib.request.urlopen(f"{self._tournament}.json", timeout=20) as answer:  # noqa: S310 - our own hub
            told: dict[str, Any] = json.loads(answer.read())
        return told

    def tap(self, why: str, path: str, body: dict[str, Any]) -> None:
        """Tap one thing."""
        self.taps.append(why)
        self._asked(f"{self._tournament}/{path}", body).close()

    def _asked(self, address: str, body: dict[str, Any]) -> Any:
        asked = urllib.request.Request(address, json.dumps(body).encode(), {"Cookie": self._cookie})  # noqa: S310
        return urllib.request.urlopen(asked, timeout=20)  # noqa: S310 - likewise


@contextlib.contextmanager
def hub_process(database: str, keys: Path) -> Iterator[str]:
    """Serve a hub; gives the organiser's code, as its console shows it."""
    given = ["--database", database, "--keys", str(keys), "--host", "127.0.0.1", "--port", str(PORT)]
    command = [*MORTAL, sys.executable, "-m", "linesies", "league", *given]
    hub = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)  # noqa: S603 - our own program
    try:
        assert hub.stderr is not None
        found = next(match for line in hub.stderr if (match := CODE.search(line)))
        yield "".join(found.groups())
    finally:
        hub.terminate()
        hub.wait()


def is_played(match: dict[str, Any]) -> bool:
    """Tell whether people have played a match."""
    return bool(match["ranking"]) and not match["is_walkover"] and not match["is_bye"]


def quiet_match(told: dict[str, Any]) -> dict[str, Any] | None:
    """Find a match that waits and that nobody has begun."""
    waiting = (one for one in told["matches"] if one["ranking"] is None)
    return next((one for one in waiting if not told["where"].get(one["id"], {}).get("is_begun")), None)


def knocked_out(told: dict[str, Any]) -> list[dict[str, Any]]:
    """List the matches of the knock-out that were played."""
    return [one for one in told["matches"] if one["stage"] == "knock-out" and is_played(one)]


def does_not_come(told: dict[str, Any], organiser: Organiser) -> bool:
    """Let somebody miss the first match that waits."""
    match = quiet_match(told)
    if match is None:
        return False
    who = match["players"][1]
    organiser.tap(f"{who} did not come", "deeds", {"deed": "missed", "match": match["id"], "player": who})
    return True


def is_corrected(told: dict[str, Any], organiser: Organiser) -> bool:
    """Say that the first match of the knock-out was won by the other."""
    for match in knocked_out(told)[:1]:
        ranking = match["ranking"][::-1]
        deed = {"deed": "ended", "match": match["id"], "ranking": ranking}
        organiser.tap(f"{ranking[0]} had won {match['id']}", "deeds", deed)
        return True
    return False


def goes_home(told: dict[str, Any], organiser: Organiser) -> bool:
    """Let somebody leave in the middle of the knock-out."""
    match = quiet_match(told)
    if match is None or len(knocked_out(told)) <= len(told["ranking"]) // 4:
        return False
    who = match["players"][0]
    organiser.tap(f"{who} goes home", "deeds", {"deed": "left", "player": who})
    return True


def take_from_the_dead(told: dict[str, Any], organiser: Organiser) -> None:
    """Put the matches back whose boards fell silent in the middle of them."""
    for match, where in told["where"].items():
        if where["is_on"] and where["is_begun"] and not where["is_heard"]:
            organiser.tap(f"{match} back from {where['board']}", "recall", {"match": match})


def play_on(organiser: Organiser, last_board: contextlib.ExitStack, patience_s: float) -> dict[str, Any]:
    """Let go wrong what goes wrong on an evening, each once, until there is a winner; gives what is told then."""
    until_s = time.monotonic() + patience_s
    to_come = [does_not_come, is_corrected, goes_home]
    while not (told := organiser.look())["winner"] and time.monotonic() < until_s:
        to_come = [trouble for trouble in to_come if not trouble(told, organiser)]
        take_from_the_dead(told, organiser)
        if sum(map(is_played, told["matches"])) >= len(told["ranking"]) // 4:
            last_board.close()  # it dies for good
        time.sleep(LOOK_S)
    return told


def results_in(state: Path) -> list[tuple[str, ...]]:
    """Tell how the games in a board's journal ended, from nothing else."""
    journal = Journal(journal_file(state))
    story, ended = Story(), []
    for row in journal.rows_after(0, MOST_ROWS):
        if row.kind == "start":
            ended.append(ranking_in(story, story.players))
        story = fold([row], story)
    journal.close()
    return [one for one in (*ended, ranking_in(story, story.players)) if one is not None]


def faults_in(told: dict[str, Any], states: list[Path]) -> list[str]:
    """Say what is not as the rules and the boards' journals have it; the one corrected result is known."""
    knocked = [one for one in told["matches"] if not one["stage"].startswith("group") and not one["is_bye"]]
    through = {player for one in knocked for player in one["players"]}
    losses = Counter(player for one in knocked for player in one["ranking"][1:])
    said = [f"{one} lost {losses[one]} times" for one in through if losses[one] != (one != told["winner"])]
    games = [one for one in told["matches"] if not one["is_bye"] and not one["is_walkover"]]
    bracket = Counter(tuple(one["ranking"]) for one in games)
    journals = Counter(result for state in states for result in results_in(state))
    untold = bracket - journals
    if untold.total() != 1:
        said.append(f"one result was corrected, but {untold.total()} of the bracket are in no journal: {untold}")
    return [*said, *(f"{match} is void" for match in told["void"])]


@click.command()
@click.option("--players", default=64, show_default=True)
@click.option("--boards", default=8, show_default=True)
@click.option("--seed", default=1, show_default=True)
@click.option("--pace", "pace_s", default=0.02, show_default=True, help="Seconds from one shot to the next.")
@click.option("--patience", "patience_s", default=1500.0, show_default=True)
def main(players: int, boards: int, seed: int, pace_s: float, patience_s: float) -> None:
    """Play to the winner and print how; ends with status 1 where that is not as the rules and the journals have it."""
    with passing_folder() as folder, contextlib.ExitStack() as open_parts:
        cluster = open_parts.enter_context(running_cluster(folder / "hub"))
        wishes = EveningWishes(folder=folder, boards=boards, players=players, port=PORT)
        states = open_evening(wishes, cluster.url)
        code = open_parts.enter_context(hub_process(cluster.url, keys_folder(folder)))
        last_board = open_parts.enter_context(contextlib.ExitStack())
        for number, state in enumerate(states, start=1):
            (last_board if number == boards else open_parts).enter_context(playing(state, seed * 100 + number, pace_s))
        organiser, begun_s = Organiser(wishes.hub, code), time.monotonic()
        told = play_on(organiser, last_board, patience_s)
        took_s = time.monotonic() - begun_s
        faults = faults_in(told, states) if told["winner"] else ["no winner"]
    answer = {"winner": told["winner"], "matches": len(told["matches"]), "took_s": round(took_s)}
    click.echo(json.dumps({**answer, "taps": organiser.taps, "faults": faults}))
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
