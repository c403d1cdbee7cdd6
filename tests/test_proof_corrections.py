"""What proof finds is put right when somebody says so: sizes of caps, the board's size, and errors stated too small."""

from dataclasses import replace

import numpy as np
import pytest
from click.testing import CliRunner

from linesies.calibration import PaintedLine, Survey, identity, read_calibration, resized, write_calibration
from linesies.device.commands.proof import command
from linesies.device.errors import BadInput
from linesies.device.proof.certificates import keep, kept, words_of
from linesies.device.proof.issuing import issued
from linesies.vision import (
    Correction,
    PaintCheck,
    Station,
    Trial,
    certify,
    expected_sigma_mm,
    findings_of,
    not_vouched,
    read_caps,
)
from linesies.vision.proof.errors import GapError
from linesies.vision.proof.gaps import Mover, gaps_of, least_told
from linesies.vision.proof.paint import check_paint, stated_mm
from linesies.vision.proof.proof_tuning import PROOF
from tests.gauges import CAPS, MIDDLE_MM, floor, install

BO = CAPS[1]
LEANS_PER_HEIGHT = 2.0  # half of what a rim's shift by height says is held by where its foot is seen
TURNS = [(np.cos(turn), np.sin(turn)) for turn in np.arange(8) * np.pi / 4]  # of a gauge's sides


def trial(*, cap=BO, radius_off_mm=0.0, taller_mm=0.0, per_height=0.0, noise_mm=0.0, sigma_mm=0.2):
    """A cap on a ring, 2 mm from the line, that is larger or taller than listed."""
    off_mm = radius_off_mm - taller_mm * per_height + noise_mm
    return Trial(
        player=cap.player,
        kind=cap.kind,
        xy_mm=(0.0, 0.0),
        towards=(1.0, 0.0),
        lean=LEANS_PER_HEIGHT * per_height,
        reach_per_height=per_height,
        reach_mm=cap.diameter_mm / 2 + 2.0 + off_mm,
        wide_mm=cap.diameter_mm,
        gap_mm=2.0,
        sigma_mm=sigma_mm,
    )


def certified(*trials, seen_scale=1.0, paint=None):
    """Certify gaps that point all ways, each at a place of its own."""
    turned = [replace(one, towards=TURNS[i % len(TURNS)]) for i, one in enumerate(trials)]
    stations = [
        Station(middle_mm=(0.0, 0.0), seen_scale=seen_scale, paper_scale=1.0, blur_px=0.6, trials=(one,), missed=())
        for one in turned
    ]
    return certify(stations, paint, CAPS)


ASLANT = 2 * (
    0.2,
    -0.2,
    0.12,
    -0.12,
    0.16,
)  # the camera looks along gaps and against them, of two strokes on five rings


def offs_mm(rng):
    """Scatter the gaps of four caps by chance, as a camera 2 m away does."""
    return rng.normal(0, 0.6, (len(CAPS), len(ASLANT)))


def certified_off(offs):
    return certified(*(trial(cap=cap, noise_mm=x) for cap, one in zip(CAPS, offs, strict=True) for x in one))


def test_gaps_that_scatter_by_chance_alone_are_hardly_ever_called_a_wrong_size():
    chance = np.random.default_rng(11)
    told = [certified_off(offs_mm(chance)) for _ in range(200)]
    assert sum(bool(one.correction.diameters_mm) for one in told) <= 4


def test_a_radius_wrong_by_four_fifths_of_a_millimetre_is_told_more_often_than_not():
    chance = np.random.default_rng(12)
    too_wide = np.array([0.0, 0.8, 0.0, 0.0])[:, None]
    told = [list(certified_off(offs_mm(chance) + too_wide).correction.diameters_mm) for _ in range(100)]
    assert sum("bo" in one for one in told) > 70


