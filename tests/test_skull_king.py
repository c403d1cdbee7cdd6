"""Skull King, where the recorded games do not go: two players, beasts, revokes, abilities, cannonballs."""

import pytest

from linesies import rules
from tests.card_sitting import Sitting

ALL = {"kraken": True, "whale": True, "loot": True, "pirate_abilities": True}


def dealt(players="ana bo cy", bids=(), **options):
    """A game in which the first round is dealt and bid for."""
    game = Sitting("skull_king", players, **options)
    game.do("deal", game.public["dealer"], cards=game.public["cards"])
    bids = dict(zip(players.split(), bids, strict=False))
    for name in players.split():
        game.do("bid", name, bid=bids.get(name, 0))
    return game


def trick(game, cards, declared="pirate"):
    """Play a trick in turn; gives the rulings of its last card."""
    for card in cards.split():
        told = game.do("play", game.public["turn"], card=card, **{"as": declared} if card == "TIGRESS" else {})
        assert not isinstance(told, str), (card, told)
    return told


def won(told):
    return next(((d["player"], d["card"], d["by"]) for code, d in told if code == "trick_won"), None)


@pytest.mark.parametrize(
    ("players", "options"),
    [
        ("a", {}),
        ("a b c d e f g h i", {}),
        ("a graybeard", {}),
        ("a b", {"cannonball": True}),
        ("a b", {"rounds": []}),
        ("a b", {"rounds": [0]}),
        ("a b", {"rounds": [True]}),
        ("a b", {"rounds": [24]}),
        ("a b", {"rounds": 3}),
        ("a b c d e f g h", {"rounds": [9]}),
        ("a b", {"scoring": "house"}),
        ("a b", {"dealer": "zoe"}),
        ("a b", {"kraken": 1}),
    ],
)
def test_an_unusable_start_says_so(players, options):
    with pytest.raises(rules.BadStart):
        Sitting("skull_king", players, **options)


@pytest.mark.parametrize(
    ("players", "options", "rounds"),
    [
        ("a b", {}, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        ("a b c d e f g", {}, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        ("a b c d e f g h", {"kraken": True}, [1, 2, 3, 4, 5, 6, 7, 8, 8, 8]),
        ("a b c d e f g h", {"loot": True}, [1, 2, 3, 4, 5, 6, 7, 8, 9, 9]),
    ],
)
def test_the_deck_sets_the_largest_round(players, options, rounds):
    assert list(Sitting("skull_king", players, **options).state.options.rounds) == rounds


def test_a_player_may_be_called_graybeard_at_a_bigger_table():
    game = dealt("ana bo graybeard", rounds=[1], loot=True)
    assert won(trick(game, "P2 LOOT P3")) == ("graybeard", "P3", "suit")
    assert game.public["graybeard"] is None


def test_a_bid_stays_secret_until_all_are_in():
    game = Sitting("skull_king", "ana bo", scoring="rascal", cannonball=True, rounds=[3])
    game.do("deal", "bo", cards=3)
    game.do("bid", "ana", bid=2)
    seen = {who: game.game.view(game.state, who)["players"][0]["bid"] for who in ("ana", "bo", "zoe")}
    assert seen == {"ana": 2, "bo": None, "zoe": None}
    assert game.do("bid", "bo", bid=1) == [("bids_revealed", {"bids": {"ana": 2, "bo": 1}})]
    game.do("load", "bo", load="cannonball")
    assert game.codes("load", "bo", load="grapeshot") == "already_loaded"
    assert (game.of("bo")["ready"], game.of("bo")["load"]) == (True, None)
    assert game.game.view(game.state, "bo")["players"][1]["load"] == "cannonball"
    told = game.do("load", "ana", load="grapeshot")
    assert told == [("loads_revealed", {"loads": {"ana": "grapeshot", "bo": "cannonball"}})]
    assert (game.public["phase"], game.of("bo")["ready"]) == ("play", False)


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("P14 SK PIRATE:harry", ("bo", "SK", "skull_king")),
        ("MERMAID SK PIRATE:harry", ("ana", "MERMAID", "mermaid")),
        ("PIRATE:rosie TIGRESS MERMAID", ("ana", "PIRATE:rosie", "pirate")),
        ("P1 TIGRESS J14", ("bo", "TIGRESS", "pirate")),
        ("J14 MERMAID MERMAID", ("bo", "MERMAID", "mermaid")),
        ("J2 P14 J3", ("cy", "J3", "trump")),
        ("J2 P14 M14", ("ana", "J2", "trump")),
        ("ESC P3 M14", ("bo", "P3", "suit")),
        ("ESC ESC ESC", ("ana", "ESC", "first_escape")),
        ("P7 P7 ESC", ("ana", "P7", "suit")),
        ("J2 WHALE P14", ("cy", "P14", "whale")),
        ("C9 P9 WHALE", ("ana", "C9", "whale")),
        ("KRAKEN WHALE P1", ("cy", "P1", "whale")),
    ],
)
def test_who_wins_a_trick(cards, winner):
    assert won(trick(dealt(rounds=[1], kraken=True, whale=True), cards)) == winner


