"""Pictures and films changed at random: each is answered, each frame within a time limit, and none ends the program.

LINESIES_FUZZ_S says for how long in all (`make fuzz`); a few of each kind are here always, by a seed. Limits are of the
asking thread's time on the processor, so that other work beside it, in this process too, does not matter.
"""

import os
import time
from collections import Counter

import cv2
import numpy as np
import pytest

from linesies.calibration import Calibration, Survey
from linesies.device.cameras.film import Film
from linesies.device.errors import BadInput
from linesies.games import GAMES
from linesies.simulator.cards.sitting import SimulatedTable
from linesies.simulator.cards.stage import TableWishes
from linesies.vision import CardJudge, Frame, Judge, TableWatcher, Watcher, open_reader
from linesies.vision.errors import BadInput as UnfitPicture
from tests import cap_pictures, flicks
from tests.builders import write_film
from tests.thorough import until_enough

KINDS = 6  # of pictures and films, the tests below
FUZZ_S = float(os.environ.get("LINESIES_FUZZ_S", "0")) / KINDS
SEED = int(os.environ.get("LINESIES_SEED", "1"))
FPS = 60
MOST_S = {"picture": 60.0, "frame": 20.0, "decoded": 20.0}  # three times what any took on a busy machine and more


def blotted(picture, chance, filling):
    """Put an ellipse of something onto a picture."""
    height, width = picture.shape[:2]
    mask = np.zeros((height, width), np.uint8)
    middle, axes = (tuple(int(chance.integers(1, side)) for side in (width, height)) for _ in range(2))
    cv2.ellipse(mask, middle, axes, float(chance.integers(180)), 0, 360, 255, -1)
    return np.where(mask[..., None] > 0, filling, picture).astype(np.uint8)


def noise(picture, chance):
    return chance.integers(0, 256, picture.shape, np.uint8)


def checks(picture, chance):
    rows, columns = np.indices(picture.shape[:2]) // int(chance.integers(1, 80))
    return np.repeat(((rows + columns) % 2 * 255).astype(np.uint8)[..., None], 3, axis=2)


def turned(picture, chance):
    height, width = picture.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), chance.uniform(-180, 180), chance.uniform(0.2, 5))
    return cv2.warpAffine(picture, turn, (width, height), borderMode=int(chance.integers(5)))


def torn(picture, chance):
    row = int(chance.integers(len(picture)))
    return np.concatenate([picture[:row], np.roll(picture[row:], int(chance.integers(400)), axis=1)])


def squeezed(picture, chance):
    data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(chance.integers(1, 30))])[1]
    return cv2.imdecode(data, cv2.IMREAD_COLOR)


CHANGES = {
    "black": lambda picture, _: np.zeros_like(picture),
    "white": lambda picture, _: np.full_like(picture, 255),
    "noise": noise,
    "checks": checks,
    "huge contrast": lambda picture, chance: ((picture > chance.integers(256)) * 255).astype(np.uint8),
    "a colour lost": lambda picture, chance: picture * (np.arange(3) != chance.integers(3)).astype(np.uint8),
    "negative": lambda picture, _: 255 - picture,
    "brighter or darker": lambda picture, chance: cv2.convertScaleAbs(picture, alpha=chance.uniform(0, 6)),
    "another colour": lambda picture, chance: cv2.convertScaleAbs(picture * chance.uniform(0, 2, 3)),
    "knocked": lambda picture, chance: np.roll(picture, chance.integers(-300, 300, 2), axis=(0, 1)),
    "turned": turned,
    "torn": torn,
    "squeezed": squeezed,
    "blurred": lambda picture, chance: cv2.GaussianBlur(picture, (0, 0), chance.uniform(0.5, 30)),
    "speckled": lambda picture, chance: np.where(chance.random(picture.shape) < 0.05, 255, picture).astype(np.uint8),
    "noise on it": lambda picture, chance: blotted(picture, chance, noise(picture, chance)),
    "checks on it": lambda picture, chance: blotted(picture, chance, checks(picture, chance)),
    "one colour on it": lambda picture, chance: blotted(picture, chance, chance.integers(0, 256, 3)),
    "another size": lambda picture, chance: cv2.resize(picture, tuple(chance.integers(1, 1000, 2).tolist())),
}
OF_ONE_SIZE = sorted({*CHANGES} - {"another size"})  # a source refuses a frame of another size; its tests show that


def changed(picture, chance, names=OF_ONE_SIZE):
    """Change a picture in one to three ways."""
    for name in chance.choice(names, int(chance.integers(1, 4))):
        picture = np.ascontiguousarray(CHANGES[name](picture, chance))
    return picture


class Limit:
    """Times each answer; remembers how many there were, and the slowest."""

    def __init__(self, what):
        self.what, self.answers, self.slowest_s = what, 0, 0.0

    def timed(self, work, *given):
        began_s = time.thread_time()
        try:
            return work(*given)
        finally:
            self.answers += 1
            self.slowest_s = max(self.slowest_s, time.thread_time() - began_s)

    def hold(self, shown):
        print(f"\n{shown}; {self.answers} x {self.what}, the slowest took {self.slowest_s:.2f} s")  # noqa: T201
        assert self.answers
        assert self.slowest_s < MOST_S[self.what]


