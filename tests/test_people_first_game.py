"""Shadow mode through a whole simulated game: people call close shots first, and afterwards both are compared."""

from dataclasses import replace
from functools import partial

import pytest

from linesies.referee.doubt import HAIR_MM, other_side
from linesies.referee.snapshot import story_json
from linesies.referee.summary import summary_json
from linesies.simulator.street.stage import Wishes
from linesies.simulator.street.street import SimulatedStreet
from linesies.simulator.street.umpire import rules_event
from linesies.simulator.umpire import RulesUmpire
from linesies.vision import Call, Hit, Placed, Shot
from tests.refereeing import SET_UP, quick_journal, referee_on

pytestmark = pytest.mark.takes_turns(seconds=15)

WISHES = Wishes(seed=3, players=3, size_px=(320, 180))
MISREAD = (1, 5)  # of the shots that people call first, those that the camera has on the other side of an edge


class RememberingUmpire(RulesUmpire):
    """Remembers everything that was done and said, in its order."""

    def __init__(self, start):
        super().__init__(start, rules_event)
        self.told = []

    def tell(self, truth):
        self.told.append(truth)
        yield from super().tell(truth)


class ShadowedGame:
    """Remembers a referee in shadow mode, how many shots people have called first, and what was ruled before that."""

    def __init__(self, referee, truth):
        self.referee = referee
        self.called = 0
        self.ruled_before = []
        self._truth = truth

    def happen(self, told):
        """Let a truth happen before the camera; people call it truly where they are to call it first."""
        match told["event"]:
            case "shot":
                self._shoot(told)
            case "placed":
                [(player, place)] = told["rest"].items()
                placed = Placed(player=player, call=call_at(player, place), of=told.get("of"), **times_of(told))
                self.referee.see(placed)
            case _:
                self._order({"order": "event", "event": told})

    def _shoot(self, told):
        entries = len(self.referee.story.entries)
        player = told["player"]
        calls = {name: call_at(name, place) for name, place in told["rest"].items()}
        if self.called in MISREAD:
            calls[player] = self._misread(calls[player])
        hits = tuple(Hit(by=by, victim=victim, t_s=told["t_start"]) for by, victim in told["hits"])
        self.referee.see(Shot(player=player, hits=hits, calls=tuple(calls.values()), **times_of(told)))
        if not self.referee.story.pending:
            return
        self.ruled_before += self.referee.story.entries[entries:]
        [asked] = story_json(self.referee.story)["pending"]
        truly = told["rest"][player]["location"]
        event = next(one["event"] for one in asked["answers"] if one["event"].get("rest", {}).get(player) == truly)
        self._order({"order": "settle", "about": asked["row"], "event": event})
        self.called += 1

    def _misread(self, call):
        """Have a cap seen so much too wide, or too narrow, that its gap is on the other side."""
        beyond_mm = HAIR_MM if call.gap_mm > 0 else -HAIR_MM
        return replace(
            call,
            location=other_side(self._truth, call),
            diameter_mm=call.diameter_mm + 2 * call.gap_mm + beyond_mm,
            gap_mm=-beyond_mm / 2,
        )

    def _order(self, order):
        self.referee.journal.submit(order, "referee:ab12cd")
        self.referee.take_orders()


def call_at(player, place):
    """Give the call that says of a cap what is true of it."""
    return Call(
        player=player,
        xy_mm=(place["x"], place["y"]),
        diameter_mm=place["diameter"],
        location=place["location"],
        gap_mm=place["gap"],
        sigma_mm=0.3,
        is_certain=True,
    )


def times_of(told):
    return {"t_start_s": told["t_start"], "t_end_s": told["t_end"]}


@pytest.fixture(scope="module")
def played():
    """Play a game to its winner, without pictures, and referee it in shadow mode."""
    umpire = RememberingUmpire(SimulatedStreet(wishes=WISHES).start)
    street = SimulatedStreet(wishes=WISHES, umpire=umpire)
    for _ in street.play():
        if street.is_over:
            break
    with quick_journal() as path:
        referee = referee_on(path)
        referee._elsewhere = partial(other_side, street.stage.truth)
        referee.begin({**SET_UP, "appeals": {"people_first": True}}, street.start)
        game = ShadowedGame(referee, street.stage.truth)
        for told in umpire.told:
            game.happen(told)
        yield game, umpire


def test_a_whole_game_is_ruled_on_as_people_called_it(played):
    game, umpire = played
    assert game.referee.is_over
    assert game.referee.story.public["winner"] == umpire.state()["winner"]


def test_nothing_is_ruled_on_before_people_have_called_it(played):
    game, _ = played
    assert game.called > 10
    assert game.ruled_before == []


def test_afterwards_both_are_compared_call_by_call_and_those_that_differ_are_named(played):
    game, _ = played
    told = summary_json(game.referee.story)["compared"]
    assert (told["calls"], told["alike"], len(told["unlike"])) == (game.called, game.called - 2, 2)
    assert all(one["said"] != one["measured"] for one in told["unlike"])
    assert {one.about for one in game.referee.story.compared if not one.is_alike} == game.referee.story.disputed
