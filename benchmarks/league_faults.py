"""Whether every row is at the hub once and in order, while boards, hub and PostgreSQL are killed at random.

`python -m linesies.benchmarks.league_faults [--boards 8] [--kills 40] [--bad 2]`. Boards in processes of their own
play; every few seconds something is killed: the hub, PostgreSQL or a board, by SIGKILL, each as often and in any order.
`bad` of the boards are behind a line (as root; `bad_network.py`) that loses three packets of ten, holds each
back for a quarter of a second each way, and is cut while the middle third is killed. Then the boards tell what is
left, and their journals are compared with the hub's rows, column by column and seal by seal, and what they tell of
games with the brackets. What ended by itself is named with its last words.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from pathlib import Path
from random import Random
from typing import Any

import click
from sqlalchemy import func, select

from linesies.benchmarks.bad_network import OUTSIDE, BadNetwork
from linesies.benchmarks.passing import passing_folder
from linesies.device.journal.journal import Journal
from linesies.device.membership import key_file, read_membership, write_membership
from linesies.device.places import journal_file
from linesies.league.calling import Calling
from linesies.league.calls import MatchCalls
from linesies.league.cluster import Cluster
from linesies.league.hiding import COLUMNS
from linesies.league.identity import identity_in
from linesies.league.names import keys_folder
from linesies.league.schedule import Schedule
from linesies.league.standings import Chain, Standings, told_on
from linesies.league.store import Store
from linesies.league.tables import rows
from linesies.league.tournament import MatchEnded, TournamentMatch
from linesies.referee.seals import sealed_after
from linesies.simulator.evening import MORTAL, EveningWishes, open_evening
from linesies.simulator.league_board import GONE_HOME

PORT = 8190
KINDS = ("hub", "postgresql", "board")
Game = tuple[str, int]  # the board, and the row at which it began there
NOTHING: Mapping[str, list[str]] = {}
PATIENCE_S = 240.0  # for what is left to be told: a board tries again after at most 23 s
HOME_S = 1.0  # in which who was playing has ended his shot
RESULTS_S = 120.0  # in which the hub has taken the results of what was told last; on a busy machine it takes some
LAST_LINES = 3  # of what said why it ended
EACH_S = 1.0  # besides, for each board's process to be started
NEXT_START_S = 0.3  # between two starts at the beginning: of a core each takes half a second
MOST_ROWS = 10_000_000
LOSS, DELAY_S = 0.3, 0.25  # of a packet on the bad line, each way


class Parts:
    """What can be killed, each started again at once.

    `before` stands before the programs of some boards, by name; `more` is what these are told besides.
    """

    def __init__(
        self,
        folder: Path,
        cluster: Cluster,
        boards: int,
        *,
        pace_s: float,
        before: Mapping[str, list[str]] = NOTHING,
        more: Mapping[str, list[str]] = NOTHING,
    ) -> None:
        self._cluster = cluster
        self._before = before
        self._boards = [folder / f"board-{number}" for number in range(1, boards + 1)]
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._logs = folder / "logs"
        self._logs.mkdir(exist_ok=True)
        self.ended_by_itself = Counter[str]()
        hub = ["--database", cluster.url, "--keys", str(keys_folder(folder)), "--port", str(PORT)]
        self._commands = {"hub": ["linesies", "league", *hub]} | {
            state.name: [
                *("linesies.simulator.league_board", str(state), "--seed", str(number), "--pace", str(pace_s)),
                *more.get(state.name, ()),
            ]
            for number, state in enumerate(self._boards, start=1)
        }
        for name in self._commands:
            self._start(name)
            time.sleep(NEXT_START_S)

    @property
    def states(self) -> list[Path]:
        """The boards' state folders."""
        return self._boards

    def kill(self, name: str) -> None:
        """Kill one part and start it again."""
        if name == "postgresql":
            number, *_ = (self._cluster.data / "postmaster.pid").read_text().split()
            os.kill(int(number), signal.SIGKILL)
            self._cluster.start()
        else:
            self.end(name)
            self._start(name)

    def revive(self) -> None:
        """Start again what has ended by itself, as whoever runs it would have it, and note what it said last."""
        for name, process in list(self._running.items()):
            if process.poll() is not None:
                said = self._log(name).read_text(errors="replace").splitlines()
                self.ended_by_itself[f"{name} ({process.returncode}): {' / '.join(said[-LAST_LINES:])}"] += 1
                self._start(name)

    def close(self) -> None:
        """Kill all but PostgreSQL."""
        for name in list(self._running):
            self.end(name)

    def _start(self, name: str) -> None:
        with self._log(name).open("w") as log:
            self._running[name] = subprocess.Popen(  # noqa: S603 - our own programs
                [*MORTAL, *self._before.get(name, []), sys.executable, "-m", *self._commands[name]],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
                start_new_session=True,
            )

    def _log(self, name: str) -> Path:
        return self._logs / name

    def end(self, name: str) -> None:
        """Kill one part for good."""
        process = self._running.pop(name)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def told_otherwise(state: Path, store: Store) -> str | None:
    """Say where the hub's rows of a board are others than its journal's or no chain, None where all is right."""
    membership = read_membership(state)
    assert membership is not None
    board = identity_in(key_file(state)).board
    journal = Journal(journal_file(state))
    mine = [tuple(one) for one in journal.values_after(0, MOST_ROWS)]
    journal.close()
    asked = select(*(rows.c[name] for name in COLUMNS)).where(rows.c.board == board, rows.c.epoch == membership.epoch)
    with store.engine.connect() as connection:
        theirs = [tuple(store.shown(one)) for one in connection.execute(asked.order_by(rows.c.row))]
    if mine == theirs:
        is_chain = theirs == sealed_after("", [values for *values, _ in theirs])
        return None if is_chain else f"{state.name}: its chain is broken"
    at = next((n for n, (one, other) in enumerate(zip(mine, theirs, strict=False)) if one != other), len(theirs))
    return f"{state.name}: {len(mine)} rows in the journal, {len(theirs)} at the hub, alike up to {at}"


