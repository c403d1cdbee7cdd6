"""Skull by both write-ups, where the recorded games do not go."""

import pytest

from linesies import rules
from tests.card_sitting import Sitting

FOUR = "ana bo cy di"


def joris(players=FOUR, **options):
    return Sitting("skull", players, **options)


def shelf(players="ana bo", **options):
    return Sitting("skull", players, ruleset="small_shelf", **options)


def place(game, names):
    for name in names.split():
        assert not isinstance(game.do("placed", name), str)


def challenge(game, name, number):
    """This player bids as many as he dares; the others pass."""
    answer = game.do("bid", name, number=number)
    assert not isinstance(answer, str), answer
    while game.public["phase"] == "bid":
        game.do("pass", game.public["turn"])


def fail_alone(game, name, skull):
    """A whole round in which this starter finds his own skull."""
    place(game, " ".join(p["name"] for p in game.public["players"] if not p["out"]))
    challenge(game, name, 1)
    game.do("flip", name, owner=name, card=skull)
    return game.do("card_lost", name, by=name)


@pytest.mark.parametrize(
    ("players", "options"),
    [
        ("a b c", {}),
        ("a b c d e f g", {}),
        ("a b c d e", {"ruleset": "small_shelf"}),
        ("a", {"ruleset": "small_shelf"}),
        (FOUR, {"decks": 3}),
        (FOUR, {"decks": True}),
        (FOUR, {"decks": 2}),
        (FOUR, {"starter": "eve"}),
        (FOUR, {"starter": None}),
        (FOUR, {"open_bid": 1}),
        (FOUR, {"ruleset": "house"}),
        (FOUR, {"ruleset": ["joris"]}),
    ],
)
def test_an_unusable_start_says_so(players, options):
    with pytest.raises(rules.BadStart):
        joris(players, **options)


def test_eight_may_play_with_three_decks_and_the_starter_is_chosen():
    game = shelf("a b c d e f g h", decks=3, starter="c")
    assert game.public["starter"] == "c"
    assert game.opening[0].details == {"player": "c", "round": 1}


def test_in_joris_a_pass_lasts_for_the_round():
    game = joris()
    place(game, FOUR)
    game.do("bid", "ana", number=1)
    game.do("pass", "bo")
    game.do("bid", "cy", number=2)
    assert game.public["passed"] == ["bo"]
    game.do("pass", "di")
    game.do("bid", "ana", number=3)
    assert game.public["turn"] == "cy"
    assert game.codes("pass", "cy") == ["challenge"]


def test_in_small_shelf_a_raise_clears_all_passes():
    game = shelf("ana bo cy")
    place(game, "ana bo cy")
    game.do("bid", "ana", number=1)
    game.do("pass", "bo")
    game.do("bid", "cy", number=2)
    assert game.public["passed"] == []
    game.do("pass", "ana")
    assert game.codes("pass", "bo") == ["challenge"]


def test_open_bid_lets_anyone_raise_at_any_time_and_withdraws_his_own_pass():
    game = joris(open_bid=True)
    place(game, FOUR)
    assert game.codes("bid", "bo", number=1) == "not_your_turn"  # not the opening bid
    game.do("bid", "ana", number=1)
    assert game.codes("bid", "ana", number=2) == "own_bid"
    game.do("pass", "bo")
    game.do("bid", "di", number=2)
    assert game.public["turn"] == "ana"
    game.do("bid", "bo", number=3)
    assert (game.public["passed"], game.public["turn"]) == ([], "cy")
    assert game.codes("pass", "di") == "not_your_turn"


def test_without_open_bid_one_bids_in_turn():
    game = joris()
    place(game, FOUR)
    game.do("bid", "ana", number=1)
    assert game.codes("bid", "di", number=2) == "not_your_turn"


def test_an_empty_hand_must_bid():
    game = shelf()
    place(game, "ana bo ana bo ana bo ana bo")
    assert game.codes("placed", "ana") == "no_card_left"
    assert game.codes("pass", "ana") == "wrong_phase"
    assert game.codes("bid", "ana", number=8) == ["bidding_opened", "challenge"]


def test_the_owner_of_a_strange_skull_picks_blindly_and_starts():
    game = joris()
    place(game, FOUR)
    challenge(game, "ana", 2)
    game.do("flip", "ana", owner="ana", card="2H")
    assert game.codes("flip", "ana", owner="cy", card="KS") == ["skull_shown"]
    assert game.public["loss"] == {"player": "ana", "by": "cy"}
    assert game.public["turn"] == "cy"
    assert game.codes("card_lost", "cy", by="cy") == "not_your_turn"
    assert game.codes("card_lost", "ana", by="ana") == "wrong_chooser"
    assert game.codes("card_lost", "ana", by="cy") == ["card_lost", "round_started"]
    assert (game.public["starter"], game.of("ana")["skull"]) == ("cy", "unknown")


def test_fortune_favours_the_bold_even_in_failure():
    game = joris(fortune_favours_the_bold=True)
    place(game, FOUR)
    challenge(game, "ana", 2)
    game.do("flip", "ana", owner="ana", card="2H")
    game.do("flip", "ana", owner="cy", card="KS")
    answer = game.game.apply(game.state, {"event": "card_lost", "player": "ana", "by": "cy"})
    assert answer[1][-1].rule == "Variants"
    assert answer[1][-1].details["player"] == "ana"


