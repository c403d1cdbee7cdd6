"""`linesies watch`: follow a film or camera and tell each shot as soon as it is known."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

import rules
from calibration import read_calibration
from device.cameras.opening import open_source
from device.errors import BadInput
from vision import Event, Watcher, read_caps


@click.command("watch")
@click.argument("source")
@click.option("--calibration", "calibration_file", required=True, help="What `linesies calibrate` wrote.")
@click.option("--caps", "caps_file", required=True, help="Who plays with which cap (caps.json).")
@click.option("--game", "start_file", help="The game's start event (start.json); rulings then follow each event.")
@click.option("--settled", "settled_s", default=0.4, show_default=True, help="Seconds of rest before a shot is told.")
def command(source: str, calibration_file: str, caps_file: str, start_file: str | None, settled_s: float) -> None:
    """Follow SOURCE to its end and print one event a line: shots, caps placed by hand, a camera that moved.

    The events are those of `linesies rule`; with --game each is followed by what the rules say to it.
    """
    calibration = read_calibration(calibration_file)
    caps = read_caps(caps_file)
    referee = None if start_file is None else _Referee(start_file)
    with open_source(source) as frames:
        is_px, wanted_px = ("{}x{}".format(*size) for size in (frames.size_px, calibration.view.lens.size_px))
        if is_px != wanted_px:
            raise BadInput(
                f"{source}: its pictures are {is_px}, but {calibration_file} is for {wanted_px}; calibrate at this size"
            )
        watcher = Watcher(calibration, caps, settled_s=settled_s)
        for frame in frames.frames():
            _print(watcher.see(frame), referee)
        _print(watcher.finish(), referee)


class _Referee:
    """Remembers the game so far; rules on events as `linesies rule` does."""

    def __init__(self, start_file: str) -> None:
        try:
            config = rules.parse_line(Path(start_file).read_bytes())
        except OSError as fault:
            raise BadInput(f"{start_file}: cannot be read ({fault.strerror}); name the game's start event") from None
        if isinstance(config, dict) and config.get("game") not in (None, "skully"):
            raise BadInput(f"{start_file}: only skully is watched yet, not {config['game']!r}; use `linesies rule`")
        try:
            self._game, self._state, _ = rules.start(config)
        except rules.BadStart as fault:
            raise BadInput(f"{start_file}: {fault}") from None

    def rule(self, event: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Rule on an event; yields the lines that tell it."""
        answer = self._game.apply(self._state, event)
        if isinstance(answer, rules.Refused):
            yield {"refused": rules.refused_json(self._game.name, answer)}
            return
        self._state, rulings = answer
        yield from ({"ruling": rules.ruling_json(self._game.name, ruling)} for ruling in rulings)


def _print(events: tuple[Event, ...], referee: _Referee | None) -> None:
    for event in events:
        said = event.as_json()
        _print_line(said)
        if referee is not None and said["event"] != "camera_moved":
            for line in referee.rule(said):
                _print_line(line)


def _print_line(value: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
    sys.stdout.flush()
