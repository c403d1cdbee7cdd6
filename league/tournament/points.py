"""Who stands where in a round robin or in swiss: points, then firsts, then the strength of who was met, then seeds.

A game gives its first one point and its last none, those between even shares; a bye gives a point. So games of
different sizes count alike.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction

Game = tuple[str, ...]


def points_of(ranking: Game) -> dict[str, Fraction]:
    """Give what a game, its players in the order in which they came in, brings to each."""
    last = len(ranking) - 1
    return {player: Fraction(last - place, last) if last else Fraction(1) for place, player in enumerate(ranking)}


def ranked(players: Sequence[str], rankings: Iterable[Game]) -> tuple[str, ...]:
    """Put players, given by their seeds, in the order in which these games leave them."""
    rankings = tuple(rankings)
    points: dict[str, Fraction] = dict.fromkeys(players, Fraction(0))
    firsts = dict.fromkeys(players, 0)
    for ranking in rankings:
        for player, brought in points_of(ranking).items():
            points[player] = points.get(player, Fraction(0)) + brought
        firsts[ranking[0]] = firsts.get(ranking[0], 0) + 1
    met = meetings(rankings)
    strength = {
        one: sum((points[other] * times for other, times in met.get(one, {}).items()), Fraction(0)) for one in players
    }
    seeds = {player: seed for seed, player in enumerate(players)}
    return tuple(sorted(players, key=lambda one: (-points[one], -firsts[one], -strength[one], seeds[one])))


def meetings(games: Iterable[Game]) -> Mapping[str, dict[str, int]]:
    """Count how often each has met each other."""
    met: dict[str, dict[str, int]] = {}
    for game in games:
        for one in game:
            others = met.setdefault(one, {})
            for other in game:
                if other != one:
                    others[other] = others.get(other, 0) + 1
    return met
