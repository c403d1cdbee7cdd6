"""A tournament as its deeds tell it: a stage draws rounds as long as it can, and says in the end how all came in."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

import msgspec

from linesies.league.tournament.deeds import Deed, HeadStart, Left, MatchEnded, Missed, TournamentOpened
from linesies.league.tournament.pairing import circle, neighbours
from linesies.league.tournament.plan import BadPlan, Plan, in_tables, snaked
from linesies.league.tournament.points import meetings, ranked

Game = tuple[str, ...]
KNOCK_OUTS = (("knock-out", "K"), ("losers", "L"))  # by how often one has lost: the stage, and how its matches begin
FINAL = ("final", "F")
LETTERS = (
    "ABCDEGHIJMNOPQRSTUVWXYZ"  # of groups: none that begins a knock-out's matches, so that each name is one match's
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TournamentMatch:
    """A game to be played, or that was: its name, its stage and round, who plays, and how they came in."""

    id: str
    stage: str  # knock-out, losers, final, swiss, round robin, group A ...
    round: int
    players: Game
    ranking: Game | None = None
    is_walkover: bool = False  # nobody had to play
    head_starts: frozenset[tuple[str, int]] = frozenset()  # who began it at which box, once it is over

    @property
    def is_bye(self) -> bool:
        """Tell whether somebody goes on without a game."""
        return len(self.players) == 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How all came in, so far as it is known: best first."""

    ranking: Game
    is_final: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Tournament:
    """All matches drawn so far, who has left or missed one, and what was said that no longer fits (`void`)."""

    plan: Plan
    matches: tuple[TournamentMatch, ...] = ()
    gone: frozenset[str] = frozenset()
    missed: frozenset[tuple[str, str]] = frozenset()  # the match, and who did not come to it
    head_starts: Mapping[str, int] = field(default_factory=dict)  # the box at which somebody begins from now on
    void: tuple[MatchEnded, ...] = ()
    standing: Standing = field(default_factory=lambda: Standing(ranking=(), is_final=False))

    @property
    def waiting(self) -> tuple[TournamentMatch, ...]:
        """List the matches that can be played now."""
        return tuple(match for match in self.matches if match.ranking is None)

    def here(self, match: TournamentMatch) -> Game:
        """Name who of a match can play it."""
        return tuple(one for one in match.players if one not in self.gone and (match.id, one) not in self.missed)

    def ahead(self, match: TournamentMatch) -> dict[str, int]:
        """Tell who of a match begins it, or began it, at which box further on."""
        if match.ranking is not None:
            return dict(match.head_starts)
        return {one: self.head_starts[one] for one in self.here(match) if one in self.head_starts}

    @property
    def winner(self) -> str | None:
        """Name who has won it all, None while that is open."""
        return self.standing.ranking[0] if self.standing.is_final else None


def told(deeds: Sequence[Deed]) -> Tournament:
    """Tell a tournament from its deeds, of which the first opens it; raises BadPlan."""
    if not deeds or not isinstance(deeds[0], TournamentOpened):
        raise BadPlan("a tournament begins with its plan")
    results = {
        deed.match: deed for deed in deeds if isinstance(deed, MatchEnded)
    }  # said again, it counts as said first
    now = _drawn_on(Tournament(plan=Plan(**msgspec.structs.asdict(deeds[0]))))
    for deed in deeds[1:]:
        if isinstance(deed, Left):
            now = _walked_over(replace(now, gone=now.gone | {deed.player}))
        elif isinstance(deed, Missed):
            now = _walked_over(replace(now, missed=now.missed | {(deed.match, deed.player)}))
        elif isinstance(deed, HeadStart) and deed.player in now.plan.entrants:
            others = {player: box for player, box in now.head_starts.items() if player != deed.player}
            now = replace(now, head_starts=others | ({deed.player: deed.box} if deed.box > 1 else {}))
        elif isinstance(deed, MatchEnded) and deed.match in results:
            now = _ended(now, results.pop(deed.match))
        now = _drawn_on(now)
    return now