@pytest.mark.parametrize("bold", [False, True])
def test_who_is_out_does_not_start_and_the_next_still_in_does(bold):
    game = joris(fortune_favours_the_bold=bold)
    for _ in range(3):
        fail_alone(game, "ana", "KS")
    last = fail_alone(game, "ana", "KS")
    assert [code for code, _ in last] == ["card_lost", "player_out", "round_started"]
    assert last[-1][1]["player"] == "bo"
    assert game.codes("placed", "ana") == "player_out"
    assert game.of("ana") | {"cards": 0, "out": True, "skull": "gone"} == game.of("ana")
    place(game, "bo cy")
    assert game.codes("placed", "di") == ["all_placed"]  # ana is waited for no more


def test_bold_but_out_the_owner_of_the_skull_starts():
    game = joris(fortune_favours_the_bold=True)
    for _ in range(3):
        fail_alone(game, "ana", "KS")
    place(game, FOUR)
    challenge(game, "ana", 2)
    game.do("flip", "ana", owner="ana", card="2H")
    game.do("flip", "ana", owner="cy", card="KC")
    assert game.do("card_lost", "ana", by="cy")[-1] == ("round_started", {"player": "cy", "round": 5})


def test_the_last_one_with_cards_wins():
    game = shelf()
    for _ in range(3):
        fail_alone(game, "ana", "KC")
    assert fail_alone(game, "ana", "KC")[-1] == ("game_won", {"player": "bo", "how": "last"})
    state = game.public
    assert (state["winner"], state["phase"], state["turn"]) == ("bo", "over", None)
    assert state["bid"] == {"player": "ana", "number": 1}
    assert game.codes("placed", "bo") == "game_over"


def test_each_kind_of_contradiction_comes_to_light():
    game = shelf()
    place(game, "ana bo ana bo ana bo ana bo")
    game.do("bid", "ana", number=8)
    for card in ("2C", "2D", "2H"):
        assert game.codes("flip", "ana", owner="ana", card=card) == []
    told = game.do("flip", "ana", owner="ana", card="3S")
    assert [details["kind"] for _, details in told] == ["fourth_flower", "mixed_flowers"]
    assert game.codes("flip", "ana", owner="bo", card="7C") == []
    told = game.do("flip", "ana", owner="bo", card="7C")
    assert [details["kind"] for _, details in told] == ["card_twice"]
    told = game.do("flip", "ana", owner="bo", card="2C")
    assert [details["kind"] for _, details in told] == ["card_twice", "mixed_flowers"]
    assert game.codes("flip", "ana", owner="bo", card="KC") == ["skull_shown"]


def test_a_second_skull_comes_to_light_in_a_later_round():
    game = shelf()
    fail_alone(game, "ana", "KC")
    place(game, "ana bo")
    challenge(game, "ana", 1)
    told = game.do("flip", "ana", owner="ana", card="KD")
    assert [(code, details.get("kind")) for code, details in told] == [
        ("contradiction", "second_skull"),
        ("skull_shown", None),
    ]


def test_the_same_skull_may_be_shown_again():
    game = shelf()
    fail_alone(game, "ana", "KC")
    place(game, "ana bo")
    challenge(game, "ana", 1)
    assert game.codes("flip", "ana", owner="ana", card="KC") == ["skull_shown"]


def test_more_cards_than_are_left_come_to_light():
    game = shelf()
    fail_alone(game, "ana", "KC")
    place(game, "ana bo ana bo ana bo")
    challenge(game, "ana", 4)
    for card in ("2C", "2D", "2H"):
        assert game.codes("flip", "ana", owner="ana", card=card) == []
    assert game.of("ana")["skull"] == "gone"
    game.do("flip", "ana", owner="bo", card="KS")
    game.do("card_lost", "ana", by="bo")
    place(game, "ana bo")
    challenge(game, "bo", 2)
    game.do("flip", "bo", owner="bo", card="5H")
    told = game.do("flip", "bo", owner="ana", card="KC")
    assert [details.get("kind") for _, details in told] == ["too_many_cards", None]
    assert game.of("ana")["skull"] == "held"


def test_three_decks_count_what_one_round_shows():
    game = shelf("ana bo cy", decks=3)
    place(game, "ana bo cy ana bo cy ana bo cy ana bo cy")
    game.do("bid", "ana", number=12)
    for _ in range(3):
        assert game.codes("flip", "ana", owner="ana", card="2C") == []
    told = game.do("flip", "ana", owner="ana", card="2C")
    assert [details["kind"] for _, details in told] == ["fourth_flower"]
    told = game.do("flip", "ana", owner="bo", card="2C")
    assert [details["kind"] for _, details in told] == ["card_twice"]
    told = game.do("flip", "ana", owner="bo", card="3C")
    assert [details["kind"] for _, details in told] == ["mixed_flowers"]


def test_a_fourth_king_of_one_suit_cannot_be_even_with_three_decks():
    names = "a b c d e"
    game = shelf(names, decks=3, fortune_favours_the_bold=True)
    seen = {}
    for owner in "bcde":
        place(game, names)
        challenge(game, "a", 2)
        game.do("flip", "a", owner="a", card="2C")
        seen[owner] = game.codes("flip", "a", owner=owner, card="KC")
        game.do("card_lost", "a", by=owner)
    assert seen.pop("e") == ["contradiction", "skull_shown"]
    assert all(codes == ["skull_shown"] for codes in seen.values())


def test_an_unknown_player_may_look_on():
    game = joris()
    assert game.game.view(game.state, "a spectator") == game.public
