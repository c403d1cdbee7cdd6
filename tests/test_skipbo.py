"""Skip-Bo Mod, where the recorded games do not go."""

import pytest

from linesies import rules
from tests.card_sitting import Sitting


def begun(players="ana bo", face="SB", **options):
    """A game in which the first player has drawn and rolled."""
    game = Sitting("skipbo", players, **options)
    first = game.public["turn"]
    game.do("draw", first, cards=min(5, game.public["owed"]))
    game.do("roll", first, face=face)
    return game


def lay(game, name, cards, pile=1, source="hand", **keys):
    for card in cards.split():
        told = game.do("play", name, **{"from": source, "card": card, "pile": pile, **keys})
        assert not isinstance(told, str), (card, told)
    return [code for code, _ in told]


def turn(game, name, face="SB"):
    """Draw what is owed and roll."""
    if game.public["owed"]:
        game.do("draw", name, cards=game.public["owed"])
    game.do("roll", name, face=face)


@pytest.mark.parametrize(
    ("players", "options"),
    [
        ("a", {}),
        ("a b c d e f g", {}),
        ("a b c", {"partners": True}),
        ("a b", {"stock": 31}),
        ("a b", {"stock": 0}),
        ("a b", {"stock": True}),
        ("a b", {"target": 0}),
        ("a b", {"target": 2.0}),
        ("a b", {"deck": 30}),
        ("a b c d e f", {"stock": 30}),
        ("a b", {"dealer": "zoe"}),
        ("a b", {"partners": None}),
    ],
)
def test_an_unusable_start_says_so(players, options):
    with pytest.raises(rules.BadStart):
        Sitting("skipbo", players, **options)


def test_if_nothing_is_said_a_match_to_500_is_played_with_the_usual_deck():
    options = Sitting("skipbo", "ana bo").state.options
    assert (options.stock, options.partners, options.target, options.deck) == (15, False, 500, 162)
    assert rules.GAMES["skipbo"].presets[0].options["target"] == 500


def test_the_player_left_of_the_dealer_starts():
    game = Sitting("skipbo", "ana bo cy", dealer="ana")
    assert game.opening[0].details == {"game_no": 1, "dealer": "ana", "player": "bo"}


def test_a_top_card_may_be_turned_up_once_and_by_anyone():
    game = Sitting("skipbo", "ana bo")
    assert game.codes("turn_up", "bo", card="SB") == []
    assert game.codes("turn_up", "bo", card="SB") == "already_up"


def test_the_die_as_twelve_completes_the_pile_and_the_card_starts_a_new_one():
    game = begun(face="9-12")
    lay(game, "ana", "1 2 3 4 5")
    game.do("draw", "ana", cards=5)
    lay(game, "ana", "6 7 8 9 10")
    game.do("draw", "ana", cards=5)
    lay(game, "ana", "11")
    assert game.codes("play", "ana", **{"from": "hand", "card": "2", "pile": 1, "die": 12}) == "out_of_sequence"
    told = game.do("play", "ana", **{"from": "hand", "card": "1", "pile": 1, "die": 12})
    assert told == [
        ("die_used", {"player": "ana", "face": "9-12", "value": 12}),
        ("pile_completed", {"pile": 1, "cards": 11}),
    ]
    assert game.public["building"][0] == {"top": 1, "cards": 1}
    assert game.public["completed"] == 11


def test_a_card_over_the_die_may_complete_the_pile_too():
    game = begun(face="9-12")
    lay(game, "ana", "1 2 3 4 5")
    game.do("draw", "ana", cards=5)
    lay(game, "ana", "6 7 8 9 10")
    game.do("draw", "ana", cards=5)
    assert lay(game, "ana", "12", die=11) == ["die_used", "pile_completed"]