def test_a_tigress_may_be_an_escape():
    game = dealt(rounds=[1])
    assert won(trick(game, "TIGRESS ESC ESC", declared="escape")) == ("ana", "TIGRESS", "first_escape")


@pytest.mark.parametrize(
    ("cards", "code", "by", "rule", "leader"),
    [
        ("P1 KRAKEN SK", "trick_destroyed", "bo", "Leviathans From The Depths", "cy"),
        ("WHALE P1 KRAKEN", "trick_destroyed", "cy", "Roiling waters", "ana"),
        ("ESC WHALE SK", "trick_discarded", "bo", "Leviathans From The Depths", "bo"),
        ("ESC KRAKEN WHALE", "trick_discarded", "cy", "Roiling waters", "cy"),
    ],
)
def test_the_later_beast_acts_and_says_who_leads(cards, code, by, rule, leader):
    game = dealt(rounds=[2], kraken=True, whale=True)
    *first, last = cards.split()
    for card in first:
        game.do("play", game.public["turn"], card=card)
    _, (ruling,) = game.game.apply(game.state, {"event": "play", "player": game.public["turn"], "card": last})
    assert (ruling.code, ruling.details["player"], ruling.rule) == (code, by, rule)
    assert game.codes("play", "cy", card=last) == [code]
    assert (game.public["leader"], game.public["turn"], game.public["trick"]) == (leader, leader, 2)


def test_bonus_points_come_card_by_card():
    told = trick(dealt("ana bo cy di", rounds=[1]), "P14 SK PIRATE:harry TIGRESS")
    bonus = [(d["card"], d["points"]) for code, d in told if code == "bonus"]
    assert bonus == [("P14", 10), ("PIRATE:harry", 30), ("TIGRESS", 30)]
    told = trick(dealt("ana bo cy di", rounds=[1]), "J14 PIRATE:harry MERMAID MERMAID")
    assert [d["points"] for code, d in told if code == "bonus"] == [20, 20, 20]
    told = trick(dealt("ana bo cy di", rounds=[1]), "C14 PIRATE:harry MERMAID SK")
    assert [d["points"] for code, d in told if code == "bonus"] == [10, 40]


def test_a_whale_leaves_nothing_but_fourteens():
    game = dealt("ana bo cy di", rounds=[1], **ALL)
    assert [code for code, _ in trick(game, "M14 LOOT SK WHALE")][:3] == ["trick_won", "bonus", "round_scored"]


def test_loot_allies_its_player_with_who_captures_it():
    game = dealt("ana bo cy di", (1, 0, 0, 0), rounds=[1], loot=True)
    told = trick(game, "P2 LOOT LOOT P1")
    assert [(d["player"], d["with"]) for code, d in told if code == "alliance"] == [("bo", "ana"), ("cy", "ana")]
    scores = dict(told)["round_scored"]["scores"]
    assert {name: score["loot"] for name, score in scores.items()} == {"ana": 40, "bo": 20, "cy": 20, "di": 0}
    assert {name: score["total"] for name, score in scores.items()} == {"ana": 60, "bo": 30, "cy": 30, "di": 10}