def _ended(now: Tournament, deed: MatchEnded) -> Tournament:
    """Take a result, if it is one of that match; who was not there may be missing in it, and comes in last."""
    match = next((one for one in now.matches if one.id == deed.match), None)
    there = () if match is None else (*now.here(match), *deed.ranking)
    ranking = (*deed.ranking, *(p for p in (match.players if match else ()) if p not in there))
    if match is None or match.is_bye or sorted(match.players) != sorted(ranking):
        return replace(now, void=(*now.void, deed))
    ahead = frozenset(now.ahead(match).items())
    return _with(now, replace(match, ranking=ranking, is_walkover=False, head_starts=ahead))


def _with(now: Tournament, match: TournamentMatch) -> Tournament:
    return replace(now, matches=tuple(match if one.id == match.id else one for one in now.matches))


def _walked_over(now: Tournament) -> Tournament:
    """Decide what needs no game: byes, and matches in which at most one is still there."""
    for match in now.waiting:
        here = now.here(match)
        if len(here) <= 1:
            away = [player for player in match.players if player not in here]
            now = _with(now, replace(match, ranking=(*here, *away), is_walkover=True))
    return now


def _drawn_on(now: Tournament) -> Tournament:
    """Draw round after round as long as what was played allows it, and say how all came in so far."""
    while True:
        fresh, standing = _STAGES[now.plan.format](now)
        now = replace(now, standing=standing)
        if not fresh:
            return now
        now = _walked_over(replace(now, matches=(*now.matches, *fresh)))


Drawn = tuple[tuple[TournamentMatch, ...], Standing]


def _named(stage: str, short: str, number: int, games: Iterable[Game]) -> tuple[TournamentMatch, ...]:
    return tuple(
        TournamentMatch(id=f"{short}{number}.{n}", stage=stage, round=number, players=game)
        for n, game in enumerate(games, start=1)
    )


def _elimination(entrants: Game, matches: Sequence[TournamentMatch], *, plan: Plan, lives: int) -> Drawn:
    """Draw the next round of a knock-out in which everyone may lose so often; all but the first of a game lose.

    After each round the best seeds left meet the worst. Who has lost the same number of games plays together, and the
    last of each in the final; who comes there unbeaten has to be beaten twice.
    """
    lost = _losses(entrants, matches)
    pools = [[player for player in entrants if lost[player] == losses] for losses in range(lives)]
    number = max((match.round for match in matches), default=0) + 1
    alive = [player for pool in pools for player in pool]
    standing = Standing(ranking=_eliminated(entrants, matches, alive), is_final=len(alive) == 1)
    if len(alive) <= 1:
        return (), standing
    if len([pool for pool in pools if pool]) > 1 and all(len(pool) <= 1 for pool in pools):
        return _named(*FINAL, number, [tuple(alive)]), standing
    fresh = [
        match
        for pool, (stage, short) in zip(pools, KNOCK_OUTS, strict=False)
        if len(pool) > 1
        for match in _named(
            *(FINAL if len(alive) <= plan.seats else (stage, short)), number, _round_of(pool, plan.seats)
        )
    ]
    return tuple(fresh), standing


def _round_of(pool: Sequence[str], seats: int) -> list[Game]:
    """Part those left among as many games as the round before the last can take winners of: the best have the byes."""
    games = 1
    while games * seats < len(pool):
        games *= seats
    return snaked(pool, games)


def _losses(entrants: Game, matches: Sequence[TournamentMatch]) -> dict[str, int]:
    lost = dict.fromkeys(entrants, 0)
    for match in matches:
        for player in (match.ranking or ())[1:]:
            lost[player] += 1
    return lost


def _eliminated(entrants: Game, matches: Sequence[TournamentMatch], alive: Sequence[str]) -> Game:
    """Put those who are out behind those who are in: the later out the better, and of one match as they came in."""
    out: list[str] = []
    for match in reversed(matches):
        out += [player for player in match.ranking or () if player not in alive and player not in out]
    return (*alive, *out, *(one for one in entrants if one not in alive and one not in out))


def _knock_out(now: Tournament, lives: int) -> Drawn:
    return _elimination(now.plan.entrants, now.matches, plan=now.plan, lives=lives)


def _rankings(matches: Iterable[TournamentMatch]) -> list[Game]:
    return [match.ranking for match in matches if match.ranking]


