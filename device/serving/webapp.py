"""The page of one state folder: joins the application to the journal, the inbox, the moment and the paired phones."""

import os
import threading
from collections.abc import Collection
from functools import partial
from pathlib import Path
from typing import Any

from flask import Flask

from linesies.device.cases.archives import case_file_of
from linesies.device.journal.journal import Journal
from linesies.device.journal.salvage import DamagedJournal, open_to_read
from linesies.device.live_state import read_moment
from linesies.device.outside import let_games_in
from linesies.device.phones.doors import CodeBoard, doorkeeper_of
from linesies.device.phones.remembered import Remembered
from linesies.device.places import evidence_folder, journal_file, remembered_file
from linesies.device.proof.certificates import told
from linesies.device.serving.webdevice import OwnDevice
from linesies.device.serving.weborder import PageOrder
from linesies.referee.folding import story_of
from linesies.referee.moments import standing_before
from linesies.referee.past_games import Games
from linesies.referee.preview import preview
from linesies.referee.secrets import told_events
from linesies.referee.snapshot import story_json
from linesies.referee.story import Story
from linesies.referee.summary import summary_json, winners_of
from linesies.web import Doorkeeper, addresses_for_phones, create_app

MAX_STREAMS = 500


class JournalFace:
    """A journal as the page reads it; remembers the story, and all games, up to the last row it was asked for."""

    def __init__(self, journal: Journal | DamagedJournal) -> None:
        let_games_in()  # the journal may tell of a game from outside
        self.journal = journal
        self._story = Story()
        self._lock = threading.Lock()
        self._games = Games()

    def last_id(self) -> int:
        """Return the newest row's id, 0 when nothing is written."""
        return self.journal.last_id()

    def story_json(self, seats: Collection[str] = ()) -> dict[str, Any]:
        """Fold what is new and write the whole story, for a phone that plays for these players."""
        return story_json(self.story(), seats)

    def preview(self, order: dict[str, Any]) -> dict[str, Any] | None:
        """Tell what an order would change if the referee took it now."""
        return preview(self.story(), order)

    def standing_before(self, row: int) -> dict[str, Any] | None:
        """Write the public state that the entry of that row met, None where there is none."""
        return standing_before(self.story(), row)

    def uncalled(self) -> frozenset[int]:
        """Name the rows of what people call before they are told what was measured."""
        return frozenset(held.row for held in self.story().uncalled)

    def games(self) -> list[dict[str, Any]]:
        """List the games that the journal holds, the oldest first."""
        return [{"number": number, **_game_json(story)} for number, story in enumerate(self._all_games(), start=1)]

    def summary(self, number: int) -> dict[str, Any] | None:
        """Sum up the game of that number, None where there is none."""
        games = self._all_games()
        return summary_json(games[number - 1]) if 0 < number <= len(games) else None

    def events(self, number: int, seats: Collection[str] = ()) -> list[dict[str, Any]] | None:
        """List a game's start and the events that count, but for what these seats may not know yet."""
        games = self._all_games()
        return [dict(one) for one in told_events(games[number - 1], seats)] if 0 < number <= len(games) else None

    def _all_games(self) -> tuple[Story, ...]:
        with self._lock:
            self._games = self._games.told_on(self.journal.rows_after(self._games.story.row))
            return self._games.all

    def players(self) -> tuple[str, ...]:
        """Name the players of the game that is on, or was last."""
        return self.story().players

    def story(self) -> Story:
        """Fold what is new."""
        with self._lock:
            self._story = story_of(self.journal, self._story)
            return self._story


def _game_json(story: Story) -> dict[str, Any]:
    """Write what a list of games tells of one."""
    start = story.start or {}
    return {
        "game": start.get("game"),
        "players": start.get("players", []),
        "begun": story.entries[0].at_s if story.entries else None,
        "is_over": story.is_over,
        "winners": list(winners_of(story)),
    }


def make_app(order: PageOrder, door: Doorkeeper, face: JournalFace) -> Flask:
    """Join the page to what lies in a state folder."""
    state = Path(order.state)
    return create_app(
        face,
        face.journal.submit,
        lambda: read_moment(str(journal_file(state))),
        doorkeeper=door,
        addresses=lambda: addresses_for_phones(order.host, order.port),
        device=OwnDevice(state),
        remembers=Remembered(remembered_file(state)),
        evidence_dir=evidence_folder(state),
        case_file=partial(case_file_of, state),
        proof=lambda: told(state, read_moment(str(journal_file(state)))),
        allowed_hosts=order.names,
        max_streams=MAX_STREAMS,
    )


def make_page(order: PageOrder) -> Flask:
    """Make the page and show its codes on the console."""
    state = Path(order.state)
    face = JournalFace(open_to_read(journal_file(state)))
    door = doorkeeper_of(state, may_order=order.may_order, pairing=order.pairing)
    if "JOURNAL_STREAM" not in os.environ:  # codes are for a screen; under systemd `linesies status --codes` shows them
        CodeBoard(door, face.players).start()
    return make_app(order, door, face)
