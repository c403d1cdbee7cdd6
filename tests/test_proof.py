"""Proof by a printed gauge: what is known of the sheet is found, what is amiss is said, what nobody can know is not."""

from dataclasses import replace

import cv2
import msgspec
import numpy as np
import pytest
from click.testing import CliRunner

from linesies.calibration import identity, write_calibration
from linesies.device.box.status import status_of, words_of
from linesies.device.commands.proof import command
from linesies.device.live_state import MomentWriter
from linesies.device.places import journal_file
from linesies.device.proof.certificates import keep, kept, why_old
from linesies.device.proof.issuing import issued
from linesies.vision import (
    NoProof,
    caps_to_file,
    certify,
    findings_of,
    measure_station,
    not_vouched,
    seated_at,
)
from linesies.vision.proof.laying import drawn, lay
from linesies.web import create_app
from tests.gauges import CAPS, GAUGE, MIDDLE_MM, Floor, bank_card, floor, printed, seated, sheet


def station(scale=1.0, truly=CAPS, *, has_card=True):
    on = sheet(scale)
    bare = floor().picture([on])
    laid = floor().picture([on, bank_card(on)] if has_card else [on], seated(on, truly))
    return measure_station(bare, laid, floor().calibration, GAUGE, seated_at(GAUGE, CAPS, 0))


def codes_of(certificate):
    return [finding.code for finding in findings_of(certificate)]


@pytest.fixture(scope="module")
def sound():
    return station()


def test_the_sheet_is_printed_as_it_is_drawn():
    step_mm = 0.5
    light = printed(2.0).mean(axis=-1)
    as_drawn = drawn(GAUGE, step_mm, 0.3)
    top, left = ((np.array(light.shape) - as_drawn.shape) / 2).round().astype(int)
    on_paper = cv2.GaussianBlur(light, (0, 0), 0.6)[top : top + as_drawn.shape[0], left : left + as_drawn.shape[1]]
    assert np.corrcoef(on_paper.ravel(), as_drawn.ravel())[0, 1] > 0.97