def patience_s(parts: Parts) -> float:
    """Tell how long all boards together are waited for."""
    return PATIENCE_S + EACH_S * len(parts.states)


def all_play(parts: Parts) -> None:
    """Wait until each board's players have begun."""
    journals = [Journal(journal_file(state)) for state in parts.states]
    until_s = time.monotonic() + patience_s(parts)
    while time.monotonic() < until_s and not all(journal.last_id() for journal in journals):
        parts.revive()
        time.sleep(1.0)
    for journal in journals:
        journal.close()


def tell_rest(parts: Parts, store: Store) -> list[str]:
    """Have the boards tell what is left, without playing on; gives what is still told otherwise in the end."""
    until_s = time.monotonic() + patience_s(parts)
    go_home(parts.states)
    while True:
        parts.revive()
        faults = [fault for state in parts.states if (fault := told_otherwise(state, store))]
        if not faults or time.monotonic() > until_s:
            return faults
        time.sleep(2.0)


def go_home(states: Sequence[Path]) -> None:
    """Let nobody play on at these boards; they tell what is left."""
    for state in states:
        (state / GONE_HOME).touch()
    time.sleep(HOME_S)


def games_in(state: Path) -> Mapping[Game, tuple[str, ...]]:
    """Fold a board's journal: how the players of each game that is over came in, by where it began."""
    board = identity_in(key_file(state)).board
    with contextlib.closing(Journal(journal_file(state))) as journal:
        return {(board, game.row): game.ranking for game in told_on(Chain(), journal.rows_after(0, MOST_ROWS)).ended}


def asked_of_organiser(store: Store, tournament: int) -> set[Game]:
    """Name the games that were played behind a cut line after their match had gone back to the queue: people say."""
    calling = Calling(Standings(store), Schedule(store), MatchCalls(store))
    found = (where.said for where in calling.where(tournament).values())
    return {(said.board.board, said.game_row) for said in found if said}


def brackets_differ(store: Store, states: Sequence[Path]) -> tuple[int, list[str]]:
    """Compare brackets with the fold of the boards' journals: how many results there are, and which are others."""
    played = {game: ranking for state in states for game, ranking in games_in(state).items()}
    results, said = 0, list[str]()
    for number, titled in Schedule(store).tournaments().items():
        heeded = {call.key: call for call in MatchCalls(store).of(number) if call.game_row is not None}
        counted: Counter[Any] = Counter(match.id for match in titled.now.matches)
        said += [f"tournament {number}: {match} stands there {n} times" for match, n in counted.items() if n > 1]
        said += [f"tournament {number}: {one.match} is void" for one in titled.now.void if isinstance(one, MatchEnded)]
        told = [match for match in titled.now.matches if match.ranking and not (match.is_bye or match.is_walkover)]
        for match in told:
            call = heeded.get((number, match.id))  # none where the hub was killed before it had noted from which game
            game = (call.board, call.game_row or 0) if call else _game_of(match, played)
            ranking = played.pop(game, None) if game else None
            if ranking != match.ranking:
                said.append(f"tournament {number}: {match.id} {match.ranking}, in the journal {ranking}")
        results += len(told)
        for game in asked_of_organiser(store, number):
            played.pop(game, None)
        meetings = {frozenset(match.players) for match in told}
        played = {game: ranking for game, ranking in played.items() if frozenset(ranking) not in meetings}
    return results, said + [f"{board}: its game from row {row} is no result" for board, row in played]


