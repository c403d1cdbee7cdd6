"""What is told of strangers' photographs can be measured again by whoever has them."""

import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from linesies.benchmarks.photographs import TRUTH, Photographs, main


@pytest.fixture(scope="module")
def told():
    return msgspec.json.decode(TRUTH.read_bytes(), type=Photographs)


def test_it_says_whose_photographs_they_are(told):
    assert told.source.startswith("github.com/")
    assert sum(len(camera.pictures) for camera in told.cameras) == 36


def test_every_crown_lies_where_things_are_counted(told):
    for camera in told.cameras:
        places = np.array([place for lying in camera.pictures.values() for place in lying])
        assert (places >= camera.within_px[:2]).all()
        assert (places <= camera.within_px[2:]).all()


def test_no_two_crowns_of_a_photograph_lie_in_one_another(told):
    for camera in told.cameras:
        for lying in camera.pictures.values():
            apart_px = np.linalg.norm(np.array(lying)[:, None] - np.array(lying)[None], axis=-1)
            assert apart_px[np.triu_indices(len(lying), 1)].min(initial=np.inf) > camera.cap_px / 2


def test_a_photograph_that_is_not_there_is_named_with_where_it_is_to_be_had(tmp_path):
    said = CliRunner().invoke(main, [str(tmp_path)])
    assert said.exit_code == 1
    assert "CV20_image_" in said.output
    assert "crowns.json" in said.output
