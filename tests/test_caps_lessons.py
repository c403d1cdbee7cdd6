"""Lessons of caps: windows of varied streets, cut with their truth."""

import numpy as np
import pytest

from linesies.simulator.street.stage import Wishes, set_stage
from linesies.training.caps.samples import NO_CAP, STRANGER
from linesies.training.caps.worlds import WINDOW_PX, lessons_of

pytestmark = pytest.mark.takes_turns(seconds=12)

SEED = 7001


@pytest.fixture(scope="module")
def lessons():
    return list(lessons_of(SEED))


def test_each_set_of_caps_has_its_own_list_and_sees_the_others_as_strangers(lessons):
    assert len(lessons) == 2
    for lesson in lessons:
        owners = {sample.owner for sample in lesson.samples}
        assert NO_CAP in owners
        assert STRANGER in owners
        assert owners - {NO_CAP, STRANGER} <= set(range(len(lesson.listed)))
    assert not np.allclose(lessons[0].listed, lessons[1].listed)


def test_a_cap_is_where_its_offset_says(lessons):
    changed = []
    for sample in (one for lesson in lessons for one in lesson.samples if one.owner >= 0):
        middle = (np.array(sample.now.shape[1::-1]) - 1) / 2 + sample.offset_mm / 2.0
        x, y = np.rint(middle).astype(int)
        off = np.abs(sample.now.astype(int) - sample.empty).max(axis=-1)
        changed.append(off[y - 3 : y + 4, x - 3 : x + 4].mean() - np.median(off))
    assert np.mean(np.array(changed) > 5) > 0.8


def test_a_window_shows_what_the_whole_camera_sees_there():
    whole = set_stage(Wishes(seed=SEED, is_for_stills=True, size_px=(1280, 720)))
    part = set_stage(Wishes(seed=SEED, is_for_stills=True, size_px=(1280, 720), window_px=WINDOW_PX))
    corner = whole.lens.camera_matrix[:2, 2] - part.lens.camera_matrix[:2, 2]
    place_mm = part.view.px_to_mm(np.array([[200.0, 300.0]]))
    assert whole.view.mm_to_px(place_mm)[0] - corner == pytest.approx([200.0, 300.0], abs=1e-6)
    x, y = corner.astype(int)
    seen = whole.albedo[y : y + WINDOW_PX[1], x : x + WINDOW_PX[0]]
    assert np.abs(part.albedo - seen).mean() < 0.01
