"""People across games: a player's own history, kept by choice and forgotten by a tap, and the records of the board."""

from typing import Any

import msgspec
from flask import Blueprint, Response, jsonify, request

from linesies.games import GAMES
from linesies.referee.careers import career_json, records_json
from linesies.web.bodies import read_body
from linesies.web.language import language_of, translator, words_of
from linesies.web.ports import JournalReader, Remembers
from linesies.web.roles import Doorkeeper
from linesies.web.safety import refusal, token

NOT_YOURS = "Only the player or the referee's phone decides that."
NOT_KEPT = "That cannot be written just now; is the disk full? Try again."


class HistoryWish(msgspec.Struct, forbid_unknown_fields=True):
    """Whether a player's games are to be told across games."""

    player: str
    keep: bool


class Past:
    """Games that are over as their summaries; remembers those that can change no more."""

    def __init__(self, journal: JournalReader) -> None:
        self._journal = journal
        self._known: dict[int, dict[str, Any]] = {}

    @property
    def count(self) -> int:
        """Tell how many games there are."""
        return len(self._journal.games())

    def knows(self, player: str) -> bool:
        """Tell whether somebody of that name has played here."""
        return any(player in game["players"] for game in self._journal.games())

    def since(self, number: int) -> list[dict[str, Any]]:
        """Sum up the games from that number on of which anything is counted."""
        games = self._journal.games()
        told = [
            self._summary(game["number"], is_last=game is games[-1]) for game in games if GAMES[game["game"]].tallies
        ]
        return [summary for at, summary in told if at >= number]

    def _summary(self, number: int, *, is_last: bool) -> tuple[int, dict[str, Any]]:
        found = self._known.get(number) or self._journal.summary(number) or {}
        if not is_last:
            self._known[number] = found
        return number, found


def people_pages(journal: JournalReader, doorkeeper: Doorkeeper, remembers: Remembers) -> Blueprint:
    """Make what is told of people across games."""
    pages = Blueprint("people", __name__)
    past = Past(journal)

    @pages.get("/people")
    def people() -> Response:
        language = language_of(request)
        records = [_told_in(one, "records", language) for one in records_json(past.since(1))]
        return jsonify(kept=sorted(remembers.since()), records=records)

    @pages.get("/people/<player>")
    def person(player: str) -> Response:
        first = remembers.since().get(player)
        if first is None:
            return jsonify(is_kept=False)
        career = career_json(player, past.since(first))
        of = [_told_in(one, "counts", language_of(request)) for one in career["of"]]
        return jsonify(is_kept=True, **{**career, "of": of})

    @pages.post("/people")
    def wish() -> Response:
        asked = read_body(HistoryWish)
        if isinstance(asked, Response):
            return asked
        role = doorkeeper.role(token())
        if not role.is_referee and asked.player not in role.seats:
            return refusal(403, "not_yours", NOT_YOURS)
        if not past.knows(asked.player):
            return refusal(404)
        try:
            if asked.keep:
                remembers.remember(asked.player, max(past.count, 1))
            else:
                remembers.forget(asked.player)
        except OSError:
            return refusal(503, "unwritten", NOT_KEPT)
        return jsonify(kept=sorted(remembers.since()))

    return pages


def _told_in(of_game: dict[str, Any], key: str, language: str) -> dict[str, Any]:
    """Write what is told of a game under its title, and each title of a list of counts, in a language."""
    say = translator(language)
    counts = [{**one, "title": say(one["title"])} for one in of_game[key]]
    return {**of_game, "title": words_of(of_game["game"], language).short_title, key: counts}