def _game_of(match: TournamentMatch, played: Mapping[Game, tuple[str, ...]]) -> Game | None:
    return next((game for game, ranking in played.items() if ranking == match.ranking), None)


def results_told(store: Store, states: Sequence[Path]) -> tuple[int, list[str]]:
    """Wait until brackets are as the journals have them; gives how many results there are, and which are others."""
    until_s = time.monotonic() + RESULTS_S
    while (compared := brackets_differ(store, states))[1] and time.monotonic() < until_s:
        time.sleep(2.0)
    return compared


def move(state: Path) -> None:
    """Have a board know its hub by the address that it has at the other end of the bad line."""
    membership = read_membership(state)
    assert membership is not None
    write_membership(state, replace(membership, hub=f"http://{OUTSIDE}:{PORT}"))


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedFaults:
    """What was asked for on the command line."""

    boards: int
    bad: int
    kills: int
    every_s: float
    pace_s: float
    seed: int


def kill_at_random(wanted: WantedFaults, parts: Parts, line: BadNetwork | None) -> Counter[str]:
    """Kill so often, the bad line cut for the middle third; tells how often each kind was."""
    chance, killed = Random(wanted.seed), Counter[str]()  # noqa: S311 - what is killed when is no secret
    kinds = [kind for kind, _ in zip(cycle(KINDS), range(wanted.kills), strict=False)]
    chance.shuffle(kinds)
    for n, kind in enumerate(kinds):
        if line is not None:
            line.is_cut = wanted.kills <= 3 * n < 2 * wanted.kills
        time.sleep(chance.uniform(0.5, 1.5) * wanted.every_s)
        parts.revive()
        parts.kill(chance.choice(parts.states).name if kind == "board" else kind)
        killed[kind] += 1
    return killed


@click.command()
@click.option("--boards", default=8, show_default=True)
@click.option("--bad", default=0, show_default=True, help="How many of them are behind the bad line.")
@click.option("--kills", default=40, show_default=True, help="Of hub, PostgreSQL and boards together.")
@click.option("--every", "every_s", default=3.0, show_default=True, help="Seconds from one kill to the next.")
@click.option("--pace", "pace_s", default=0.05, show_default=True, help="Seconds from one shot to the next.")
@click.option("--seed", default=1, show_default=True)
def main(**given: Any) -> None:
    """Kill at random so often, then compare; ends with status 1 where a row is missing, twice or another."""
    wanted = WantedFaults(**given)
    with passing_folder() as folder, contextlib.ExitStack() as open_parts:
        cluster = open_parts.enter_context(contextlib.closing(Cluster(folder / "hub")))
        cluster.start()
        open_parts.callback(cluster.stop, "immediate")
        wishes = EveningWishes(folder=folder, boards=wanted.boards, players=4 * wanted.boards, port=PORT)
        states, line = open_evening(wishes, cluster.url), None
        if wanted.bad:
            line = BadNetwork("lgbad", loss=LOSS, delay_s=DELAY_S, seed=wanted.seed)
            open_parts.enter_context(contextlib.closing(line))
        behind = states[: wanted.bad]
        for state in behind:
            move(state)
        before = {state.name: line.command for state in behind if line is not None}
        parts = Parts(folder, cluster, wanted.boards, pace_s=wanted.pace_s, before=before)
        open_parts.enter_context(contextlib.closing(parts))
        all_play(parts)
        killed = kill_at_random(wanted, parts, line)
        with contextlib.closing(Store(cluster.url, keys_folder(folder))) as store:
            ended_s = time.monotonic()
            faults = tell_rest(parts, store)
            told_s = time.monotonic() - ended_s
            results, otherwise = results_told(store, states)
            held, faults = held_by(store), faults + otherwise
    faults += [] if held else ["nothing was played"]
    told = {"killed": killed, "ended_by_itself": parts.ended_by_itself, "rest_told_s": round(told_s)}
    click.echo(json.dumps({**told, "rows": held, "results": results, "faults": faults}))
    sys.exit(1 if faults else 0)


def held_by(store: Store) -> int:
    """Count the rows at the hub."""
    with store.engine.connect() as connection:
        return int(connection.execute(select(func.count()).select_from(rows)).scalar_one())


if __name__ == "__main__":
    main()
