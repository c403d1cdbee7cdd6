"""The tournaments that a hub holds: each is its organiser's deeds, kept one a row, and told from them anew.

Nothing is told over: what was undone stays as a row that no longer counts.
"""

from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from sqlalchemy import Connection, Engine, func, insert, select, text, update

from linesies.league.store import CHANNEL
from linesies.league.tables import deeds, tournaments
from linesies.league.tournament import Deed, Match, Opened, Tournament, told


class Opening(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An organiser opens a tournament under a name."""

    name: Annotated[str, Meta(min_length=1, max_length=60)]
    plan: Opened


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What a deed would change: matches whose players or outcome become others, and results that would be void."""

    matches: tuple[str, ...]
    void: tuple[str, ...]


class Schedule:
    """Holds tournaments in the hub's database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def open(self, opening: Opening) -> int:
        """Open a tournament and give its number; raises BadPlan."""
        told([opening.plan])
        with self._engine.begin() as connection:
            made = insert(tournaments).values(name=opening.name).returning(tournaments.c.tournament)
            number = int(connection.execute(made).scalar_one())
            _add(connection, number, opening.plan)
        return number

    def names(self) -> dict[int, str]:
        """List all tournaments, the newest first."""
        asked = select(tournaments.c.tournament, tournaments.c.name).order_by(tournaments.c.tournament.desc())
        with self._engine.connect() as connection:
            return {one.tournament: one.name for one in connection.execute(asked)}

    def tournament(self, number: int) -> Tournament | None:
        """Tell a tournament, None where there is none of that number."""
        with self._engine.connect() as connection:
            said = _said(connection, number)
        return told(said) if said else None

    def say(self, number: int, deed: Deed) -> Tournament:
        """Keep what the organiser says, and tell the tournament with it; raises KeyError where there is none."""
        with self._engine.begin() as connection:
            said = _locked(connection, number)
            _add(connection, number, deed)
        return told([*said, deed])

    def change(self, number: int, deed: Deed) -> Change:
        """Tell what a deed would change if it were said now; raises KeyError where there is no such tournament."""
        with self._engine.connect() as connection:
            said = _said(connection, number)
        if not said:
            raise KeyError(number)
        before, after = told(said), told([*said, deed])
        now = {match.id: match for match in after.matches}
        meant = getattr(deed, "match", None)
        others = tuple(one.id for one in before.matches if one.id != meant and _is_other(one, now.get(one.id)))
        void = tuple(one.match for one in after.void if one not in before.void)
        return Change(matches=others, void=void)

    def undo(self, number: int) -> bool:
        """Take back what was said last; tells whether there was anything. The opening stays."""
        with self._engine.begin() as connection:
            _locked(connection, number)
            newest = select(func.max(deeds.c.number)).where(
                deeds.c.tournament == number, deeds.c.undone_at.is_(None), deeds.c.number > 1
            )
            last = connection.execute(newest).scalar_one()
            if last is None:
                return False
            this = (deeds.c.tournament == number) & (deeds.c.number == last)
            connection.execute(update(deeds).where(this).values(undone_at=func.now()))
            _ring(connection)
        return True


def tournament_json(name: str, now: Tournament) -> dict[str, Any]:
    """Write a tournament for a page."""
    return {
        "name": name,
        "format": now.plan.format,
        "matches": [_match_json(match) for match in now.matches],
        "gone": sorted(now.gone),
        "void": sorted({one.match for one in now.void}),
        "ranking": list(now.standing.ranking),
        "winner": now.winner,
    }


def _match_json(match: Match) -> dict[str, Any]:
    return {
        "id": match.id,
        "stage": match.stage,
        "round": match.round,
        "players": list(match.players),
        "ranking": None if match.ranking is None else list(match.ranking),
        "is_bye": match.is_bye,
        "is_walkover": match.is_walkover,
    }


def _is_other(before: Match, after: Match | None) -> bool:
    return before.ranking is not None and (after is None or after.ranking != before.ranking)


def _locked(connection: Connection, number: int) -> list[Deed]:
    """Let no other deed in until this transaction ends; raises KeyError where there is no such tournament."""
    asked = select(tournaments.c.tournament).where(tournaments.c.tournament == number).with_for_update()
    if connection.execute(asked).one_or_none() is None:
        raise KeyError(number)
    return _said(connection, number)


def _said(connection: Connection, number: int) -> list[Deed]:
    asked = select(deeds.c.body).where(deeds.c.tournament == number, deeds.c.undone_at.is_(None))
    found = connection.execute(asked.order_by(deeds.c.number)).scalars()
    return [msgspec.json.decode(body, type=Deed) for body in found]


def _add(connection: Connection, number: int, deed: Deed) -> None:
    newest = select(func.coalesce(func.max(deeds.c.number), 0)).where(deeds.c.tournament == number)
    last = connection.execute(newest).scalar_one()
    body = msgspec.json.encode(deed).decode()
    connection.execute(insert(deeds).values(tournament=number, number=last + 1, body=body))
    _ring(connection)


def _ring(connection: Connection) -> None:
    connection.execute(text("SELECT pg_notify(:channel, '')"), {"channel": CHANNEL})