def test_the_sheet_is_found_on_rough_ground_that_has_gone_out_of_focus_since():
    on = sheet()
    height, width = floor().calibration.empty_bgr.shape[:2]
    grain = np.random.default_rng(8).integers(0, 160, (height // 2, width // 2, 1), np.uint8)
    rough = np.kron(grain, np.ones((2, 2, 1), np.uint8))
    as_it_was, now = (np.maximum(one, rough) for one in (floor().picture(), floor().picture([on])))
    found = lay(cv2.GaussianBlur(now, (0, 0), 3.0), replace(floor().calibration, empty_bgr=as_it_was), GAUGE)
    assert found is not None
    assert found.middle_mm == pytest.approx(MIDDLE_MM, abs=0.3)


@pytest.mark.parametrize("scale", [0.97, 1.0, 1.03])
def test_the_sheet_is_found_where_it_lies_whichever_way_round(scale):
    for turn_rad in (0.4, 0.4 + np.pi):
        on = sheet(scale, turn_rad)
        found = lay(floor().picture([on]), floor().calibration, GAUGE)
        assert np.abs(found.middle_mm - MIDDLE_MM).max() < 0.1
        assert np.abs(found.turn - on.turn).max() < 3e-3


def test_where_no_sheet_lies_nothing_is_measured():
    bare = floor().picture()
    told = measure_station(bare, bare, floor().calibration, GAUGE, {})
    assert isinstance(told, NoProof)
    assert "not found" in told.reason


@pytest.mark.parametrize("scale", [0.97, 1.0, 1.03])
def test_a_bank_card_tells_at_what_scale_a_printer_printed(scale):
    assert station(scale).paper_scale == pytest.approx(scale, abs=0.001)


@pytest.mark.parametrize("light_rgb", [(0.4, 0.4, 0.4), (0.8, 0.1, 0.1)])
def test_nor_does_a_coarse_picture_make_a_card_of_any_colour_smaller(light_rgb):
    coarse, on = Floor(2200.0), sheet(0.98, 2.0)
    bare, laid = coarse.picture([on]), coarse.picture([on, bank_card(on, light_rgb)])
    assert measure_station(bare, laid, coarse.calibration, GAUGE, {}).paper_scale == pytest.approx(0.98, abs=0.002)


def test_without_a_bank_card_the_scale_is_not_vouched_for():
    certificate = certify([station(has_card=False)], None, CAPS)
    assert certificate.paper_scale is None
    assert any("bank card" in words for words in not_vouched(certificate))


def test_discs_lie_as_far_from_the_lines_as_printed(sound):
    certificate = certify([sound], None, CAPS)
    assert certificate.discs.count == 8
    assert abs(certificate.discs.bias_mm) < 0.1
    assert certificate.discs.spread_mm < 0.15


def test_caps_on_rings_are_measured_as_a_game_measures_them(sound):
    certificate = certify([sound], None, CAPS)
    assert certificate.caps.count == 2 * len(CAPS)
    assert abs(certificate.caps.bias_mm) < 0.35
    assert certificate.caps.in_band == 1.0
    assert codes_of(certificate) == []


def test_listed_taller_a_cap_would_be_seen_nearer_the_camera(sound):
    camera = floor().view
    for one in sound.trials:
        if one.player:
            lean = (np.array(one.xy_mm) - camera.camera_mm[:2]) @ one.towards / camera.camera_height_mm
            assert one.lean == pytest.approx(lean)
            assert 0 < one.reach_per_height / lean < 0.6


def test_a_cap_larger_than_listed_is_told_with_its_size():
    wide_mm = 1.06 * CAPS[1].diameter_mm
    truly = (CAPS[0], replace(CAPS[1], diameter_mm=wide_mm), *CAPS[2:])
    certificate = certify([station(truly=truly)] * 3, None, CAPS)
    assert codes_of(certificate) == ["cap"]
    assert list(certificate.correction.diameters_mm) == ["bo"]
    assert certificate.correction.diameters_mm["bo"] == pytest.approx(wide_mm, abs=0.7)


def test_of_stated_errors_that_are_too_small_it_says_how_much_and_never_that_they_are_too_large(sound):
    tight = [replace(one, sigma_mm=0.02) for one in sound.trials if one.player]
    off = [[replace(one, reach_mm=one.reach_mm + side) for one in tight] for side in (-0.9, 0.9, -0.9, 0.9)]
    assert certify([replace(sound, trials=tuple(one)) for one in off], None, CAPS).correction.sigma_times > 3
    loose = tuple(replace(one, sigma_mm=9.0) if one.player else one for one in sound.trials)
    assert certify([replace(sound, trials=loose)] * 3, None, CAPS).correction.sigma_times == 1.0


@pytest.mark.parametrize("wide_mm", [20.0, 45.0])
def test_rings_have_room_for_small_caps_and_for_wide_ones(wide_mm):
    middles = [seat.middle_mm(wide_mm) for seat in GAUGE.seats]
    round_it = wide_mm / 2 * np.array([(np.cos(turn), np.sin(turn)) for turn in np.linspace(0, 2 * np.pi, 90)])
    for one in middles:
        assert all(np.hypot(*(one - other)) > wide_mm + 30 for other in middles if other is not one)
        assert GAUGE.white_mm(one + round_it).max() < 0
        assert GAUGE.beyond_discs_mm(one + round_it).min() > 0


def test_each_cap_lies_at_its_gap_to_a_line_and_touches_the_second_stroke():
    for seat in GAUGE.seats:
        rim_mm = seat.middle_mm(31.0) + seat.towards * 31.0 / 2
        assert GAUGE.white_mm(rim_mm + seat.gap_mm * seat.towards) == pytest.approx(0, abs=1e-9)
        assert (seat.corner_mm - seat.middle_mm(31.0)) @ seat.aside == pytest.approx(31.0 / 2)


def test_a_certificate_is_kept_and_grows_old_with_its_calibration_and_its_camera(sound, tmp_path):
    calibration = floor().calibration
    keep(issued(certify([sound], None, CAPS), calibration), tmp_path)
    one = kept(tmp_path)
    assert why_old(one, {"camera": "ok", "calibration": identity(calibration)}) is None
    assert why_old(one, {"camera": "moved", "calibration": identity(calibration)}) == "moved"
    other = replace(calibration, focal_doubt=0.02)
    assert why_old(one, {"camera": "ok", "calibration": identity(other)}) == "calibrated"
    MomentWriter(str(journal_file(tmp_path)), dict).write({"t": 0.0, "camera": "moved", "fps": 0.0})
    assert any("proof" in line and "old: the camera has moved" in line for line in words_of(status_of(tmp_path)))


def test_every_phone_is_told_how_exact_calls_have_proved_to_be(sound):
    certificate = issued(certify([sound], None, CAPS), floor().calibration)
    told = {**msgspec.to_builtins(certificate), "old": None}
    page = create_app(None, None, dict, proof=lambda: told).test_client()
    assert page.get("/certificate").json["certificate"]["found"]["caps"]["count"] == 2 * len(CAPS)
    unproved = create_app(None, None, dict).test_client()
    assert unproved.get("/certificate").json == {"certificate": None}


def test_the_command_measures_pictures_and_keeps_the_certificate(tmp_path):
    on = sheet()
    pictures = {"bare": floor().picture([on]), "laid": floor().picture([on, bank_card(on)], seated(on))}
    for name, picture in pictures.items():
        cv2.imwrite(str(tmp_path / f"{name}.png"), picture)
    write_calibration(floor().calibration, tmp_path / "calibration.json")
    (tmp_path / "caps.json").write_bytes(msgspec.json.encode(caps_to_file(CAPS)))
    files = [str(tmp_path / name) for name in ("bare.png", "laid.png")]
    options = ["--calibration", tmp_path / "calibration.json", "--caps", tmp_path / "caps.json", "--state", tmp_path]
    done = CliRunner().invoke(command, [*files, *map(str, options)], standalone_mode=False, catch_exceptions=False)
    assert "8 gaps of caps: bias" in done.output
    assert "1 of 5 places" in done.output
    assert kept(tmp_path).found["places"] == 1
    odd = CliRunner().invoke(command, [files[0], *map(str, options)], standalone_mode=False)
    assert "two pictures of each place" in str(odd.exception)