def _swiss(now: Tournament) -> Drawn:
    """Draw a round of swiss: those who stand alike, and have not met; who has left is drawn no more."""
    plan = now.plan
    standing = ranked(plan.entrants, _rankings(now.matches))
    number = max((match.round for match in now.matches), default=0) + 1
    here = [player for player in standing if player not in now.gone]
    if number > (plan.rounds or (len(plan.entrants) - 1).bit_length()) or len(here) < 2:
        return (), Standing(ranking=standing, is_final=True)
    byes = frozenset(match.players[0] for match in now.matches if match.is_bye)
    games = neighbours(here, meetings(match.players for match in now.matches), plan.seats, byes)
    return _named("swiss", "S", number, games), Standing(ranking=standing, is_final=False)


def _round_robin(now: Tournament) -> Drawn:
    return _all_in_turn(now.plan.entrants, now.matches, now.plan, stage="round robin", short="R")


@lru_cache(maxsize=1024)  # of many groups all but one stand as they stood a result ago
def _all_in_turn(players: Game, matches: tuple[TournamentMatch, ...], plan: Plan, *, stage: str, short: str) -> Drawn:
    """Draw the next round in which everybody plays; of two seats each meets each other once in all rounds."""
    standing = ranked(players, _rankings(match for match in matches if not match.is_bye))
    number = max((match.round for match in matches), default=0) + 1
    usual = len(players) - 1 + len(players) % 2 if plan.seats == 2 else -(-(len(players) - 1) // (plan.seats - 1))
    if number > (plan.rounds or max(usual, 1)):
        return (), Standing(ranking=standing, is_final=True)
    if plan.seats == 2:
        games = circle(players, number - 1)
    else:
        games = neighbours(players, meetings(match.players for match in matches), plan.seats)
    return _named(stage, short, number, games), Standing(ranking=standing, is_final=False)


def _groups(now: Tournament) -> Drawn:
    """Draw each group's next round once it has played the last; then the knock-out of the first of each.

    The firsts of groups are seeded before the seconds.
    """
    plan = now.plan
    count = len(in_tables(plan.entrants, plan.group))
    groups = snaked(plan.entrants, count)
    names = [f"group {_letter(n)}" for n in range(count)]
    playing = {match.stage for match in now.waiting}
    if playing and not playing < set(names):
        return (), now.standing
    drawn = [
        _all_in_turn(
            players,
            tuple(m for m in now.matches if m.stage == name),
            replace(plan, rounds=0),
            stage=name,
            short=_letter(n),
        )
        for n, (players, name) in enumerate(zip(groups, names, strict=True))
    ]
    fresh = tuple(m for name, (matches, _) in zip(names, drawn, strict=True) for m in matches if name not in playing)
    places = max(len(players) for players in groups)
    order = [
        standing.ranking[place] for place in range(places) for _, standing in drawn if place < len(standing.ranking)
    ]
    if fresh or playing:
        return fresh, Standing(ranking=tuple(order), is_final=False)
    through = tuple(
        player for place in range(plan.through) for _, s in drawn for player in s.ranking[place : place + 1]
    )
    knock_out = [match for match in now.matches if match.stage not in names]
    matches, standing = _elimination(through, knock_out, plan=plan, lives=1)
    rest = tuple(player for player in order if player not in through)
    return matches, replace(standing, ranking=(*standing.ranking, *rest))


def _letter(number: int) -> str:
    return LETTERS[number % len(LETTERS)] * (number // len(LETTERS) + 1)


def _once_played(stage: Callable[[Tournament], Drawn]) -> Callable[[Tournament], Drawn]:
    """Draw nothing more of a stage as long as a match of it waits for its players."""
    return lambda now: ((), now.standing) if now.waiting else stage(now)


_STAGES: Mapping[str, Callable[[Tournament], Drawn]] = {
    "single": _once_played(lambda now: _knock_out(now, lives=1)),
    "double": _once_played(lambda now: _knock_out(now, lives=2)),
    "round_robin": _once_played(_round_robin),
    "swiss": _once_played(_swiss),
    "groups": _groups,
}