@pytest.mark.takes_turns(seconds=15)
def test_pictures_of_caps_changed_at_random_are_judged_or_refused_for_their_size():
    chance, counts, limit = np.random.default_rng(SEED), Counter(), Limit("picture")
    calibration = cap_pictures.calibration()
    judge = Judge(calibration, cap_pictures.CAPS)
    whole = cap_pictures.picture(calibration, [(cap_pictures.RED, (180.0, 180.0)), (cap_pictures.BLUE, (400.0, 300.0))])
    for _ in until_enough(FUZZ_S, 2):
        picture = changed(whole, chance, sorted(CHANGES))
        if picture.shape != whole.shape:
            with pytest.raises(UnfitPicture, match="calibrate with pictures of this size"):
                judge.judge(picture)
            counts["refused"] += 1
            continue
        judgement = limit.timed(judge.judge, picture)
        told = [n for c in (*judgement.caps, *judgement.unknown) for n in (*c.xy_mm, c.gap_mm, c.sigma_mm)]
        assert np.isfinite(told).all()
        counts["judged"] += 1
    limit.hold(f"caps: {dict(counts)}")


@pytest.fixture(scope="module")
def table():
    return SimulatedTable(TableWishes(game="skull", seed=4, light="indoor"), pace=2.0)


@pytest.fixture(scope="module")
def table_pictures(table):
    return [frame.bgr for frame, _ in zip(table.frames(), range(150), strict=False)]


@pytest.mark.takes_turns(seconds=15)
def test_pictures_of_cards_changed_at_random_are_judged(table_pictures):
    chance, limit, found = np.random.default_rng(SEED), Limit("picture"), 0
    judge = CardJudge(open_reader("standard"))
    for _ in until_enough(FUZZ_S, 2):
        cards = limit.timed(judge.judge, changed(table_pictures[-1], chance, sorted(CHANGES)))
        assert all(np.isfinite(card.outline.quad_px).all() for card in cards)
        found += len(cards)
    limit.hold(f"cards: {found} told")


def film_of(pictures, chance):
    """Yield the frames of a film in which some are changed, missing or repeated, and whose clock leaps now and then."""
    t_s, at = 0.0, 0
    while at < len(pictures):
        luck = chance.random()
        picture = changed(pictures[at], chance) if luck < 0.1 else pictures[at]
        for bgr in [picture] * (int(chance.integers(1, 30)) if luck > 0.98 else 1):
            yield bgr, t_s
            t_s += chance.choice([1 / FPS, 0.0, -0.5, 5.0, 1000.0], p=[0.96, 0.01, 0.01, 0.01, 0.01])
        at += int(chance.integers(2, 12)) if luck > 0.96 else 1


def watch_films(make_watcher, pictures, shown, *, cases):
    """Watch films changed at random; how many frames, and the slowest."""
    chance, limit, told = np.random.default_rng(SEED), Limit("frame"), 0
    for _ in until_enough(FUZZ_S, cases):
        watcher = make_watcher()
        for number, (bgr, t_s) in enumerate(film_of(pictures, chance)):
            told += len(limit.timed(watcher.see, Frame.from_bgr(bgr, number=number, t_s=float(t_s))))
    limit.hold(f"{shown}: {told} events told")


def test_films_of_shots_changed_at_random_are_watched_to_their_end():
    film = flicks.Drawn().still().slide({"ana": ((320.0, 210.0), 0), "bo": ((400.0, 330.0), 15)}).still()
    pictures = [frame.bgr for frame in film.frames]
    watch_films(lambda: Watcher(flicks.calibration(), flicks.CAPS), pictures, "shots", cases=1)


def test_films_of_a_card_table_changed_at_random_are_watched_to_their_end(table, table_pictures):
    view, board = table.stage.view, table.board
    found = Calibration(
        board=board,
        view=view,
        survey=Survey(lines=(), misfit_px=0.0),
        regions=board.regions,
        reprojection_px=0.0,
        empty_bgr=table.empty_bgr,
    )
    reader = open_reader("standard")
    watch_films(lambda: TableWatcher(found, reader, cards=GAMES["skull"].seen), table_pictures, "cards", cases=1)


@pytest.mark.parametrize("ending", ["mp4", "avi"])
def test_film_files_changed_at_random_give_frames_or_one_sentence(ending, tmp_path):
    chance, counts, limit, sentences = np.random.default_rng(SEED), Counter(), Limit("decoded"), set()
    path = write_film(tmp_path / f"film.{ending}", 40)
    whole = np.frombuffer(path.read_bytes(), np.uint8)
    for _ in until_enough(FUZZ_S, 30):
        data = whole.copy()
        at = chance.integers(len(data), size=int(chance.integers(1, 40)))
        data[at] = chance.integers(0, 256, len(at))
        path.write_bytes(data[: int(chance.integers(1, len(data)))] if chance.random() < 0.2 else data)
        try:
            limit.timed(lambda: [None for _ in Film(path).frames()])
            counts["whole"] += 1
        except BadInput as refusal:
            counts["refused"] += 1
            sentences.add(str(refusal))
    limit.hold(f"{ending} files: {dict(counts)}")
    assert sentences
    assert not any("\n" in sentence for sentence in sentences)
