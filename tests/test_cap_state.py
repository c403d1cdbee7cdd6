"""What can become of a cap and of the scene is what the tables say, in whole games too."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linesies.vision import Watcher
from linesies.vision.shots import cap_state, measurer, scene_state
from linesies.vision.shots.cap_state import (
    CAP,
    PHASES,
    SCENE,
    CapPhase,
    Cause,
    IllegalTransitionError,
    SceneCause,
    ScenePhase,
    moved_on,
)
from tests.flicks import CAPS, FPS, PLACES, Drawn, DrawnJudge, calibration
from tests.scene_states import left, opened, place_of, seen, unmasked

FRAME_S = 1 / FPS
TABLES = [(CAP, CapPhase, Cause, CapPhase.NOWHERE), (SCENE, ScenePhase, SceneCause, ScenePhase.OPENING)]


@pytest.mark.parametrize(("table", "phases", "causes", "first"), TABLES)
def test_every_phase_is_reached_and_left_again_and_no_cause_is_idle(table, phases, causes, first):
    reached, fresh = set(), {first}
    while fresh:
        reached |= fresh
        fresh = {after for (before, _), after in table.items() if before in fresh} - reached
    assert reached == set(phases)
    assert {before for (before, _), after in table.items() if before is not after} == set(phases)
    assert {cause for _, cause in table} == set(causes)


@pytest.mark.parametrize(("table", "phases", "causes", "first"), TABLES)
def test_what_the_table_does_not_name_cannot_happen(table, phases, causes, first):
    for phase in phases:
        for cause in causes:
            if (phase, cause) in table:
                assert moved_on(table, phase, cause) is table[phase, cause]
            else:
                with pytest.raises(IllegalTransitionError, match=cause.name):
                    moved_on(table, phase, cause)


def test_a_cap_that_has_left_is_back_only_when_it_is_seen_there_for_a_while():
    state = opened()
    for i in range(6):
        state = seen(state, {"ana": "there"}, t_s=i * FRAME_S)
    state = seen(state, {"ana": "bare"}, t_s=6 * FRAME_S)
    state = seen(state, {"ana": "there"}, t_s=7 * FRAME_S)  # a shadow as dark as the cap
    assert state.caps["ana"].phase is CapPhase.RETURNING
    state = seen(state, {"ana": "bare"}, t_s=8 * FRAME_S)
    assert state.caps["ana"].last_there_s == pytest.approx(5 * FRAME_S)
    assert state.caps["ana"].missed_s == pytest.approx(6 * FRAME_S)
    assert state.phase is ScenePhase.PLAYING
    for i in range(9, 34):
        state = seen(state, {"ana": "there"}, t_s=i * FRAME_S)
    assert state.caps["ana"].phase is CapPhase.RESTING
    assert state.caps["ana"].missed_s is None
    assert state.caps["ana"].last_there_s == pytest.approx(33 * FRAME_S)
    assert state.phase is ScenePhase.AT_REST


def test_a_cap_that_was_only_covered_is_back_at_once():
    state = seen(opened(), {"ana": "covered"}, t_s=1.0)
    assert state.caps["ana"].phase is CapPhase.HIDDEN
    assert seen(state, {"ana": "there"}, t_s=1.02).caps["ana"].phase is CapPhase.RESTING


def test_what_is_bare_still_is_seen_anew_once_all_is_told():
    state = left(opened(), ["ana"], t_s=1.0).forgotten()
    assert (state.caps["ana"].phase, state.caps["ana"].left_s) == (CapPhase.HIDDEN, None)
    state = seen(state, {"ana": "bare"}, t_s=2.0)
    assert (state.caps["ana"].phase, state.caps["ana"].left_s, state.caps["ana"].missed_s) == (CapPhase.LEFT, 2.0, 1.0)


def test_nothing_is_told_of_a_scene_in_which_nothing_is_known():
    with pytest.raises(IllegalTransitionError):
        opened().told(frozenset())


def test_only_a_cap_that_has_left_is_taken_up():
    with pytest.raises(IllegalTransitionError):
        opened().taken_up(["ana"])


def test_a_cap_covers_its_neighbours_place_only_while_it_lies_there():
    x, y = PLACES["bo"]
    state = opened({"bo": (x, y), "ana": (x + 14.0, y + 6.0)})
    whole = place_of("bo")
    assert np.count_nonzero(state.caps["bo"].own_part.disc) < np.count_nonzero(whole.disc)
    state = left(state, ["ana"], t_s=1.0).taken_up(["ana"])
    assert np.count_nonzero(state.caps["bo"].own_part.disc) == np.count_nonzero(whole.disc)


ACTS = {
    "there": lambda state, t_s: seen(state, {"ana": "there"}, t_s=t_s),
    "bare": lambda state, t_s: seen(state, {"ana": "bare"}, t_s=t_s),
    "covered": lambda state, t_s: seen(state, {"ana": "covered"}, t_s=t_s),
    "displaced": lambda state, _: state.displaced(["ana"]),
    "found": lambda state, _: state.found({"ana": place_of("ana", (260.0, 120.0))}),
    "out of view": lambda state, _: state.found({"ana": None}),
    "taken up": lambda state, _: state.taken_up(["ana"]),
    "unmasked": lambda state, t_s: unmasked(state, "ana", LITTER_MM, t_s=t_s),
    "unmasked again": lambda state, t_s: unmasked(state, "ana", PLACES["ana"], t_s=t_s),
    "forgotten": lambda state, _: state.forgotten(),
}


START = opened()
LITTER_MM = (260.0, 360.0)


def test_a_cap_that_was_put_back_where_it_was_unmasked_lay_there_and_is_taken_up_from_there():
    state = unmasked(opened(), "ana", LITTER_MM, t_s=1.0)
    for t_s in (1.2, 1.6):
        state = seen(state, {"ana": "there"}, t_s=t_s)
    assert (state.caps["ana"].phase, state.caps["ana"].place.xy_mm) == (CapPhase.RESTING, LITTER_MM)
    state = left(state, ["ana"], t_s=60.0).taken_up(["ana"])
    assert state.caps["ana"].phase is CapPhase.NOWHERE


def test_a_cap_for_which_litter_was_taken_as_it_left_lies_where_it_lay_whatever_comes_to_lie_there_instead():
    state = unmasked(opened(), "ana", LITTER_MM, t_s=1.0).displaced(["ana"], is_for_good=True).taken_up(["ana"])
    cap = state.caps["ana"]
    assert (cap.phase, cap.place.xy_mm, cap.is_displaced) == (CapPhase.RESTING, PLACES["ana"], False)
    assert not state.lookalikes


def test_a_cap_that_was_put_back_lies_there_still_once_what_was_taken_for_it_before_has_gone():
    state = unmasked(opened(), "ana", LITTER_MM, t_s=1.0)
    for t_s in (1.2, 1.6):
        state = seen(state, {"ana": "there"}, t_s=t_s)
    state = unmasked(state, "ana", PLACES["ana"], t_s=60.0).taken_up(["ana"])
    assert (state.caps["ana"].phase, state.caps["ana"].place.xy_mm) == (CapPhase.RESTING, LITTER_MM)


def test_a_cap_that_leaves_after_litter_did_has_left_its_own_place_and_is_taken_up_from_there():
    state = unmasked(unmasked(opened(), "ana", LITTER_MM, t_s=1.0), "ana", PLACES["ana"], t_s=2.0)
    cap = state.caps["ana"]
    assert (cap.phase, cap.place.xy_mm, cap.left_s) == (CapPhase.LEFT, PLACES["ana"], 2.0)
    assert not cap.is_unmasked
    assert state.taken_up(["ana"]).caps["ana"].phase is CapPhase.NOWHERE


def test_a_cap_that_nobody_has_seen_is_still_none_once_litter_like_it_has_gone_and_news_once_it_is_found():
    unseen = opened({player: xy_mm for player, xy_mm in PLACES.items() if player != "ana"})
    state = unmasked(unseen, "ana", LITTER_MM, t_s=1.0)
    gone = state.taken_up(["ana"]).caps["ana"]
    assert (gone.phase, gone.is_news) == (CapPhase.NOWHERE, False)
    assert state.found({"ana": place_of("ana", (260.0, 120.0))}).caps["ana"].is_news


def test_a_cap_of_which_all_was_told_is_back_only_once_it_has_looked_so_for_a_while_again():
    state = seen(START, {"ana": "bare"}, t_s=0.1)
    state = seen(state, {"ana": "there"}, t_s=0.2).forgotten().displaced(["ana"])
    assert seen(state, {"ana": "there"}, t_s=5.0).caps["ana"].back_s == 5.0


@given(st.lists(st.tuples(st.sampled_from(sorted(ACTS)), st.sampled_from([1, 5, 9])), max_size=25))
def test_what_is_known_of_a_cap_fits_its_phase(acts):
    state, t_s = START, 0.0
    for act, frames in acts:
        t_s += frames * FRAME_S
        cap = state.caps["ana"]
        if (act in ("there", "bare", "covered") and cap.place is None) or (act == "taken up" and not cap.has_left):
            continue  # the watcher looks at no place where no cap lies, and takes none up that may be there
        if act == "taken up" and cap.phase is CapPhase.RETURNING:
            continue
        is_elsewhere = cap.phase in (CapPhase.RESTING, CapPhase.HIDDEN) or cap.is_unmasked
        if act.startswith("unmasked") and (not is_elsewhere or cap.phase is CapPhase.RETURNING):
            continue  # it has shown where it lay, or was put back for a moment
        state = ACTS[act](state, t_s)
        cap = state.caps["ana"]
        assert (cap.place is None) is (cap.phase is CapPhase.NOWHERE)
        assert (cap.history is None) is (cap.own_part is None) is (cap.place is None)
        assert (cap.missed_s is not None) is cap.is_missed
        assert not cap.has_left or cap.left_s is not None
        assert cap.phase is not CapPhase.HIDDEN or cap.left_s is None
        assert cap.phase is not CapPhase.RETURNING or state.t_s - cap.back_s < PHASES.back_s
        assert cap.bare_s is None or cap.missed_s <= cap.bare_s
        assert cap.is_missed or not (cap.is_unmasked or cap.is_displaced)
        assert (state.phase is ScenePhase.PLAYING) is any(one.is_missed for one in state.caps.values())


def test_in_a_whole_game_every_phase_is_seen(monkeypatch):
    monkeypatch.setattr(measurer, "Judge", DrawnJudge)
    happened = []

    def noted(table, phase, cause):
        happened.append((phase, cause))
        return moved_on(table, phase, cause)

    for module in (cap_state, scene_state):
        monkeypatch.setattr(module, "moved_on", noted)
    film = Drawn().still().slide({"ana": ((291, 240), 0), "bo": ((449, 240), 12), "cal": ((540, 300), 24)}).still()
    film.slide({"cal": ((900, 300), 0)}, frames=24).still(60)  # out of the picture
    x, y = film.places["ana"]
    for reach in [*range(220, 0, -10), *range(0, 300, 12)]:  # a hand takes a cap up, and puts it back
        if reach == 0:
            film.places.pop("ana")
        film.draw(hand_mm=(x, y + reach))
    film.places["ana"] = (x, y)
    film.still(60).still(60, knock_px=(5, 3)).still(120)
    watcher = Watcher(calibration(), CAPS)
    phases = set()
    for frame in film.frames:
        watcher.see(frame)
        phases |= {watcher._state.phase, *(cap.phase for cap in watcher._state.caps.values())}
    assert phases >= set(CapPhase) | set(ScenePhase) - {ScenePhase.GATHERING}  # over within a frame but for a late cap
    assert set(happened) <= set(CAP) | set(SCENE)
    assert {cause for _, cause in happened} >= set(SceneCause)