def test_loot_won_by_its_own_player_is_no_alliance_but_anothers_is():
    told = trick(dealt(rounds=[1], loot=True), "LOOT LOOT ESC")
    assert [(d["player"], d["with"]) for code, d in told if code == "alliance"] == [("bo", "ana")]


def test_one_wrong_bid_spoils_the_alliance_for_both():
    told = trick(dealt(bids=(0, 0, 0), rounds=[1], loot=True), "P2 LOOT P1")
    assert all(score["loot"] == 0 for score in dict(told)["round_scored"]["scores"].values())


def test_a_revoke_comes_to_light_once_for_each_trick_in_which_it_was_hidden():
    game = dealt(rounds=[5])
    trick(game, "P9 C1 P2")
    trick(game, "P10 C2 J1")  # cy too is void now
    assert (game.of("bo")["void"], game.of("cy")["void"]) == (["P"], ["P"])
    assert game.do("play", "cy", card="M3") == []
    game.do("play", "ana", card="M4")
    told = game.do("play", "bo", card="P5")
    assert told[:2] == [
        ("revoke", {"player": "bo", "suit": "P", "trick": 1, "card": "P5"}),
        ("revoke", {"player": "bo", "suit": "P", "trick": 2, "card": "P5"}),
    ]
    assert game.of("bo")["void"] == ["M"]  # and did not follow the maps


def test_more_copies_than_there_are_come_to_light():
    game = dealt("ana bo cy", rounds=[2])
    told = trick(game, "MERMAID MERMAID MERMAID")
    assert told[0] == ("contradiction", {"player": "cy", "kind": "card_twice", "card": "MERMAID"})
    assert won(told) == ("ana", "MERMAID", "mermaid")


def abilities(pirate, cards=2, bids=(1, 0, 0), **options):
    """A game in which ana has won the first trick with this pirate."""
    game = dealt("ana bo cy", bids, rounds=[cards], pirate_abilities=True, **options)
    told = trick(game, f"PIRATE:{pirate} P1 P2")
    return game, told


@pytest.mark.parametrize("pirate", ["rosie", "bendt", "rascal", "juanita"])
def test_after_the_last_trick_only_harry_has_an_ability(pirate):
    assert [code for code, _ in abilities(pirate, cards=1)[1]][-1] == "game_won"
    game, told = abilities("harry", cards=1)
    assert told[-1] == ("ability_ready", {"player": "ana", "pirate": "harry"})
    assert (game.public["phase"], game.public["turn"], game.public["leader"]) == ("ability", None, "ana")
    assert game.public["pending"] == {"player": "ana", "pirate": "harry"}
    assert game.codes("ability", "ana", pirate="harry", change=1) == "bid_out_of_range"
    assert game.codes("ability", "bo", pirate="harry", change=1) == "not_your_turn"
    assert game.codes("ability", "ana", pirate="rosie", leader="bo") == "wrong_ability"
    assert game.codes("play", "ana", card="P9") == "wrong_phase"
    told = game.do("ability", "ana", pirate="harry", change=-1)
    assert told[0] == ("ability_used", {"player": "ana", "pirate": "harry", "bid": 0})
    assert told[1][1]["scores"]["ana"]["base"] == -10


def test_rosie_lets_somebody_else_lead():
    game, _ = abilities("rosie")
    assert game.codes("ability", "ana", pirate="rosie", leader="graybeard") == "bad_event"
    game.do("ability", "ana", pirate="rosie", leader="cy")
    assert (game.public["leader"], game.public["turn"]) == ("cy", "cy")


def test_bendt_trades_two_cards_and_clears_his_record():
    game = dealt(rounds=[3], pirate_abilities=True)
    trick(game, "P9 C1 P2")
    trick(game, "P3 PIRATE:bendt P4")
    assert game.codes("ability", "bo", pirate="bendt", drawn=2, discarded=1) == "wrong_count"
    told = game.do("ability", "bo", pirate="bendt", drawn=2, discarded=2)
    assert told == [("ability_used", {"player": "bo", "pirate": "bendt", "drawn": 2})]
    assert (game.of("bo")["void"], game.of("bo")["hand"], game.public["deck"]) == ([], 1, 59)


