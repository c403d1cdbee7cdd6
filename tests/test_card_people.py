"""Who leaves a card game and who joins it: by agreement, since no book of theirs says anything of either."""

from random import Random

import pytest

from linesies import rules
from linesies.device.announcers.announcing import Announcers
from linesies.device.journal.journal import Journal
from linesies.device.phones.phones import Phones
from linesies.games import GAMES
from linesies.referee.folding import story_of
from linesies.referee.referee import Referee
from linesies.referee.seating import sitting_of
from linesies.rules.keeping import read_state, write_state
from tests.card_sitting import Sitting
from tests.refereeing import quick_journal

FOUR = "ana bo cy di"
GAME_OF = {"skull": {"ruleset": "joris"}, "skull_king": {"rounds": [2, 3]}, "skipbo": {"stock": 3, "target": None}}


def status(game, name):
    return game.of(name).get("status", "plays")


@pytest.mark.parametrize(("game", "options"), GAME_OF.items())
def test_a_game_that_nobody_leaves_says_nothing_of_it(game, options):
    assert all("status" not in player for player in Sitting(game, FOUR, **options).public["players"])


@pytest.mark.parametrize(("game", "options"), GAME_OF.items())
def test_who_is_the_last_has_won(game, options):
    table = Sitting(game, "ana bo cy" if game != "skull" else FOUR, **options)
    for name in ("di", "cy") if game == "skull" else ("cy",):
        assert table.codes("leave", name)[0] == "left"
    assert table.codes("leave", "bo")[-1] == "game_won"
    assert table.public["phase"] == "over"
    assert table.do("join", "bo") == "game_over"


@pytest.mark.parametrize(("game", "options"), GAME_OF.items())
def test_who_has_left_does_nothing_till_he_comes_back(game, options):
    table = Sitting(game, FOUR, **options)
    table.do("leave", "bo")
    assert status(table, "bo") == "left"
    assert table.do("leave", "bo") == "player_out"
    assert table.codes("join", "bo") == ["joined"]
    assert table.do("join", "bo") == "already_in"
    assert status(table, "bo") == "plays"


@pytest.mark.parametrize(("game", "options"), GAME_OF.items())
def test_who_sits_down_where_somebody_has_left_plays_after_him(game, options):
    table = Sitting(game, FOUR, **options)
    table.do("leave", "bo")
    assert table.codes("join", "eve", after="bo") == ["joined", "sits_after"]
    assert [player["name"] for player in table.public["players"]] == ["ana", "bo", "eve", "cy", "di"]
    table.do("leave", "cy")
    assert table.codes("join", "bo", after="cy") == ["joined", "sits_after"]
    assert [player["name"] for player in table.public["players"]] == ["ana", "eve", "cy", "bo", "di"]


@pytest.mark.parametrize(("game", "options"), GAME_OF.items())
@pytest.mark.parametrize("after", ["nobody", "eve"])
def test_who_would_sit_behind_somebody_whose_coming_was_struck_out_sits_down_last(game, options, after):
    table = Sitting(game, FOUR, **options)
    assert table.codes("join", "eve", after=after) == ["joined"]
    assert [player["name"] for player in table.public["players"]] == [*FOUR.split(), "eve"]


@pytest.mark.parametrize(("game", "options"), GAME_OF.items())
def test_nobody_sits_down_behind_what_is_no_name(game, options):
    assert Sitting(game, FOUR, **options).do("join", "eve", after=3) == "bad_event"


def test_the_turn_goes_on_to_who_has_taken_the_next_seat():
    table = skipbo()
    table.do("leave", "bo")
    table.do("join", "eve", after="bo")
    assert [side["players"] for side in table.public["sides"]] == [["ana"], ["bo"], ["eve"], ["cy"], ["di"]]
    table.do("leave", "ana")
    assert table.public["turn"] == "eve"


@pytest.mark.parametrize(("game", "options"), GAME_OF.items())
@pytest.mark.parametrize("name", ["", None, 3])
def test_nobody_without_a_name_joins(game, options, name):
    table = Sitting(game, FOUR, **options)
    answer = table.game.apply(table.state, {"event": "join", "player": name})
    assert answer.code == "bad_event"