def test_the_completed_piles_become_the_draw_pile_as_soon_as_that_is_used_up():
    game = begun(stock=1, deck=2 + 15)
    lay(game, "ana", "1 2 3 4 5")
    game.do("draw", "ana", cards=5)
    lay(game, "ana", "6 7 8 9 10")
    game.do("draw", "ana", cards=5)
    assert (game.public["draw"], game.public["completed"]) == (0, 0)
    lay(game, "ana", "11")
    told = game.do("play", "ana", **{"from": "hand", "card": "12", "pile": 1})
    assert told == [("pile_completed", {"pile": 1, "cards": 12}), ("reshuffled", {"cards": 12})]
    assert (game.public["draw"], game.public["completed"], game.public["owed"]) == (12, 0, 0)


def test_what_could_not_be_drawn_is_owed_as_soon_as_there_is_something_to_draw():
    game = begun(stock=3, deck=6 + 10)
    lay(game, "ana", "1 2 3 4 5")
    game.do("draw", "ana", cards=5)
    lay(game, "ana", "6 7 8 9")
    game.do("discard", "ana", card="9", pile=1)
    turn(game, "bo")  # nothing to draw: no draw is owed
    assert (game.of("bo")["hand"], game.public["owed"]) == (0, 0)
    assert game.codes("end_turn", "bo") == ["turn_started"]
    turn(game, "ana")
    lay(game, "ana", "SB", die=10, source="stock")
    assert game.public["owed"] == 0
    assert lay(game, "ana", "SB", source="stock") == ["pile_completed", "reshuffled"]
    assert game.public["owed"] == 5
    assert game.codes("play", "ana", **{"from": "stock", "card": "1", "pile": 1}) == "draw_first"


def test_a_draw_goes_on_from_the_completed_piles():
    game = begun(stock=1, deck=2 + 17)
    lay(game, "ana", "1 2 3 4 5")
    game.do("draw", "ana", cards=5)
    lay(game, "ana", "6 7 8 9 10")
    game.do("draw", "ana", cards=5)
    lay(game, "ana", "11 12 1 2")
    assert (game.public["draw"], game.public["completed"]) == (2, 12)
    told = game.do("draw", "ana", cards=5)
    assert told == [("reshuffled", {"cards": 12}), ("too_many_drawn", {"player": "ana", "extra": 5})]
    assert (game.public["draw"], game.of("ana")["stock"]["cards"]) == (9, 6)
    assert game.codes("draw", "ana", cards=10) == "draw_pile_empty"


def test_a_turn_out_of_turn_that_nobody_notices_counts():
    game = Sitting("skipbo", "ana bo cy")
    assert game.codes("play", "bo", **{"from": "hand", "card": "1", "pile": 1}) == "not_your_turn"
    assert game.do("draw", "bo", cards=5) == []
    state = game.public
    assert (state["turn"], state["out_of_turn"], state["begun"], state["owed"]) == ("ana", "bo", True, 0)
    assert game.codes("draw", "ana", cards=5) == "not_your_turn"
    assert game.codes("draw", "cy", cards=5) == "not_your_turn"
    game.do("roll", "bo", face="SB")
    told = game.do("discard", "bo", card="5", pile=1)
    assert told == [("out_of_turn_stands", {"player": "bo"}), ("turn_started", {"player": "cy"})]


def test_who_rolls_out_of_turn_must_still_draw():
    game = Sitting("skipbo", "ana bo")
    assert game.do("roll", "bo", face="SB") == []
    assert game.public["owed"] == 5
    assert game.codes("discard", "bo", card="5", pile=1) == "draw_first"


def test_a_draw_out_of_turn_that_is_refused_begins_nothing():
    game = Sitting("skipbo", "ana bo", stock=1, deck=6)
    assert game.codes("draw", "bo", cards=5) == "draw_pile_empty"
    assert game.public["out_of_turn"] is None


