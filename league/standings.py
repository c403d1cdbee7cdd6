"""How things stand on all boards: each board's rows folded as its own referee announced them, and nothing ruled anew.

Remembers each board's story up to the newest row that was asked for; all of it can be read from the store again.
"""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice, pairwise
from typing import Any

from linesies import rules
from linesies.league.game_result import EndedGame, ended
from linesies.league.store import KnownBoard, Store
from linesies.referee.entries import Entry
from linesies.referee.folding import fold
from linesies.referee.rows import Row
from linesies.referee.snapshot import story_json
from linesies.referee.story import Story
from linesies.web import LANGUAGES, ruled_in

SILENT_S = 90.0  # after which a board is shown as out of reach: its pusher speaks every five seconds
MOST_NEWEST = 12  # calls along the foot of the big screen


@dataclass(frozen=True, slots=True)
class Chain:
    """What a chain of rows tells: how it stands, and how the games before the newest one ended."""

    story: Story = field(default_factory=Story)
    before: tuple[EndedGame, ...] = ()

    @property
    def ended(self) -> tuple[EndedGame, ...]:
        """List the games that are over, the first first."""
        return (*self.before, *ended(self.story))


class Standings:
    """Tells what stands on each board, for everybody to see."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._chains: dict[tuple[str, str], Chain] = {}
        self._lock = threading.Lock()
        self._forgotten = 0

    def boards(self) -> dict[str, KnownBoard]:
        """Give the boards of the league, sorted by name."""
        return {board.board: board for board in self._store.boards() if not board.has_left}

    @property
    def forgotten(self) -> int:
        """How many people are forgotten: where that has changed, all is told anew."""
        return self._store.names.forgotten

    def find(self, board: str) -> KnownBoard | None:
        """Give a board that ever joined by its key, None where there is none."""
        return self._store.board(board)

    def story(self, board: KnownBoard) -> Story:
        """Tell how a board stands."""
        return self._chain(board).story

    def ended(self, board: KnownBoard) -> tuple[EndedGame, ...]:
        """List the games of a board's newest chain that are over, the first first."""
        return self._chain(board).ended

    def _chain(self, board: KnownBoard) -> Chain:
        """Fold what is new of a board's newest chain."""
        if board.epoch is None:
            return Chain()
        with self._lock:
            if self._forgotten != self.forgotten:
                self._forgotten = self.forgotten
                self._chains.clear()
            key = board.board, board.epoch
            known = self._chains.get(key, Chain())
            self._chains[key] = told = told_on(known, self._store.rows_after(*key, known.story.row))
        return told

    def story_json(self, board: str) -> dict[str, Any] | None:
        """Write a board's whole story, None for one that is not in the league."""
        found = self.find(board)
        return None if found is None else story_json(self.story(found))

    def boards_json(self) -> list[dict[str, Any]]:
        """List the boards with who plays there, whose turn it is, who has won, and the last call."""
        return self.told_json()["boards"]

    def told_json(self) -> dict[str, list[dict[str, Any]]]:
        """List the boards, and what was called last on whichever of them, the newest first."""
        stories = [(board, self.story(board)) for board in self.boards().values()]
        return {"boards": [_board_json(*one) for one in stories], "newest": _newest(stories)}


def is_heard(board: KnownBoard) -> bool:
    """Tell whether a board is in reach."""
    return board.heard_at is not None and (datetime.now(UTC) - board.heard_at).total_seconds() < SILENT_S


def _board_json(board: KnownBoard, story: Story) -> dict[str, Any]:
    public = story.public or {}
    winners = public.get("winners") or ([public["winner"]] if public.get("winner") else [])
    return {
        "board": board.board,
        "name": board.name,
        "place": board.place,
        "is_heard": is_heard(board),
        "row": story.row,
        "game": None if story.start is None else story.game_name,
        "title": None if story.start is None else rules.GAMES[story.game_name].words.short_title,
        "players": list(story.players),
        "turn": public.get("turn"),
        "winners": list(winners),
        "asked": len(story.pending),
        "last": next((_call_json(story, entry) for entry in _called(story)), None),
    }


def _called(story: Story) -> Iterator[Entry]:
    """Go through what was called and counts, the newest first."""
    return (entry for entry in reversed(story.entries) if entry.is_effective and entry.rulings)


def _call_json(story: Story, entry: Entry) -> dict[str, Any]:
    """Write a call in each language of the pages, and when it was."""
    text = {language: ruled_in(entry.rulings[0], story.game_name, language) for language in LANGUAGES}
    return {"at": entry.at_s, "text": text}


def _newest(stories: Sequence[tuple[KnownBoard, Story]]) -> list[dict[str, Any]]:
    found = [(entry, board, story) for board, story in stories for entry in islice(_called(story), MOST_NEWEST)]
    found.sort(key=lambda one: one[0].at_s, reverse=True)
    return [{"name": board.name, **_call_json(story, entry)} for entry, board, story in found[:MOST_NEWEST]]


def told_on(chain: Chain, rows: Sequence[Row]) -> Chain:
    """Fold rows on, game by game."""
    begins = [0, *(at for at, row in enumerate(rows) if at and row.kind == "start"), len(rows)]
    for first, end in pairwise(begins):
        if first < end and rows[first].kind == "start":
            chain = Chain(chain.story, (*chain.before, *ended(chain.story)))
        chain = Chain(fold(rows[first:end], chain.story), chain.before)
    return chain
