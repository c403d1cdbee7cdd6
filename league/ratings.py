"""How strong people are: Plackett-Luce ratings by openskill, folded from all results so far. Pure.

Nothing is kept: a result that is corrected corrects all ratings that follow from it. A person is a nickname, in
whatever case it is typed. Byes and walk-overs are no games, nor is one with a head start.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from openskill.models import PlackettLuce, PlackettLuceRating

from linesies.league.tournament import Tournament

MODEL = PlackettLuce()


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """A person's games so far, how many he won, and his `level`: three sigmas below how strong he seems."""

    name: str
    games: int
    won: int
    level: float


def ratings(tournaments: Iterable[Tournament]) -> tuple[Rated, ...]:
    """Rate all who have played, the strongest first; tournaments come in the order in which they were played."""
    skills: dict[str, PlackettLuceRating] = {}
    games: dict[str, list[bool]] = {}
    names: dict[str, str] = {}
    for ranking in (ranking for tournament in tournaments for ranking in _rankings(tournament)):
        people = [name.casefold() for name in ranking]
        names |= zip(people, ranking, strict=True)
        teams = [[skills.get(person) or MODEL.rating()] for person in people]
        for place, (person, team) in enumerate(zip(people, MODEL.rate(teams), strict=True)):
            skills[person] = team[0]
            games.setdefault(person, []).append(place == 0)
    rated = [
        Rated(name=names[one], games=len(games[one]), won=sum(games[one]), level=round(skill.ordinal(), 2))
        for one, skill in skills.items()
    ]
    return tuple(sorted(rated, key=lambda one: (-one.level, one.name)))


def seeded(entrants: Iterable[str], rated: Iterable[Rated]) -> tuple[str, ...]:
    """Put entrants in the order of their ratings; who has none yet stands where a newcomer does."""
    levels = {one.name.casefold(): one.level for one in rated}
    newcomer = MODEL.rating().ordinal()
    return tuple(sorted(entrants, key=lambda name: -levels.get(name.casefold(), newcomer)))


def _rankings(tournament: Tournament) -> Iterable[tuple[str, ...]]:
    """Give how those who were there came in, of each game that was played."""
    for match in tournament.matches:
        played = tuple(one for one in match.ranking or () if (match.id, one) not in tournament.missed)
        if not match.is_walkover and not match.head_starts and len(played) > 1:
            yield played