def test_bendt_draws_what_is_left_and_keeps_the_record_if_that_is_nothing():
    game = dealt("a b c d e f g", rounds=[10], pirate_abilities=True)
    assert game.public["deck"] == 0
    trick(game, "P9 C1 ESC ESC ESC ESC ESC")
    trick(game, "P3 PIRATE:bendt P4 P5 P6 P7 P8")
    assert game.codes("ability", "b", pirate="bendt", drawn=2, discarded=2) == "wrong_count"
    assert game.codes("ability", "b", pirate="bendt", drawn=0, discarded=0) == ["ability_used"]
    assert game.of("b")["void"] == ["P"]


@pytest.mark.parametrize(("bid", "bet"), [(1, 20), (0, -20)])
def test_a_bet_is_won_with_an_exact_bid_and_else_lost(bid, bet):
    game, _ = abilities("rascal", bids=(bid, 0, 0))
    game.do("ability", "ana", pirate="rascal", bet=20)
    assert game.of("ana")["bet"] == 20
    scores = dict(trick(game, "P3 P4 P5"))["round_scored"]["scores"]
    assert scores["ana"]["bet"] == bet


def test_an_ability_may_be_left_alone_and_juanita_tells_nothing():
    game, _ = abilities("juanita")
    skipped = Sitting.do(game, "skip_ability", "ana")
    assert skipped == [("ability_skipped", {"player": "ana", "pirate": "juanita"})]
    game, _ = abilities("juanita")
    told = game.do("ability", "ana", pirate="juanita")
    assert told == [("ability_used", {"player": "ana", "pirate": "juanita"})]
    assert game.public["turn"] == "ana"


def test_a_tigress_has_no_ability():
    game = dealt(rounds=[2], pirate_abilities=True)
    assert [code for code, _ in trick(game, "TIGRESS P1 P2")] == ["trick_won"]


def test_rascals_scoring_halves_the_bonus_of_a_glancing_blow():
    game = dealt(bids=(2, 0, 3), scoring="rascal", rounds=[3])
    trick(game, "P14 P1 P2")
    trick(game, "C1 C2 C3")
    scores = dict(trick(game, "C4 C5 C6"))["round_scored"]["scores"]
    assert [(s["base"], s["bonus"], s["total"]) for s in scores.values()] == [(15, 5, 20), (15, 0, 15), (0, 0, 0)]


def test_graybeard_plays_second_and_leads_only_after_winning():
    game = dealt("ana bo", rounds=[4], kraken=True, whale=True)
    assert (game.public["graybeard"], game.public["deck"]) == ({"hand": 4, "tricks": 0}, 60)
    assert game.public["turn"] == "ana"
    game.do("play", "ana", card="P3")
    assert game.codes("play", "bo", card="P1") == "not_your_turn"
    assert won(trick(game, "P9 P4")) == ("graybeard", "P9", "suit")
    assert (game.public["leader"], game.public["turn"]) == ("graybeard", "graybeard")
    assert game.public["graybeard"] == {"hand": 3, "tricks": 1}
    told = [game.do("play", name, card=card) for name, card in (("graybeard", "C1"), ("ana", "C2"), ("bo", "C3"))]
    assert won(told[-1]) == ("bo", "C3", "suit")
    assert trick(game, "M1 KRAKEN M2") == [("trick_destroyed", {"player": "graybeard", "trick": 3})]
    assert game.public["leader"] == "ana"  # who played next after the ghost
    assert trick(game, "ESC WHALE ESC")[0] == ("trick_discarded", {"player": "graybeard", "trick": 4})


