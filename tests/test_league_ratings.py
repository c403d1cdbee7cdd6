"""Ratings follow from results and from nothing else: one that is corrected corrects all that follow."""

import pytest

from linesies.league.ratings import ratings, seeded
from linesies.league.tournament import Left, MatchEnded, Missed, TournamentOpened, told

NAMES = ("Ana", "Bo", "Cy", "Dee")
FIRST = TournamentOpened(format="round_robin", entrants=NAMES)


def played(rank=sorted, first=FIRST):
    deeds = [first]
    while waiting := told(deeds).waiting:
        deeds += [MatchEnded(match=match.id, ranking=tuple(rank(match.players))) for match in waiting]
    return deeds


def test_who_wins_more_stands_higher():
    rated = ratings([told(played())])
    assert [one.name for one in rated] == list(NAMES)
    assert [(one.games, one.won) for one in rated] == [(3, 3), (3, 2), (3, 1), (3, 0)]


def test_a_corrected_result_corrects_all_that_follows():
    deeds = played()
    at = next(n for n, deed in enumerate(deeds) if isinstance(deed, MatchEnded))
    right = MatchEnded(match=deeds[at].match, ranking=deeds[at].ranking[::-1])
    later = told(played(lambda players: sorted(players, reverse=True)))
    corrected = ratings([told([*deeds, right]), later])
    assert corrected == ratings([told([*deeds[:at], right, *deeds[at + 1 :]]), later])
    assert corrected != ratings([told(deeds), later])


def test_games_of_many_count_and_byes_and_walk_overs_do_not():
    four = TournamentOpened(format="single", entrants=NAMES, seats=4)
    assert [one.name for one in ratings([told(played(first=four))])] == list(NAMES)
    three = TournamentOpened(format="single", entrants=NAMES[:3])
    assert {one.name for one in ratings([told([three, Left(player="Bo")])])} == set()
    (match,) = told([four]).waiting
    missed = told([four, Missed(match=match.id, player="Dee"), MatchEnded(match=match.id, ranking=NAMES[:3])])
    assert {one.name for one in ratings([missed])} == set(NAMES[:3])


def test_a_nickname_is_one_person_however_it_is_typed():
    other = TournamentOpened(format="single", entrants=("ana", "Eve"))
    rated = ratings([told(played()), told(played(first=other))])
    assert len(rated) == 5
    assert next(one for one in rated if one.name.casefold() == "ana").games == 4


@pytest.mark.parametrize("entrants", [("Dee", "Ana"), ("Ana", "Dee")])
def test_seeds_go_by_ratings_whatever_the_order_they_are_typed_in(entrants):
    assert seeded(entrants, ratings([told(played())])) == ("Ana", "Dee")
