"""A box over a bare card table that nobody has set up yet: `python -m tests.set_up_table STATE GAME SEATS`.

The real referee and page. The camera sees a printed mat for so many, without a card on it until a file `card` lies in
the state folder: then whoever sits at the first seat lays one. Where the mat's corners are stands in `corners.json`.
"""

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import linesies.device.loop.refereeing as refereeing_module
from linesies.device.settings.settings import CameraSettings, KeepSettings, PinSettings, Settings, WebSettings
from linesies.simulator.cards.gestures import arm_of, lay
from linesies.simulator.cards.kept_decks import learned_deck
from linesies.simulator.cards.paper import Lie
from linesies.simulator.cards.sitting import SimulatedTable
from linesies.simulator.cards.stage import TableWishes
from linesies.vision import Frame

CARD = {"skull": "5H", "skull_king": "P7", "skipbo": "1"}
FPS = 15
LOOKED = 3 * FPS  # what lies there when the eyes of a game open is no play


class BareTable(SimulatedTable):
    """A mat on which nobody plays but the one card. Its pictures wait for whoever looks: a busy machine sees as many of
    them as a quick one. Once the camera has been opened, the bare mat is seen for a while before the card comes.
    """

    def __init__(self, state: Path, game: str, seats: int) -> None:
        wishes = TableWishes(game=game, seed=4, players=seats, table="wood", light="indoor", fps=FPS)
        super().__init__(wishes)
        self.is_live = True
        self._looked = 0
        self._game = self._wait_and_lay(state / "card")
        (state / "corners.json").write_text(json.dumps([list(map(float, corner)) for corner in self.corners_px]))

    def frames(self) -> Iterator[Frame]:
        self._looked = 0
        for frame in super().frames():
            self._looked += 1
            yield frame
            time.sleep(1 / FPS)

    def _wait_and_lay(self, asked: Path) -> Iterator[None]:
        while not asked.exists() or self._looked < LOOKED:
            yield
        game, player = self.stage.game, self.stage.players[0]
        zone = {"skull": f"seat:{player}", "skull_king": "trick", "skipbo": "pile1"}[game]
        lie = Lie(xy_mm=self.world.middle_mm(zone), angle_rad=0.05, curl_mm=1.0)
        arm = arm_of(self.world, player, self.stage.rng(1))
        yield from lay(self.world, arm, CARD[game], zone, lie, is_up=game != "skull")
        while True:
            yield

    def close(self) -> None:
        """Go on: the referee opens the camera anew once the game has begun."""


def play(state: Path, game: str, seats: int) -> None:
    """Wait for people to set the table up, and then referee until ended."""
    table = BareTable(state, game, seats)
    deck = "standard"
    if game != "skull":
        deck = str(state / "cards.deck")
        learned_deck(table).save(deck)
    refereeing_module._apart = lambda _source, _meanwhile: table
    settings = Settings(
        camera=CameraSettings(
            source="v4l2:0", calibration=str(state / "calibration.json"), caps=str(state / "caps.json"), deck=deck
        ),
        pins=PinSettings(library="mock"),
        web=WebSettings(host="127.0.0.1", port=0),
        keep=KeepSettings(state=str(state), clips=0),
    )
    refereeing_module.referee_game(settings, say=lambda line: print(line, flush=True), sets_up=True)  # noqa: T201


if __name__ == "__main__":
    play(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
