"""The rules are fast, and how fast is measured beside a well-known engine."""

from linesies.benchmarks.rules import EVENTS, measure_rules, recorded_steps


def test_the_rules_keep_up_with_any_street():
    rates = measure_rules(repeats=2)
    assert rates["skully_events_per_s"] > 5_000  # 50,000 and more on an idle core; tests share theirs


def test_chess_takes_its_own_steps_in_the_same_run():
    rates = measure_rules(repeats=1)
    assert set(rates) == {
        "skully_events_per_s",
        "chess_push_uci_per_s",
        "chess_push_per_s",
        "ratio_to_chess_push_uci",
        "ratio_to_chess_push",
    }
    assert all(rate > 0 for rate in rates.values())


def test_the_same_events_are_measured_every_time():
    events = [event for _, event in recorded_steps()]
    assert events == [event for _, event in recorded_steps()]
    assert len(events) == EVENTS