@pytest.mark.parametrize(
    ("game", "options", "most"),
    [
        ("skull", {"ruleset": "joris"}, 6),
        ("skull", {"ruleset": "small_shelf"}, 4),
        ("skull", {"ruleset": "small_shelf", "decks": 3}, 8),
        ("skull_king", {}, 8),
        ("skipbo", {"stock": 3}, 6),
    ],
)
def test_no_more_join_than_the_game_is_for(game, options, most):
    table = Sitting(game, FOUR, **options)
    for number in range(4, most):
        assert table.codes("join", f"p{number}") == ["joined"]
    assert table.do("join", "late") == "table_full"
    table.do("leave", "ana")
    assert table.codes("join", "late") == ["joined"]


@pytest.mark.parametrize(("game", "options"), GAME_OF.items())
def test_a_state_in_which_somebody_has_left_is_kept_and_read_again(game, options):
    table = Sitting(game, FOUR, **options)
    table.do("leave", "cy")
    assert read_state(table.game, write_state(table.game, table.state)) == table.state


# Skull


def skull(players=FOUR, **options):
    return Sitting("skull", players, ruleset="small_shelf", decks=3, **options)


def put_down(table, names):
    for name in names.split():
        assert not isinstance(table.do("placed", name), str)


def test_the_others_go_on_placing_without_who_has_left():
    table = skull()
    put_down(table, "ana bo cy")
    assert table.codes("leave", "di") == ["left", "all_placed"]
    table.do("leave", "ana")
    assert table.public["turn"] == "bo"
    assert table.of("ana")["pile"] == []


def test_a_round_in_which_somebody_has_bid_begins_anew_when_one_leaves():
    table = skull()
    put_down(table, FOUR)
    table.do("bid", "ana", number=1)
    assert table.codes("leave", "cy") == ["left", "round_started"]
    assert (table.public["phase"], table.public["round"], table.public["bid"]) == ("first", 2, None)
    assert all(player["pile"] == [] for player in table.public["players"])


def test_a_card_is_lost_though_its_chooser_has_gone():
    table = skull()
    put_down(table, FOUR)
    table.do("bid", "ana", number=4)
    table.do("flip", "ana", owner="ana", card="5H")
    table.do("flip", "ana", owner="bo", card="KS")
    assert table.public["loss"] == {"player": "ana", "by": "bo"}
    table.do("leave", "bo")
    assert table.public["loss"] == {"player": "ana", "by": "ana"}
    assert table.codes("card_lost", "ana", by="ana") == ["card_lost", "round_started"]
    assert table.of("ana")["cards"] == 3


def test_who_was_to_lose_a_card_and_leaves_loses_none():
    table = skull()
    put_down(table, FOUR)
    table.do("bid", "ana", number=4)
    table.do("flip", "ana", owner="ana", card="KS")
    assert table.codes("leave", "ana") == ["left", "round_started"]
    assert table.public["starter"] == "bo"


def test_who_comes_back_has_the_cards_and_points_that_he_had():
    table = skull("ana bo")
    put_down(table, "ana bo")
    table.do("bid", "ana", number=1)
    table.do("pass", "bo")
    table.do("flip", "ana", owner="ana", card="KS")
    table.do("card_lost", "ana", by="ana")
    table.do("join", "cy")
    table.do("leave", "ana")
    table.do("join", "ana")
    assert table.of("ana")["cards"] == 3


def test_who_has_no_card_left_does_not_join_again():
    table = skull("ana bo cy")
    table.do("correct", players={"ana": {"cards": 1}})
    put_down(table, "ana bo cy")
    table.do("bid", "ana", number=3)
    table.do("flip", "ana", owner="ana", card="KS")
    table.do("card_lost", "ana", by="ana")
    assert table.of("ana")["out"]
    assert table.do("join", "ana") == "player_out"
    assert table.do("leave", "ana") == "player_out"


def test_somebody_who_waits_keeps_the_last_but_one_from_winning_alone():
    table = skull("ana bo")
    table.do("correct", players={"ana": {"cards": 1}})
    put_down(table, "ana bo")
    table.do("join", "cy")
    assert status(table, "cy") == "waiting"
    table.do("bid", "ana", number=2)
    table.do("flip", "ana", owner="ana", card="KS")
    assert table.codes("card_lost", "ana", by="ana") == ["card_lost", "player_out", "round_started"]
    assert status(table, "cy") == "plays"


def test_cards_that_went_home_with_somebody_may_be_seen_with_another():
    table = Sitting("skull", FOUR, ruleset="small_shelf")
    put_down(table, FOUR)
    table.do("bid", "ana", number=4)
    table.do("flip", "ana", owner="ana", card="5H")
    table.do("leave", "ana")
    table.do("join", "eve")
    put_down(table, "bo cy di eve")
    table.do("bid", "bo", number=4)
    table.do("flip", "bo", owner="bo", card="7H")
    assert table.codes("flip", "bo", owner="eve", card="5H") == []