def test_a_turn_out_of_turn_that_is_noticed_stops_and_costs_the_next_draw():
    game = Sitting("skipbo", "ana bo")
    assert game.codes("notice", "ana") == "nothing_to_notice"
    turn(game, "ana")
    game.do("discard", "ana", card="3", pile=1)
    game.do("draw", "ana", cards=1)  # it is bo's turn
    game.do("roll", "ana", face="SB")
    lay(game, "ana", "1")
    assert game.codes("notice", "ana") == "own_error"
    assert game.do("notice", "bo") == [
        ("out_of_turn_stopped", {"player": "ana", "by": "bo"}),
        ("turn_started", {"player": "bo"}),
    ]
    state = game.public
    assert (state["turn"], state["begun"], state["owed"], state["die"]["face"]) == ("bo", False, 5, None)
    assert (game.of("ana")["hand"], game.of("ana")["no_draw"]) == (4, True)
    turn(game, "bo")
    assert game.do("discard", "bo", card="3", pile=1) == [
        ("turn_started", {"player": "ana"}),
        ("no_draw", {"player": "ana"}),
    ]
    assert game.public["owed"] == 0
    assert game.codes("draw", "ana", cards=1) == "no_draw_penalty"
    game.do("roll", "ana", face="5-8")
    assert lay(game, "ana", "2 3 4 SB") == ["hand_empty"]
    assert game.public["owed"] == 5  # with the hand empty during the turn one draws again
    game.do("draw", "ana", cards=5)
    game.do("discard", "ana", card="3", pile=1)
    assert not game.of("ana")["no_draw"]


def test_the_penalty_waits_while_its_player_goes_out_of_turn_again():
    game = Sitting("skipbo", "ana bo cy")
    game.do("draw", "bo", cards=5)
    game.do("notice", "cy")
    game.do("draw", "bo", cards=1)  # again, with five in hand
    assert game.of("bo")["stock"]["cards"] == 16
    game.do("roll", "bo", face="SB")
    game.do("discard", "bo", card="3", pile=1)
    assert game.of("bo")["no_draw"]


def test_with_no_draw_and_an_empty_hand_the_turn_ends_without_discard():
    game = Sitting("skipbo", "ana bo cy")
    game.do("roll", "bo", face="SB")
    game.do("notice", "cy")
    turn(game, "ana")
    assert game.codes("discard", "ana", card="3", pile=1) == ["turn_started", "no_draw"]
    assert game.codes("end_turn", "bo") == "roll_first"
    game.do("roll", "bo", face="SB")
    assert game.codes("discard", "bo", card="3", pile=1) == "no_card_there"
    assert game.codes("end_turn", "bo") == ["turn_started"]
    assert not game.of("bo")["no_draw"]


def test_the_extra_discards_may_empty_the_hand_and_five_new_cards_come():
    game = begun(face="DISCARD2")
    lay(game, "ana", "1 2 3 4")
    told = game.do("discard", "ana", card="9", pile=1, die=True)
    assert [code for code, _ in told] == ["die_used", "hand_empty"]
    assert game.public["owed"] == 5
    game.do("draw", "ana", cards=5)
    game.do("discard", "ana", card="9", pile=1, die=True)
    assert game.public["die"] == {"face": "DISCARD2", "used": True, "discards": 2}
    assert game.codes("discard", "ana", card="9", pile=1, die=True) == "die_used"
    assert game.codes("discard", "ana", card="9", pile=1, die=False) == ["turn_started"]


def test_the_other_faces_allow_no_extra_discard():
    assert begun(face="SB").codes("discard", "ana", card="9", pile=1, die=True) == "die_face"


def test_the_last_card_may_be_what_an_opponent_draws():
    game = begun(face="DRAW1", stock=1, deck=2 + 6)
    assert game.codes("opponent_draws", "ana", opponent="bo") == ["die_used", "opponent_drew"]
    assert game.of("bo")["stock"]["cards"] == 2
    game = begun(face="DRAW1", stock=1, deck=2 + 5)
    assert game.codes("opponent_draws", "ana", opponent="bo") == "draw_pile_empty"


