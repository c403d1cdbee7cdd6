"""The whole way of the data: simulated pictures, real calibration, eyes, referee, journal, people with phones."""

import pytest

from linesies.calibration import calibrate
from linesies.device.journal.journal import Journal
from linesies.device.loop.assembly import Assembly
from linesies.device.loop.cap_eyes import CapEyes
from linesies.device.loop.set_up import set_up_json
from linesies.device.places import journal_file
from linesies.device.settings.settings import KeepSettings, PinSettings, Settings, WebSettings
from linesies.simulator.street.phones import ByPhone
from linesies.simulator.street.stage import Wishes
from linesies.simulator.street.street import SimulatedStreet
from linesies.simulator.whole_games.street import compare

SHOTS = 4
FPS = 20
MOST_FRAMES = 60 * FPS


class Until:
    """A street that is left once so many shots have been taken and heard of."""

    is_live = False

    def __init__(self, street):
        self.street = street

    def frames(self):
        for frame in self.street.frames():
            shots = [told for told in self.street.truth if told["event"] == "shot"]
            if len(shots) > SHOTS or frame.number > MOST_FRAMES:
                return
            yield frame


@pytest.mark.takes_turns(seconds=60)
@pytest.mark.timeout(600)
def test_the_first_shots_of_a_game_are_seen_and_ruled_on_as_they_truly_were(tmp_path):
    settings = Settings(
        pins=PinSettings(library="mock"),
        web=WebSettings(serve=False),
        keep=KeepSettings(state=str(tmp_path), pictures=100),
    )
    journal = Journal(journal_file(tmp_path))
    with (
        Assembly(settings) as assembly,
        SimulatedStreet(wishes=Wishes(seed=2, fps=FPS), umpire=ByPhone(journal.path)) as street,
    ):
        found = calibrate(street.empty_bgr, street.board, lens=street.lens, corners_px=street.corners_px)
        assert found, found
        eyes = CapEyes(found, street.caps, settled_s=0.4)
        with assembly.match(eyes, street.caps) as (match, referee):
            referee.begin(set_up_json(found, street.caps), street.start)
            assert not match.follow(Until(street))
        match.serve_for(0.1)
        rows = journal.rows_after(0)
        heard = [told for told in street.truth if told["event"] == "shot"][:SHOTS]
        report = compare(rows, heard)
        assert report.shots == SHOTS
        assert report.equal >= SHOTS - 1, report.differences
        assert referee.story.evidence
        pictures = [name for told in referee.story.evidence.values() for name in told["pictures"].values()]
        assert all((tmp_path / "evidence" / name).is_file() for name in pictures)
    journal.close()