# Skull King


def test_a_round_that_somebody_leaves_is_dealt_anew_and_its_bids_stay_secret():
    table = Sitting("skull_king", FOUR, rounds=[2])
    table.do("deal", "di", cards=2)
    table.do("bid", "ana", bid=2)
    assert table.codes("leave", "bo") == ["left"]
    assert table.public["phase"] == "deal"
    assert table.game.view(table.state, "bo") == table.public
    table.do("deal", "di", cards=2)
    assert [table.codes("bid", name, bid=0) for name in ("cy", "di", "ana")] == [[], [], ["bids_revealed"]]


def test_of_two_who_are_left_graybeard_makes_three():
    table = Sitting("skull_king", "ana bo cy", rounds=[1])
    table.do("leave", "cy")
    assert table.public["graybeard"] == {"hand": 0, "tricks": 0}
    assert table.public["dealer"] == "ana"
    table.do("join", "cy")
    assert table.public["graybeard"] is None


def test_nobody_called_graybeard_joins():
    table = Sitting("skull_king", "ana bo")
    assert table.do("join", "graybeard") == "bad_event"


def test_a_round_deals_no_more_than_the_deck_has_for_all_who_have_joined():
    table = Sitting("skull_king", FOUR, rounds=[17])
    table.do("join", "eve")
    assert table.public["cards"] == 14
    assert table.codes("deal", "di", cards=14) == ["round_started"]


def test_rosie_hands_the_lead_to_nobody_who_waits():
    table = Sitting("skull_king", "ana bo cy", rounds=[2], pirate_abilities=True)
    table.do("deal", "cy", cards=2)
    for name in ("ana", "bo", "cy"):
        table.do("bid", name, bid=0)
    table.do("join", "di")
    for name, card in (("ana", "PIRATE:rosie"), ("bo", "P1"), ("cy", "P2")):
        table.do("play", name, card=card)
    assert table.do("ability", "ana", pirate="rosie", leader="di") == "player_out"
    assert table.codes("ability", "ana", pirate="rosie", leader="bo") == ["ability_used"]


# Skip-Bo


def skipbo(players=FOUR, **options):
    return Sitting("skipbo", players, stock=3, target=None, **options)


def test_a_partner_plays_on_from_the_stock_of_who_has_left():
    table = skipbo(partners=True)
    table.do("leave", "cy")
    table.do("draw", "ana", cards=5)
    table.do("roll", "ana", face="DRAW1")
    assert table.codes("turn_up", "cy", card="1") == []
    assert table.codes("play", "ana", **{"from": "stock", "card": "1", "pile": 1, "owner": "cy"}) == []
    assert table.of("cy")["stock"]["cards"] == 2
    table.do("leave", "bo")
    assert table.codes("leave", "di")[-1] == "game_won"
    assert table.public["winners"] == ["ana", "cy"]


def test_with_partners_nobody_new_joins():
    assert skipbo(partners=True).do("join", "eve") == "fixed_sides"


def test_the_stock_of_who_has_left_alone_brings_no_points_and_takes_no_die():
    table = skipbo("ana bo cy")
    table.do("draw", "ana", cards=5)
    table.do("roll", "ana", face="DRAW1")
    table.do("leave", "cy")
    assert table.do("opponent_draws", "ana", opponent="cy") == "not_an_opponent"
    table.do("correct", players={"ana": {"stock_cards": 1}})
    assert table.do("play", "ana", **{"from": "stock", "card": "SB", "pile": 1})[-1] == (
        "game_won",
        {"players": ["ana"], "points": 25 + 5 * 3},
    )


def test_the_hand_of_who_has_left_is_drawn_again():
    table = skipbo("ana bo cy")
    before = table.public["draw"]
    table.do("draw", "ana", cards=5)
    table.do("leave", "ana")
    assert table.public["draw"] == before


def test_who_played_out_of_turn_and_leaves_gives_the_turn_back():
    table = skipbo()
    table.do("draw", "cy", cards=5)
    assert table.public["out_of_turn"] == "cy"
    assert table.do("leave", "cy")[-1] == ("turn_started", {"player": "ana"})


def test_who_plays_out_of_turn_has_the_turn_when_the_one_before_leaves():
    table = skipbo()
    table.do("draw", "bo", cards=5)
    table.do("leave", "ana")
    assert (table.public["turn"], table.public["out_of_turn"]) == ("bo", None)