def test_the_more_caps_are_proved_the_surer_each_must_be_of_its_size():
    chance = np.random.default_rng(14)
    one = gaps_of({"bo": [off(chance.normal(0, 0.6)) for _ in range(40)]})
    weighed = one.weighed(Mover(moves=one.whose, usual_mm=np.inf))
    eight = replace(
        weighed, **{name: np.repeat(getattr(weighed, name), 8) for name in ("found_mm", "doubts_mm", "freedoms")}
    )
    alone, [among, *_] = (least_told(which, 0.0, 0.01) for which in (weighed, eight))
    assert among > 1.2 * alone


def off(off_mm, *, place=0, lean=0.0):
    """A gap of one cap that is so much off."""
    return GapError(trial=replace(trial(), lean=lean), place=place, off_mm=off_mm)


def doubt_mm(offs, places):
    """Tell how sure the radius is by gaps that are so much off, at places where the camera looks along them."""
    gaps = gaps_of({"bo": [off(one, place=place, lean=0.4) for one, place in zip(offs, places, strict=True)]})
    return float(gaps.weighed(Mover(moves=gaps.whose, usual_mm=np.inf), *gaps.looks[1:2]).doubts_mm[0])


def test_two_gaps_of_one_place_tell_less_of_a_radius_than_two_of_two_places():
    offs = np.random.default_rng(15).normal(0, 0.1, 12)
    assert doubt_mm(offs, np.arange(12) // 2) > 1.15 * doubt_mm(offs, np.arange(12))


def seen_aslant(rng, *, wider_mm):
    """Certify caps that look taller or flatter than they are, and are drawn one way by the light; one is too wide."""
    seem_mm, drawn_mm = rng.normal(0, 0.8, len(CAPS)), rng.normal(0, 0.2, 2)
    trials = []
    for cap, seems_mm in zip(CAPS, seem_mm, strict=True):
        for per_height in ASLANT:
            towards = TURNS[len(trials) % len(TURNS)]
            moved_mm = seems_mm * LEANS_PER_HEIGHT * per_height + float(drawn_mm @ towards)
            one = trial(cap=cap, per_height=per_height, noise_mm=moved_mm + rng.normal(0, 0.3))
            trials.append(replace(one, reach_mm=one.reach_mm + (wider_mm if cap is BO else 0.0)))
    return certified(*trials)


@pytest.mark.parametrize(("wider_mm", "least", "most"), [(0.65, 38, 40), (0.0, 0, 2)])
def test_what_moves_gaps_by_where_they_point_hides_no_radius_and_makes_none(wider_mm, least, most):
    chance = np.random.default_rng(13)
    told = [seen_aslant(chance, wider_mm=wider_mm).correction.diameters_mm for _ in range(40)]
    assert least <= sum("bo" in one for one in told) <= most
    assert sum(bool(one.keys() - {"bo"}) for one in told) <= 2


def test_the_spread_of_calls_holds_what_gaps_have_of_the_survey_s_error_too():
    side = [trial(noise_mm=noise_mm) for noise_mm in 12 * (-0.4, 0.4)]
    paint = PaintCheck(shift_mm=(0.0, 0.0), off_mm=0.05, worst_mm=0.1, stated_mm=0.3)
    on_gauge = certified(*side).caps
    beside_paint = certified(*side, paint=paint).caps
    assert beside_paint.spread_mm == pytest.approx(np.hypot(on_gauge.spread_mm, PROOF.survey_share * 0.3))
    assert (beside_paint.bias_mm, beside_paint.in_band) == (on_gauge.bias_mm, on_gauge.in_band)


def test_one_worn_line_does_not_make_the_survey_state_an_error_that_no_other_line_has():
    survey = replace(floor().calibration.survey, lines=8 * floor().calibration.survey.lines)
    worn, *others = survey.lines
    with_worn = replace(survey, lines=(replace(worn, sigma_mm=100 + worn.sigma_mm), *others))
    assert stated_mm(with_worn) < 2 * stated_mm(survey)


def test_paint_that_reads_wider_in_another_plane_of_colours_lies_where_it_was(monkeypatch):
    along = np.linspace(0, 600, 20)
    left, right = (np.column_stack([np.full(20, x), along]) for x in (0.0, 5.0))
    line = PaintedLine(left_mm=left, right_mm=right, sigma_mm=np.full(20, 0.1))
    aside = np.array([0.4, 0.0])
    wider = replace(line, left_mm=left - aside, right_mm=right + aside)
    was, in_colour = (Survey(lines=(one,), misfit_px=0.1) for one in (line, wider))
    monkeypatch.setattr("linesies.vision.proof.paint.surveys_again", lambda *_: (in_colour, was))
    calibration = replace(floor().calibration, survey=was)
    assert check_paint(calibration, [floor().picture()]).off_mm == pytest.approx(0, abs=1e-6)
    monkeypatch.setattr("linesies.vision.proof.paint.surveys_again", lambda *_: (in_colour,))
    assert check_paint(calibration, [floor().picture()]).off_mm == pytest.approx(0.4, abs=0.01)


@pytest.mark.parametrize("amiss", [{"off_mm": 0.5}, {"shift_mm": (2.0, 0.0)}])
def test_of_sizes_nothing_is_put_right_while_the_camera_sees_otherwise_than_it_was_calibrated(amiss):
    sound = {"shift_mm": (0.0, 0.0), "off_mm": 0.05, "worst_mm": 0.1, "stated_mm": 0.3}
    side = [trial(radius_off_mm=2.0) for _ in ASLANT]
    assert certified(*side, paint=PaintCheck(**sound)).correction.diameters_mm
    told = certified(*side, paint=PaintCheck(**{**sound, **amiss}))
    assert not told.correction.is_needed
    assert [one.code for one in findings_of(told)] in (["survey"], ["moved"])
    assert any("prove again" in words for words in not_vouched(told))


def test_a_cap_taller_than_listed_is_told_where_the_camera_looks_aslant_both_ways():
    certificate = certified(*(trial(taller_mm=6.0, per_height=one) for one in ASLANT))
    assert certificate.correction.heights_mm == {"bo": pytest.approx(BO.height_mm + 6.0, abs=0.1)}
    assert not certificate.correction.diameters_mm
    assert [finding.code for finding in findings_of(certificate)] == ["tall"]


def test_a_cap_that_only_seems_taller_as_caps_do_on_any_ground_is_not_told_so():
    chance = np.random.default_rng(16)
    told = [seen_aslant(chance, wider_mm=0.0) for _ in range(100)]
    assert sum(bool(one.correction.heights_mm) for one in told) <= 2


def test_a_cap_that_is_told_wider_is_said_to_be_by_as_much_as_it_is_then_listed_wider():
    leaning = [trial(radius_off_mm=0.8, noise_mm=-2.0 * one, per_height=one) for one in 10 * (0.2, 0.1, 0.05)]
    [finding, *_] = findings_of(certified(*leaning))
    assert finding.code == "cap"
    assert finding.amount == pytest.approx(1.6, abs=0.1)
    assert "1.6 mm wider than listed; list it as 30.1 mm wide" in finding.words


def test_a_cap_that_is_wider_and_taller_is_told_as_both():
    off = [trial(radius_off_mm=0.8, taller_mm=6.0, per_height=one) for one in ASLANT]
    correction = certified(*off).correction
    assert correction.heights_mm["bo"] == pytest.approx(BO.height_mm + 6.0, abs=0.1)
    assert correction.diameters_mm["bo"] == pytest.approx(BO.diameter_mm + 1.6, abs=0.1)


def test_a_height_that_geometry_cannot_tell_is_not_vouched_for():
    from_above = certified(*(trial(taller_mm=2.0) for _ in ASLANT))
    assert not from_above.correction.is_needed
    assert any("heights of caps: the camera saw nothing of bo's" in words for words in not_vouched(from_above))
    little = certified(*(trial(taller_mm=0.3, per_height=one) for one in ASLANT))
    assert not little.correction.heights_mm
    assert any("mm off is not told" in words for words in not_vouched(little))


def test_no_height_is_told_by_a_camera_for_which_it_must_be_off_by_more_than_a_cap_is_tall():
    rough = (0.3 * (-1) ** (i // 2) for i in range(len(ASLANT)))
    hardly_aslant = certified(
        *(trial(taller_mm=30.0, per_height=0.2 * one, noise_mm=off) for one, off in zip(ASLANT, rough, strict=True))
    )
    assert not hardly_aslant.correction.heights_mm
    assert any("heights of caps: the camera saw nothing of bo's" in words for words in not_vouched(hardly_aslant))


def test_of_a_cap_that_lay_on_too_few_rings_nothing_is_vouched_for():
    certificate = certified(*(trial(radius_off_mm=2.0) for _ in range(4)))
    assert not certificate.correction.is_needed
    assert any(
        "widths of caps: ana, bo, cal, dee's lay on fewer than 3 rings" in one for one in not_vouched(certificate)
    )
    assert not any("bo" in words for words in not_vouched(certified(*(trial() for _ in range(6)))) if "widths" in words)


def test_a_board_larger_than_its_file_says_is_no_fault_of_the_caps():
    certificate = certified(*(trial(radius_off_mm=-0.02 * (BO.diameter_mm / 2 + 2)) for _ in ASLANT), seen_scale=0.98)
    assert certificate.correction.board_times == pytest.approx(1 / 0.98)
    assert not certificate.correction.diameters_mm


def test_a_resized_board_looks_the_same_and_measures_larger():
    was = floor().calibration
    now = resized(was, 1.02)
    px = was.view.mm_to_px(MIDDLE_MM[None])
    assert now.view.mm_to_px(1.02 * MIDDLE_MM[None]) == pytest.approx(px)
    assert now.board.size_mm == pytest.approx(tuple(1.02 * side for side in was.board.size_mm))
    assert now.survey.lines[0].right_mm == pytest.approx(1.02 * was.survey.lines[0].right_mm)


def test_errors_that_proved_too_small_are_stated_larger_from_then_on(tmp_path):
    was = floor().calibration
    now = Correction(sigma_times=1.8).calibration(was)
    assert expected_sigma_mm(now, BO, MIDDLE_MM) == pytest.approx(1.8 * expected_sigma_mm(was, BO, MIDDLE_MM))
    assert Correction(sigma_times=1.5).calibration(now).sigma_times == pytest.approx(2.7)
    write_calibration(now, tmp_path / "calibration.json")
    assert read_calibration(tmp_path / "calibration.json").sigma_times == 1.8


class TestByCommand:
    """`linesies proof --correct` takes what the last certificate offers."""

    @pytest.fixture
    def installed(self, tmp_path):
        return install(tmp_path)

    def correct(self, state):
        files = ["--calibration", state / "calibration.json", "--caps", state / "caps.json", "--state", state]
        return CliRunner().invoke(command, ["--correct", *map(str, files)], standalone_mode=False)

    def test_it_puts_sizes_and_sigma_right_once(self, installed):
        side = [trial(radius_off_mm=0.8, noise_mm=noise_mm, sigma_mm=0.05) for noise_mm in 12 * (-0.5, 0.5)]
        keep(issued(certified(*side), floor().calibration), installed)
        assert any("proof --correct" in line for line in words_of(kept(installed), {}))
        done = self.correct(installed)
        assert "put right" in done.output
        now = read_calibration(installed / "calibration.json")
        assert now.sigma_times > 2
        assert read_caps(installed / "caps.json")[1].diameter_mm == pytest.approx(BO.diameter_mm + 1.6, abs=0.05)
        assert kept(installed).calibration == identity(now)
        assert isinstance(self.correct(installed).exception, BadInput)

    def test_it_leaves_another_calibration_alone(self, installed):
        other = replace(floor().calibration, focal_doubt=0.02)
        keep(issued(certified(*(trial(radius_off_mm=0.8) for _ in ASLANT)), other), installed)
        refused = self.correct(installed)
        assert "of another calibration" in str(refused.exception)
        assert read_caps(installed / "caps.json") == CAPS

    def test_it_says_so_where_nothing_was_proved(self, installed):
        assert "there is no certificate" in str(self.correct(installed).exception)
