"""Simulated boards lie on photographs of ground: seamless, as coarse as they are seen, and free to use."""

import numpy as np
import pytest

from linesies.simulator.street.ground import choose_ground
from linesies.simulator.street.photographs import FOLDER, GroundPhotograph
from linesies.simulator.street.stage import Wishes, set_stage

PATHS = sorted(FOLDER.glob("*.webp"))


def points(apart_mm, count=96):
    ys, xs = np.mgrid[:count, :count].astype(np.float32) * np.float32(apart_mm)
    return np.stack([xs, ys], axis=-1)


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_every_photograph_is_a_ground_that_reflects_some_light(path):
    albedo = GroundPhotograph(path, np.random.default_rng(3), is_street=True)(points(1.2))
    assert albedo.shape == (96, 96, 3)
    assert 0.001 < albedo.mean() < 0.7
    assert np.isfinite(albedo).all()


def test_a_photograph_goes_on_where_it_ends_without_a_seam():
    ground = GroundPhotograph(FOLDER / "asphalt_02.webp", np.random.default_rng(3), is_street=True)
    albedo = ground(points(3.0, count=900)).mean(axis=2)
    steps = np.abs(np.diff(albedo, axis=1)).mean(axis=0)
    assert steps.max() < 3 * np.median(steps)


def test_from_afar_its_grain_is_averaged_and_does_not_glitter():
    ground = GroundPhotograph(FOLDER / "asphalt_floor.webp", np.random.default_rng(3), is_street=True)
    near, far = ground(points(1.0, count=400)), ground(points(40.0, count=40))
    assert far.std() < near.std()
    assert far.mean() == pytest.approx(near.mean(), rel=0.2)


def test_each_seed_chooses_its_own():
    chosen = {choose_ground("photograph", np.random.default_rng(seed), 2900.0).name for seed in range(12)}
    assert len(chosen) > 5


def test_a_board_is_painted_on_one_and_the_same_seed_paints_it_again():
    wishes = Wishes(seed=5, ground="photograph", size_px=(320, 180))
    one, again = set_stage(wishes), set_stage(wishes)
    assert np.array_equal(one.albedo, again.albedo)
    assert one.albedo.std() > 0.02


def test_its_readme_names_whose_they_are_and_under_which_licence():
    told = (FOLDER / "README.md").read_text()
    assert "Poly Haven" in told
    assert "CC0 1.0" in told
    assert len(PATHS) >= 20