def test_a_stock_pile_is_dealt_to_a_newcomer_only_where_there_are_cards():
    table = Sitting("skipbo", "ana bo", stock=5, target=None, deck=15)
    assert table.do("join", "cy") == "too_few_cards"
    table = Sitting("skipbo", "ana bo", stock=5, target=None, deck=16)
    assert table.codes("join", "cy") == ["joined"]
    assert (table.of("cy")["stock"]["cards"], table.public["draw"]) == (5, 1)


def test_who_is_away_at_a_deal_gets_a_stock_pile_when_he_comes_back():
    table = Sitting("skipbo", "ana bo cy", stock=1, target=500)
    table.do("leave", "cy")
    table.do("draw", "ana", cards=5)
    table.do("roll", "ana", face="DRAW1")
    table.do("play", "ana", **{"from": "stock", "card": "1", "pile": 1})
    assert table.codes("next_game") == ["game_started"]
    assert table.of("cy")["stock"]["cards"] == 0
    table.do("join", "cy")
    assert table.of("cy")["stock"]["cards"] == 1


# Whatever people do, the game goes on


def moves(public, rng):
    """Say things that may be allowed now, in any order."""
    names = [*(player["name"] for player in public["players"]), "graybeard"]
    raised = (public.get("bid") or {"number": 0})["number"] + rng.randint(1, 2)
    cards = {"skull": ["5H", "7D", "KS"], "skull_king": ["P1", "C7", "ESC", "SK"], "skipbo": ["1", "2", "3", "SB"]}
    card = rng.choice(cards[public["game"]])
    for name in rng.sample(names, len(names)):
        yield from ({"event": event, "player": name} for event in ("placed", "pass", "end_turn", "skip_ability"))
        yield {"event": "deal", "player": name, "cards": public.get("cards")}
        yield {"event": "draw", "player": name, "cards": public.get("owed", 1)}
        yield {"event": "roll", "player": name, "face": "SB"}
        yield {"event": "bid", "player": name, "number": raised - 1}
        yield {"event": "bid", "player": name, "number": raised, "bid": rng.randint(0, 1)}
        for other in names:
            yield {"event": "flip", "player": name, "owner": other, "card": card}
            yield {"event": "card_lost", "player": name, "by": other}
        yield {"event": "play", "player": name, "card": card, "from": "hand", "pile": rng.randint(1, 4)}
        yield {"event": "play", "player": name, "card": "SB", "from": "stock", "pile": rng.randint(1, 4)}
        yield {"event": "discard", "player": name, "card": card, "pile": 1}
    yield {"event": "next_game"}


def comings_and_goings(public, rng):
    names = [player["name"] for player in public["players"]]
    return [
        {"event": "join", "player": rng.choice([*names, f"new{len(names)}"])},
        {"event": "leave", "player": rng.choice(names)},
    ]


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("game", GAME_OF)
def test_a_game_never_stalls_however_many_come_and_go(game, seed):
    rng = Random(seed)
    options = {
        "skull": {"ruleset": "small_shelf", "decks": 3},
        "skipbo": {"stock": 2, "target": 60, "partners": seed % 2 == 1},
    }
    table = Sitting(game, FOUR, **options.get(game, {"rounds": [1, 2, 3], "pirate_abilities": True}))
    for _ in range(150):
        public = table.public
        if public["phase"] == "over":
            break
        if rng.random() < 0.2:
            table.do(**rng.choice(comings_and_goings(public, rng)))
            continue
        answers = (table.do(**event) for event in moves(public, rng))
        assert any(not isinstance(answer, str) for answer in answers), public


def test_what_came_since_is_kept_though_somebody_has_joined():
    table = skull("ana bo")
    was, would = table.public, {**table.public, "players": [{**one, "points": 1} for one in table.public["players"]]}
    table.do("join", "cy")
    kept = GAMES["skull"].keep(was, would, table.public)
    assert kept == {"event": "correct", "players": {"ana": {"points": 1}, "bo": {"points": 1}}}


def test_the_words_of_leaving_are_said_in_every_game():
    for game, options in GAME_OF.items():
        table = Sitting(game, FOUR, **options)
        _, rulings = table.game.apply(table.state, {"event": "leave", "player": "bo"})
        assert rules.ruling_json(game, rulings[0])["text"] == "Bo has left the game."


# On the phones


