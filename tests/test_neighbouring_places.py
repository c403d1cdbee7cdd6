"""Places that lie side by side before a player: what reaches over from one is no doing in the other."""

import numpy as np
import pytest

from linesies.device.loop.table_eyes import TableEyes
from linesies.games import GAMES
from linesies.simulator.cards.gestures import arm_of, carry, lay, wait
from linesies.simulator.cards.paper import Lie
from linesies.simulator.cards.sitting import SimulatedTable
from linesies.simulator.cards.stage import TableWishes
from linesies.vision import Expectation, Frame
from tests.test_plays import KnowsTheDeck, calibration_of

SEAT = "seat:ana"


class Sitting:
    """A table of Skip-Bo at which Ana does what a script says; remembers what was told of it, and when."""

    one_of = 1  # of so many frames one comes

    def __init__(self, script, seed, *, reader=KnowsTheDeck):
        self.table = SimulatedTable(TableWishes(game="skipbo", seed=seed, players=2, light="indoor", fps=15))
        self.world, self._rng = self.table.world, np.random.default_rng(1)
        self.eyes = TableEyes(calibration_of(self.table), reader(self.table), cards=GAMES["skipbo"].seen)
        self._clock_s = 1000.0  # the camera has been open for a while
        self.table._game = script(self)  # what is done here is no whole game
        self.told = [(frame.t_s, event) for frame in self._frames() for event in self.eyes.see(frame)]

    def _frames(self):
        for frame in self.table.frames():
            if frame.number % self.one_of:
                continue
            t_s = frame.t_s + self._clock_s
            yield Frame(frame.pixels, layout=frame.layout, number=frame.number, t_s=t_s)

    def open_camera_again(self):
        """Have the camera begin anew, and its clock with it."""
        self._clock_s = -self.world.t_s
        self.eyes.forget()

    def rules_hold(self, *discards, gone=(), turn="ana", face="DRAW1"):
        """Tell the eyes what lies on Ana's four discard piles, who has left, whose turn it is, what the die shows."""
        nothing_turned_up = {"cards": 3, "top": None}
        piles = {"ana": discards, "bo": ([], [], [], [])}
        players = [
            {
                "name": name,
                "stock": nothing_turned_up,
                "discards": list(pile),
                "status": "left" if name in gone else "in",
            }
            for name, pile in piles.items()
        ]
        building, die = [{"top": 10, "cards": 10}] * 4, {"face": face, "used": True, "discards": 0}
        public = {"players": players, "building": building, "die": die, "turn": turn, "out_of_turn": None}
        self.eyes.expect(Expectation(shooter=turn, public={**public, "phase": "play"}))

    def place(self, number, towards_next_mm=0.0):
        """Give a place in which Ana's cards lie."""
        middle = self.world.middle_mm(SEAT)
        ahead = 1 if middle[1] > self.table.stage.board.size_mm[1] / 2 else -1
        return Lie(xy_mm=middle + np.array([((number - 2) * 84.0 + towards_next_mm) * ahead, 0.0]))

    def lay(self, name, number):
        yield from lay(self.world, self._arm, name, SEAT, self.place(number), is_up=True)
        yield from wait(0.8)

    def move(self, name, zone, lie):
        card = [card for card in self.world.cards.values() if card.name == name][-1]
        yield from carry(self.world, self._arm, card, zone, lie)
        yield from wait(0.8)

    def build(self, name):
        yield from self.move(name, "pile1", self._on_the_pile)

    def play_from_hand(self, name):
        yield from lay(self.world, self._arm, name, "pile1", self._on_the_pile, is_up=True)

    @property
    def _on_the_pile(self):
        return Lie(xy_mm=self.world.middle_mm("pile1"))

    @property
    def _arm(self):
        return arm_of(self.world, "ana", self._rng)

    @property
    def events(self):
        return [(event.kind, event.keys) for _, event in self.told]


def discard(card, number):
    return ("discard", {"player": "ana", "pile": number, "card": card})


@pytest.mark.takes_turns(seconds=11)
@pytest.mark.parametrize("seed", [4, 5])
def test_a_card_pushed_into_the_place_beside_is_no_card_there(seed):
    def script(sitting):
        yield from wait(0.6)
        yield from sitting.lay("10", 2)
        yield from sitting.lay("11", 3)
        sitting.rules_hold([], ["10"], ["11"], [])
        yield from sitting.move("10", SEAT, sitting.place(2, towards_next_mm=14.0))
        yield from sitting.build("11")
        yield from wait(1.0)

    played = ("play", {"player": "ana", "from": "discard", "n": 3, "pile": 1, "card": "11"})
    assert Sitting(script, seed).events == [discard("10", 2), discard("11", 3), played]


def test_what_lies_face_down_on_a_discard_pile_is_no_card_of_it():
    def script(sitting):
        yield from wait(0.6)
        sitting.world.put("3", SEAT, sitting.place(3, towards_next_mm=5.0), is_up=False)
        yield from wait(0.8)
        yield from sitting.lay("11", 3)
        yield from sitting.lay("5", 3)
        sitting.rules_hold([], [], ["11", "5"], [])
        yield from sitting.build("5")
        yield from wait(1.0)

    played = ("play", {"player": "ana", "from": "discard", "n": 3, "pile": 1, "card": "5"})
    assert Sitting(script, 4).events == [discard("11", 3), discard("5", 3), played]


def test_a_play_waits_for_no_place_in_which_something_lies_that_no_card_explains():
    def script(sitting):
        yield from wait(0.6)
        sitting.rules_hold([], [], [], [])
        sitting.world.put("3", SEAT, sitting.place(4), is_up=False)
        yield from wait(1.0)
        yield from sitting.play_from_hand("11")
        yield from wait(3.0)

    ((told_s, played),) = Sitting(script, 4).told
    assert played.keys["from"] == "hand"
    assert told_s - played.t_end_s < 1.0
