"""Whenever somebody ends the referee, it ends: at once where it can, in the middle of what hangs, within five seconds.

LINESIES_STOPS says how often it is stopped at a random moment (`make fuzz`: 1000).
"""

import os
import signal
import subprocess
import sys
import textwrap
import time

from tests.pace import SLACK

STOPS = int(os.environ.get("LINESIES_STOPS", "25"))
SEED = os.environ.get("LINESIES_SEED", "1")
SOON_S = 5.0


def test_a_referee_stopped_at_random_moments_while_clips_are_cut_ends_each_time():
    command = [sys.executable, "-m", "tests.endless_referee", str(STOPS), SEED]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=30 + 8 * STOPS, check=False)
    lines = [line.split() for line in ended.stdout.splitlines()]
    assert (len(lines), ended.returncode) == (STOPS, 0), ended.stderr
    assert [line for line in lines if len(line) > 1] == [], "threads are left"
    print(f"{STOPS} stops, the slowest took {max(float(line[0]) for line in lines):.2f} s")  # noqa: T201
    assert max(float(line[0]) for line in lines) < SOON_S * SLACK


def stopped(work):
    """Run work until it is ended by SIGTERM; its exit status, words, and the seconds that it took to end."""
    program = f"""
        import threading, time
        from linesies.device.loop.ending import leave_if_asked, until_ended
        with until_ended(print):
            print("runs", flush=True)
            {work}
    """
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "runs\n"
    asked_s = time.monotonic()
    for _ in range(3):  # people press Ctrl-C again when nothing happens
        process.send_signal(signal.SIGTERM)
        time.sleep(0.05)
    words, complaint = process.communicate(timeout=90)
    return process.returncode, words + complaint, time.monotonic() - asked_s


def test_a_loop_ends_between_two_turns():
    status, words, _ = stopped("while True: time.sleep(0.01); leave_if_asked()")
    assert (status, words) == (0, "Ended.\n")


def test_what_takes_too_long_is_ended_in_its_midst():
    status, words, took_s = stopped("time.sleep(60)")
    assert (status, words) == (0, "Ended.\n")
    assert took_s < SOON_S * SLACK


def test_a_leaving_that_hangs_is_ended_by_the_kernel():
    status, _, took_s = stopped("""
            try:
                time.sleep(60)
            finally:
                threading.Lock().acquire() and threading.Event().wait()""")
    assert status == -signal.SIGALRM
    assert took_s < SOON_S * SLACK