@pytest.fixture
def table_of():
    """Begin a game of Skull at a mat of so many seats; gives the referee, and what tells an event to him."""
    with quick_journal() as path:

        def begin(seats):
            referee = Referee(Journal(path), Announcers([]), elsewhere=lambda call: call.location)
            corner = [[0, 0], [1, 0], [1, 1], [0, 1]]
            zones = [{"name": f"seat:player{number}", "polygon": corner} for number in range(1, seats + 1)]
            set_up = {"board": {"size": [1, 1], "regions": zones}, "lines": [], "caps": []}
            start = {
                "event": "start",
                "game": "skull",
                "players": ["ana", "bo", "cy"],
                "options": {"ruleset": "small_shelf"},
            }
            referee.begin(set_up, start)

            def say(origin, event, player):
                referee.journal.submit({"order": "event", "event": {"event": event, "player": player}}, origin)
                referee.take_orders()
                return story_of(referee.journal)

            return referee, say

        yield begin


def statuses(story):
    return {player["name"]: player.get("status", "plays") for player in story.standing["players"]}


def test_a_player_says_alone_that_he_goes_home_and_the_others_agree_on_who_joins(table_of):
    _, say = table_of(4)
    assert statuses(say("player:bo", "leave", "bo"))["bo"] == "left"
    story = say("player:ana", "join", "di")
    assert [motion.asked for motion in story.motions] == [("ana", "cy")]
    assert "di" not in statuses(story)


def test_who_has_left_moves_what_the_others_decide(table_of):
    referee, say = table_of(4)
    say("player:cy", "leave", "cy")
    row = say("player:cy", "join", "cy").motions[0].row
    for name, standing in (("ana", "left"), ("bo", "plays")):
        referee.journal.submit({"order": "agree", "about": row}, f"player:{name}")
        referee.take_orders()
        assert statuses(story_of(referee.journal))["cy"] == standing


def test_who_joins_is_one_of_the_players_and_has_a_code_for_a_seat(table_of, tmp_path):
    _, say = table_of(4)
    players = say("referee:x", "join", "di").players
    assert players == ("ana", "bo", "cy", "di")
    assert set(Phones(tmp_path / "phones.json").codes(players)) >= {"di"}


def test_nobody_joins_where_the_mat_has_no_place_for_him(table_of):
    _, say = table_of(3)
    assert "di" not in statuses(say("referee:x", "join", "di"))


def test_a_newcomer_is_given_the_seat_of_somebody_who_has_left(table_of):
    _, say = table_of(3)
    say("referee:x", "leave", "bo")
    story = say("referee:x", "join", "di")
    assert dict(sitting_of(story).seating) == {"player1": "ana", "player2": "di", "player3": "cy"}
    assert list(statuses(story)) == ["ana", "bo", "di", "cy"]
    assert "Di sits on the left of Bo" in " ".join(told["text"] for told in story.entries[-1].rulings)


def test_a_newcomer_takes_a_seat_that_nobody_had_before_that_of_somebody_who_may_come_back(table_of):
    _, say = table_of(4)
    say("referee:x", "leave", "bo")
    story = say("referee:x", "join", "di")
    assert sitting_of(story).seating["player4"] == "di"
    assert list(statuses(story)) == ["ana", "bo", "cy", "di"]
    assert sitting_of(say("referee:x", "join", "bo")).seating["player2"] == "bo"


def test_whose_seat_is_taken_comes_back_to_another_or_not_at_all(table_of):
    _, say = table_of(3)
    say("referee:x", "leave", "bo")
    say("referee:x", "join", "di")
    assert statuses(say("referee:x", "join", "bo"))["bo"] == "left"
    say("referee:x", "leave", "ana")
    story = say("referee:x", "join", "bo")
    assert dict(sitting_of(story).seating) == {"player1": "bo", "player2": "di", "player3": "cy"}
    assert list(statuses(story)) == ["ana", "bo", "di", "cy"]


def test_a_seat_is_his_again_who_went_by_mistake(table_of):
    referee, say = table_of(3)
    say("referee:x", "leave", "bo")
    for row in reversed([entry.row for entry in say("referee:x", "join", "di").entries]):
        referee.journal.submit({"order": "undo", "about": row}, "referee:x")
        referee.take_orders()
    assert list(sitting_of(story_of(referee.journal)).seating.values()) == ["ana", "bo", "cy"]


def test_somebody_who_went_by_mistake_is_there_again_when_that_is_undone(table_of):
    referee, say = table_of(4)
    say("referee:x", "placed", "ana")
    say("referee:x", "leave", "cy")
    referee.journal.submit({"order": "undo"}, "referee:x")
    referee.take_orders()
    story = story_of(referee.journal)
    assert statuses(story)["cy"] == "plays"
    assert story.standing["players"][0]["pile"] == [None]