def test_who_follows_a_leading_graybeard_keeps_the_order_of_the_trick_before():
    game = dealt("ana bo", rounds=[4])
    trick(game, "P1 P2 P3")  # bo wins and leads
    trick(game, "C1 C9 C2")  # the ghost wins
    assert game.state.order == ("graybeard", "bo", "ana")
    trick(game, "M9 M1 M2")  # and again
    assert game.state.order == ("graybeard", "bo", "ana")


@pytest.mark.parametrize("beast", ["KRAKEN", "WHALE"])
def test_after_a_beast_of_the_leading_graybeard_the_next_in_the_trick_leads(beast):
    game = dealt("ana bo", rounds=[3], kraken=True, whale=True)
    trick(game, "P1 P9 P2")
    trick(game, f"{beast} ESC ESC")
    assert game.public["leader"] == "ana"


def test_graybeard_earns_nothing_and_need_not_follow():
    game = dealt("ana bo", rounds=[4], **ALL)
    assert [code for code, _ in trick(game, "LOOT PIRATE:rosie MERMAID")] == ["trick_won"]
    assert trick(game, "J14 P1 P2")[0][1]["by"] == "trump"  # the ghost led; no ability, no bonus, no alliance
    trick(game, "P4 P5 C1")  # and leads again
    assert all(player["bonus"] == 0 for player in game.public["players"])
    assert game.public["alliances"] == []


def test_graybeards_tigress_is_an_escape():
    game = dealt("ana bo", rounds=[2])
    game.do("play", "ana", card="P3")
    assert game.codes("play", "graybeard", card="TIGRESS", **{"as": "pirate"}) == "bad_event"
    assert game.do("play", "graybeard", card="TIGRESS") == []
    assert game.public["table"][1] == {"player": "graybeard", "card": "TIGRESS", "as": "escape"}
    assert won([*game.do("play", "bo", card="P1")]) == ("ana", "P3", "suit")
    game.do("play", "ana", card="P4")
    assert game.do("play", "graybeard", card="TIGRESS", **{"as": "escape"})[0][0] == "contradiction"


@pytest.mark.parametrize(
    "event",
    [
        {"event": "deal", "player": "graybeard", "cards": 1},
        {"event": "bid", "player": "ana", "bid": "1"},
        {"event": "load", "player": "ana", "load": "grape"},
        {"event": "ability", "player": "ana", "pirate": "rosie"},
        {"event": "ability", "player": "ana", "pirate": "bendt", "drawn": 2},
        {"event": "ability", "player": "ana", "pirate": "rascal", "bet": 15},
        {"event": "ability", "player": "ana", "pirate": "harry", "change": True},
        {"event": "ability", "player": "ana", "pirate": "anne"},
        {"event": "play", "player": "ana", "card": ["P1"]},
        {"event": ["play"], "player": "ana"},
        "play",
    ],
)
def test_what_makes_no_sense_is_refused(event):
    game = Sitting("skull_king", "ana bo")
    assert game.game.apply(game.state, event).code == "bad_event"


def test_nothing_follows_the_end():
    game = dealt(rounds=[1])
    trick(game, "P1 P2 P3")
    assert (game.public["phase"], game.public["winners"]) == ("over", ["ana", "bo"])
    assert game.codes("deal", "cy", cards=1) == "game_over"


def test_a_secret_bid_may_be_changed_until_all_have_bid():
    game = Sitting("skull_king", "ana bo cy")
    game.do("deal", "cy", cards=1)
    assert game.codes("change_bid", "ana", bid=1) == "no_bid_yet"
    game.do("bid", "ana", bid=1)
    assert game.codes("bid", "ana", bid=0) == "already_bid"
    assert game.codes("change_bid", "ana", bid=2) == "bid_out_of_range"
    assert game.do("change_bid", "ana", bid=0) == []
    assert game.of("ana")["bid"] is None
    assert next(p for p in game.game.view(game.state, "ana")["players"] if p["name"] == "ana")["bid"] == 0
    game.do("bid", "bo", bid=1)
    assert game.do("bid", "cy", bid=0) == [("bids_revealed", {"bids": {"ana": 0, "bo": 1, "cy": 0}})]
    assert game.codes("change_bid", "ana", bid=1) == "wrong_phase"
