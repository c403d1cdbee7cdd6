"""Tournaments of every format end with everybody ranked, whatever comes in, and can be put right at any time."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linesies.league.tournament import BadPlan, HeadStart, Left, MatchEnded, TournamentOpened, told

NAMES = tuple(f"p{n:02d}" for n in range(1, 41))
FORMATS = ["single", "double", "round_robin", "swiss", "groups"]


def opened(form, count, **more):
    return TournamentOpened(format=form, entrants=NAMES[:count], **more)


def played(first, rank=sorted, most=4000):
    """Play a tournament to its end: `rank` says how the players of a match come in. Gives its deeds."""
    deeds = [first]
    while (now := told(deeds)).waiting:
        deeds += [MatchEnded(match=match.id, ranking=tuple(rank(match.players))) for match in now.waiting]
        assert len(deeds) < most
    return deeds


plans = st.builds(
    opened, st.sampled_from(FORMATS), st.integers(2, 17), seats=st.integers(2, 6), group=st.integers(3, 5)
)


@settings(max_examples=60)
@given(plans, st.randoms(use_true_random=False))
def test_every_tournament_ends_with_everybody_ranked_once_and_no_match_played_twice(plan, chance):
    now = told(played(plan, lambda players: chance.sample(players, len(players))))
    assert sorted(now.standing.ranking) == sorted(plan.entrants)
    assert now.winner == now.standing.ranking[0]
    assert len({match.id for match in now.matches}) == len(now.matches)
    assert all(set(match.players) == set(match.ranking) for match in now.matches)
    assert all(len(match.players) <= plan.seats for match in now.matches)
    assert now.void == ()


@settings(max_examples=40)
@given(plans)
def test_who_always_plays_better_wins(plan):
    assert told(played(plan)).winner == plan.entrants[0]


@settings(max_examples=40)
@given(st.integers(2, 30), st.integers(2, 6), st.sampled_from([1, 2]), st.randoms(use_true_random=False))
def test_in_a_knock_out_nobody_plays_on_who_has_lost_too_often_and_only_the_winner_has_not(count, seats, lives, chance):
    plan = opened("single" if lives == 1 else "double", count, seats=seats)
    now = told(played(plan, lambda players: chance.sample(players, len(players))))
    lost = Counter()
    for match in now.matches:
        assert all(lost[player] < lives for player in match.players)
        lost.update(match.ranking[1:])
    assert [player for player in plan.entrants if lost[player] < lives] == [now.winner]


@pytest.mark.parametrize("count", range(2, 17))
def test_in_a_knock_out_of_two_byes_are_in_the_first_round_alone_and_go_to_the_strongest(count):
    now = told(played(opened("single", count)))
    byes = [match for match in now.matches if match.is_bye]
    free = 2 ** (count - 1).bit_length() - count
    assert [(match.round, match.players[0]) for match in byes] == [(1, name) for name in NAMES[:free]]
    assert len(now.matches) - len(byes) == count - 1


def test_the_two_best_seeds_meet_in_the_final_at_the_soonest():
    final = told(played(opened("single", 16))).matches[-1]
    assert (final.stage, final.players) == ("final", NAMES[:2])


@pytest.mark.parametrize("count", range(2, 12))
def test_in_a_round_robin_of_two_each_meets_each_other_once(count):
    now = told(played(opened("round_robin", count)))
    met = Counter(frozenset(match.players) for match in now.matches if not match.is_bye)
    assert met == {frozenset(pair): 1 for pair in combinations(NAMES[:count], 2)}
    for number in {match.round for match in now.matches}:
        here = [player for match in now.matches if match.round == number for player in match.players]
        assert sorted(here) == sorted(NAMES[:count])


@settings(max_examples=40)
@given(st.integers(8, 32), st.randoms(use_true_random=False))
def test_in_swiss_nobody_meets_anybody_twice_nor_sits_out_twice(count, chance):
    now = told(played(opened("swiss", count), lambda players: chance.sample(players, len(players))))
    met = Counter(frozenset(match.players) for match in now.matches)
    assert max(met.values()) == 1


def test_in_swiss_those_who_won_meet_those_who_won():
    first = opened("swiss", 8)
    deeds = [first, *(MatchEnded(match=match.id, ranking=match.players) for match in told([first]).waiting)]
    winners = {match.players[0] for match in told([first]).waiting}
    tables = [set(match.players) for match in told(deeds).waiting]
    assert all(table <= winners or not table & winners for table in tables)


def test_of_groups_the_first_two_go_through_and_winners_of_groups_are_seeded_first():
    now = told(played(opened("groups", 16, group=4)))
    through = {player for match in now.matches if match.stage in ("knock-out", "final") for player in match.players}
    assert through == set(NAMES[:8])
    assert now.standing.ranking[:2] == NAMES[:2]
    assert sorted(now.standing.ranking[8:]) == sorted(NAMES[8:16])


@settings(max_examples=60)
@given(plans, st.data())
def test_a_corrected_result_tells_the_tournament_as_if_it_had_been_said_so_at_once(plan, data):
    deeds = played(plan)
    ends = [number for number, deed in enumerate(deeds) if isinstance(deed, MatchEnded)]
    at = data.draw(st.sampled_from(ends))
    right = MatchEnded(match=deeds[at].match, ranking=tuple(data.draw(st.permutations(deeds[at].ranking))))
    assert told([*deeds, right]) == told([*deeds[:at], right, *deeds[at + 1 :]])


def test_what_no_longer_fits_after_a_correction_is_named_and_its_match_waits():
    deeds = played(opened("single", 4))
    first = deeds[1]
    now = told([*deeds, MatchEnded(match=first.match, ranking=first.ranking[::-1])])
    assert [deed.match for deed in now.void] == ["F2.1"]
    (final,) = now.waiting
    assert first.ranking[1] in final.players
    assert now.winner is None


@settings(max_examples=60)
@given(plans, st.data())
def test_who_leaves_loses_what_he_has_not_played_and_the_rest_goes_on(plan, data):
    deeds = played(plan)
    at = data.draw(st.integers(1, len(deeds)))
    player = data.draw(st.sampled_from(plan.entrants))
    before = told(deeds[:at])
    deeds = [*deeds[:at], Left(player=player)]
    while (now := told(deeds)).waiting:
        deeds += [
            MatchEnded(match=m.id, ranking=tuple(p for p in sorted(m.players) if p != player)) for m in now.waiting
        ]
        assert len(deeds) < 4000
    assert sorted(now.standing.ranking) == sorted(plan.entrants)
    known = {match.id: match for match in now.matches}
    for match in before.matches:
        if match.ranking is not None:
            assert known[match.id] == match
        elif player in match.players and len(match.players) > 1:
            assert known[match.id].ranking[-1] == player


def test_where_only_one_is_left_nobody_has_to_play():
    deeds = [opened("double", 5), *(Left(player=name) for name in NAMES[1:5])]
    now = told(deeds)
    assert (now.winner, now.waiting) == (NAMES[0], ())


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"format": "ladder", "entrants": ("a", "b")}, "format"),
        ({"format": "single", "entrants": ("a",)}, "entrants"),
        ({"format": "single", "entrants": ("a", "a")}, "twice"),
        ({"format": "single", "entrants": ("a", "b\n")}, "letters"),
        ({"format": "single", "entrants": ("a", "b"), "seats": 7}, "seats"),
        ({"format": "groups", "entrants": ("a", "b"), "group": 2, "through": 2}, "through"),
    ],
)
def test_a_plan_that_nobody_can_follow_says_why(given, why):
    with pytest.raises(BadPlan, match=why):
        told([TournamentOpened(**given)])


def test_a_result_of_others_than_those_who_played_is_void():
    first = opened("single", 4)
    (one, two) = told([first]).waiting
    for wrong in (two.players, one.players[:1], (*one.players, "p09"), (one.players[0],) * 2):
        assert told([first, MatchEnded(match=one.id, ranking=wrong)]).void != ()


def test_a_head_start_that_was_kept_for_somebody_else_counts_for_nothing():
    assert told([opened("single", 4), HeadStart(player="P04", box=5)]).head_starts == {}


def test_a_head_start_counts_from_the_next_game_until_it_is_taken_away():
    plan = opened("single", 4)
    ahead = [plan, HeadStart(player="p04", box=5)]
    (match,) = (one for one in told(ahead).waiting if "p04" in one.players)
    assert told(ahead).ahead(match) == {"p04": 5}
    ended = [*ahead, MatchEnded(match=match.id, ranking=("p04", "p01")), HeadStart(player="p04", box=1)]
    now = told(ended)
    assert now.head_starts == {}
    assert now.ahead(next(one for one in now.matches if one.id == match.id)) == {"p04": 5}