def test_partners_play_from_each_others_stock_and_discards_but_not_hands():
    game = begun("ana bo cy di", partners=True, stock=1)
    assert game.public["sides"] == [{"players": ["ana", "cy"], "score": 0}, {"players": ["bo", "di"], "score": 0}]
    assert game.codes("play", "ana", owner="cy", **{"from": "hand", "card": "1", "pile": 1}) == "not_your_pile"
    assert game.codes("play", "ana", owner="bo", **{"from": "stock", "card": "1", "pile": 1}) == "not_your_pile"
    told = game.do("play", "ana", owner="cy", **{"from": "stock", "card": "1", "pile": 1})
    assert told == [("stock_finished", {"player": "cy"})]
    assert game.codes("turn_up", "cy", card="1") == "stock_empty"
    assert game.codes("play", "ana", owner="cy", **{"from": "stock", "card": "2", "pile": 1}) == "no_card_there"
    told = game.do("play", "ana", **{"from": "stock", "card": "2", "pile": 1})
    assert told == [
        ("stock_finished", {"player": "ana"}),
        ("game_won", {"players": ["ana", "cy"], "points": 35}),
    ]


def test_a_finished_stock_may_become_a_stock_again():
    game = begun("ana bo cy di", face="DRAW1", partners=True, stock=1)
    lay(game, "ana", "1", source="stock", owner="cy")
    assert game.codes("opponent_draws", "ana", opponent="cy") == "not_an_opponent"
    assert game.do("cheating", "cy") == [("cheating_penalty", {"player": "cy", "cards": 2})]
    assert game.of("cy")["stock"] == {"cards": 2, "top": None}
    assert lay(game, "ana", "2", source="stock") == ["stock_finished"]


def test_who_cheats_takes_what_there_is():
    game = begun("ana bo cy di", partners=True, stock=1, deck=4 + 6)
    assert game.do("cheating", "bo") == [("cheating_penalty", {"player": "bo", "cards": 1})]
    assert game.do("cheating", "bo") == [("cheating_penalty", {"player": "bo", "cards": 0})]


def test_the_die_too_must_fit_the_sequence():
    game = begun(face="1-4")
    assert game.codes("play", "ana", **{"from": "hand", "card": "3", "pile": 1, "die": 2}) == "out_of_sequence"
    assert lay(game, "ana", "2", die=1) == ["die_used"]


@pytest.mark.parametrize(
    "event",
    [
        "draw",
        {"event": None},
        {"event": "play", "player": "ana", "from": "discard", "card": "1", "pile": 1},
        {"event": "play", "player": "ana", "from": "hand", "card": "1", "pile": 1, "die": True},
        {"event": "play", "player": "ana", "from": "hand", "card": "1", "pile": 1, "as": None},
        {"event": "play", "player": "ana", "from": "hand", "card": 1, "pile": 1},
        {"event": "play", "player": "ana", "from": "hand", "card": "1", "pile": 1, "owner": "zoe"},
        {"event": "discard", "player": "ana", "card": "1", "pile": 1, "die": 1},
    ],
)
def test_what_makes_no_sense_is_refused(event):
    game = begun()
    assert game.game.apply(game.state, event).code == "bad_event"


def test_a_match_goes_on_until_the_target_is_reached():
    game = begun("ana bo cy", stock=1, target=60)
    lay(game, "ana", "1", source="stock")
    state = game.public
    assert (state["phase"], state["turn"], state["winners"]) == ("between", None, None)
    assert game.codes("draw", "bo", cards=5) == "wrong_phase"
    told = game.do("next_game")
    assert told == [("game_started", {"game_no": 2, "dealer": "ana", "player": "bo"})]
    assert game.public["sides"][0]["score"] == 35
    for name, card in (("bo", "2"), ("cy", "3")):
        turn(game, name)
        game.do("discard", name, card=card, pile=1)
    turn(game, "ana")
    assert lay(game, "ana", "1", source="stock") == ["stock_finished", "game_won", "match_won"]
    assert (game.public["phase"], game.public["winners"]) == ("over", ["ana"])
    assert game.codes("next_game") == "game_over"


def test_a_new_deal_forgets_a_penalty_and_a_win_leaves_it():
    game = Sitting("skipbo", "ana bo", stock=1)
    game.do("roll", "bo", face="SB")
    game.do("notice", "ana")
    turn(game, "ana")
    lay(game, "ana", "1", source="stock")
    assert game.of("bo")["no_draw"]
    game.do("next_game")
    assert not game.of("bo")["no_draw"]


def test_an_unknown_player_may_look_on():
    game = begun()
    assert game.game.view(game.state, "a spectator") == game.public
