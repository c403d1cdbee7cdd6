"""Who meets whom in a round: in swiss those who stand alike and have not met, in a round robin all in turn."""

from collections.abc import Mapping, Sequence

from linesies.league.tournament.plan import in_tables

Game = tuple[str, ...]
Met = Mapping[str, Mapping[str, int]]
MOST_TRIES = 20_000  # of pairings without a second meeting; 64 players take a few hundred


def circle(players: Sequence[str], number: int) -> list[Game]:
    """Pair everyone for a round of a round robin by the circle method: the first stays, the others go round."""
    ring: list[str | None] = [*players, *([None] if len(players) % 2 else [])]
    turn = number % (len(ring) - 1)
    ring = [ring[0], *ring[len(ring) - turn :], *ring[1 : len(ring) - turn]]
    pairs = zip(ring[: len(ring) // 2], reversed(ring[len(ring) // 2 :]), strict=True)
    return [tuple(player for player in pair if player is not None) for pair in pairs]


def neighbours(players: Sequence[str], met: Met, seats: int, byes: frozenset[str] = frozenset()) -> list[Game]:
    """Part players, the best first, into games of those who stand near one another and have met least.

    Of two seats and an odd number the last who had no bye yet has one.
    """
    if seats > 2:
        return _nearest(players, met, seats)
    left = list(players)
    resting: list[Game] = []
    if len(left) % 2:
        sits_out = next((one for one in reversed(left) if one not in byes), left[-1])
        left.remove(sits_out)
        resting = [(sits_out,)]
    tries = [MOST_TRIES]
    pairs = _unmet(tuple(left), met, tries) or in_tables(left, 2)
    return [*pairs, *resting]


def _unmet(players: Game, met: Met, tries: list[int]) -> list[Game] | None:
    """Pair each with the next who was not met, going back where somebody is left over."""
    if not players:
        return []
    first, *others = players
    for other in others:
        tries[0] -= 1
        if tries[0] < 0:
            return None
        if not met.get(first, {}).get(other):
            rest = _unmet(tuple(one for one in others if one != other), met, tries)
            if rest is not None:
                return [(first, other), *rest]
    return None


def _nearest(players: Sequence[str], met: Met, seats: int) -> list[Game]:
    """Fill each game with the best who is left and then with whom those in it have met least, the better first."""
    left, games = list(players), []
    for table in in_tables(players, seats):
        game = [left.pop(0)]
        while len(game) < len(table):
            fewest = min(left, key=lambda one: (sum(met.get(one, {}).get(other, 0) for other in game), left.index(one)))
            left.remove(fewest)
            game.append(fewest)
        games.append(tuple(game))
    return games
