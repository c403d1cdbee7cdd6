"""The tournaments that a hub holds: each is its organiser's deeds, kept one a row, and told from them anew.

Nothing is told over: what was undone stays as a row that no longer counts.
"""

from dataclasses import dataclass
from typing import Annotated, Any

import msgspec
from msgspec import Meta
from sqlalchemy import Connection, func, insert, select, update

from linesies.league.ratings import Rated, ratings, seeded
from linesies.league.store import Store, ring
from linesies.league.tables import deeds, tournaments
from linesies.league.tournament import (
    BadPlan,
    Deed,
    HeadStart,
    MatchEnded,
    Tournament,
    TournamentMatch,
    TournamentOpened,
    told,
)
from linesies.league.webhooks import tell_hooks
from linesies.referee.orders import StartBox


class Opening(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An organiser opens a tournament under a name; seeded by ratings, or in the order in which entrants are given.

    Some may begin their games at a box further on.
    """

    name: Annotated[str, Meta(min_length=1, max_length=60)]
    plan: TournamentOpened
    is_seeded_by_rating: bool = False
    head_starts: dict[str, StartBox] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What a deed would change: matches that others play or that come out otherwise, and results that would be void."""

    matches: tuple[str, ...]
    void: tuple[str, ...]


Version = tuple[int, ...]  # of a tournament: its newest deed, how many are undone, and how many people are forgotten


@dataclass(frozen=True, slots=True, kw_only=True)
class Titled:
    """A tournament as it stands, under its name."""

    name: str
    now: Tournament


class Schedule:
    """Holds tournaments in the hub's database; remembers each as it was last told, until more is said of it."""

    def __init__(self, store: Store) -> None:
        self._engine = store.engine
        self._names = store.names
        self._told: dict[int, tuple[Version, Titled]] = {}

    def open(self, opening: Opening) -> int:
        """Open a tournament and give its number; raises BadPlan."""
        plan = opening.plan
        if opening.is_seeded_by_rating:
            plan = msgspec.structs.replace(plan, entrants=seeded(plan.entrants, self.ratings()))
        said: list[Deed] = [plan]
        said += [HeadStart(player=player, box=box) for player, box in opening.head_starts.items()]
        now = told(said)
        for deed in said:
            _see_who_is_meant(deed, now)
        with self._engine.begin() as connection:
            made = insert(tournaments).values(name=opening.name).returning(tournaments.c.tournament)
            number = int(connection.execute(made).scalar_one())
            for deed in said:
                self._add(connection, number, deed)
        return number

    def ratings(self) -> tuple[Rated, ...]:
        """Rate all who have played here, from all results as they stand now."""
        return ratings(titled.now for _, titled in sorted(self.tournaments().items()))

    def tournaments(self) -> dict[int, Titled]:
        """Tell all tournaments, the newest first."""
        asked = (
            select(tournaments, func.max(deeds.c.number), func.count(deeds.c.undone_at))
            .join(deeds)
            .group_by(tournaments.c.tournament)
            .order_by(tournaments.c.tournament.desc())
        )
        with self._engine.connect() as connection:
            found = connection.execute(asked).all()
            return {
                number: self._as_told(connection, number, name, (*version, self._names.forgotten))
                for number, name, *version in found
            }

    def tournament(self, number: int) -> Tournament | None:
        """Tell a tournament, None where there is none of that number."""
        titled = self.tournaments().get(number)
        return None if titled is None else titled.now

    def _as_told(self, connection: Connection, number: int, name: str, version: Version) -> Titled:
        known = self._told.get(number)
        if known is not None and known[0] == version:
            return known[1]
        titled = Titled(name=name, now=told(self._said(connection, number)))
        self._told[number] = version, titled
        return titled

    def say(self, number: int, deed: Deed) -> Tournament:
        """Keep what the organiser says, and tell the tournament with it; raises KeyError or BadPlan."""
        with self._engine.begin() as connection:
            said = self._locked(connection, number)
            _see_who_is_meant(deed, told(said))
            self._add(connection, number, deed)
        return told([*said, deed])

    def end(self, number: int, result: MatchEnded) -> bool:
        """Keep the result that a board has told, unless the match has one; tells whether it was kept."""
        with self._engine.begin() as connection:
            said = self._locked(connection, number)
            is_wanted = result.match in {match.id for match in told(said).waiting}
            if is_wanted:
                self._add(connection, number, result)
        return is_wanted

    def change(self, number: int, deed: Deed) -> Change:
        """Tell what a deed would change if it were said now; raises KeyError where there is no such tournament."""
        with self._engine.connect() as connection:
            said = self._said(connection, number)
        if not said:
            raise KeyError(number)
        before, after = told(said), told([*said, deed])
        now = {match.id: match for match in after.matches}
        meant = getattr(deed, "match", None)
        others = tuple(one.id for one in before.matches if one.id != meant and _is_other(one, now.get(one.id)))
        void = tuple(one.match for one in after.void if one not in before.void)
        return Change(matches=others, void=void)

    def said_count(self) -> int:
        """Count all deeds and all undoings: another number means that some tournament stands otherwise."""
        asked = select(func.count() + func.count(deeds.c.undone_at)).select_from(deeds)
        with self._engine.connect() as connection:
            return int(connection.execute(asked).scalar_one())

    def deed(self, number: int, which: int) -> dict[str, Any] | None:
        """Write one deed of a tournament with its title, as others are told of it; None where there is none."""
        asked = select(tournaments.c.name, deeds.c.body).select_from(tournaments.join(deeds))
        this = (deeds.c.tournament == number) & (deeds.c.number == which)
        with self._engine.connect() as connection:
            found = connection.execute(asked.where(this)).one_or_none()
        if found is None:
            return None
        deed = msgspec.json.decode(self._names.show(found.body))
        return {"tournament": number, "title": found.name, "number": which, "deed": deed}

    def undo(self, number: int) -> bool:
        """Take back what was said last; tells whether there was anything. The opening stays."""
        with self._engine.begin() as connection:
            self._locked(connection, number)
            newest = select(func.max(deeds.c.number)).where(
                deeds.c.tournament == number, deeds.c.undone_at.is_(None), deeds.c.number > 1
            )
            last = connection.execute(newest).scalar_one()
            if last is None:
                return False
            this = (deeds.c.tournament == number) & (deeds.c.number == last)
            connection.execute(update(deeds).where(this).values(undone_at=func.now()))
            tell_hooks(connection, "undone", number, last)
            ring(connection)
        return True

    def _locked(self, connection: Connection, number: int) -> list[Deed]:
        """Let no other deed in until this transaction ends; raises KeyError where there is no such tournament."""
        asked = select(tournaments.c.tournament).where(tournaments.c.tournament == number).with_for_update()
        if connection.execute(asked).one_or_none() is None:
            raise KeyError(number)
        return self._said(connection, number)

    def _said(self, connection: Connection, number: int) -> list[Deed]:
        asked = select(deeds.c.body).where(deeds.c.tournament == number, deeds.c.undone_at.is_(None))
        found = connection.execute(asked.order_by(deeds.c.number)).scalars()
        return [msgspec.json.decode(self._names.show(body), type=Deed) for body in found]

    def _add(self, connection: Connection, number: int, deed: Deed) -> None:
        newest = select(func.coalesce(func.max(deeds.c.number), 0)).where(deeds.c.tournament == number)
        last = connection.execute(newest).scalar_one()
        body = self._names.hide_json(msgspec.json.encode(deed).decode())
        connection.execute(insert(deeds).values(tournament=number, number=last + 1, body=body))
        tell_hooks(connection, "deed", number, last + 1)
        ring(connection)


def _see_who_is_meant(deed: Deed, now: Tournament) -> None:
    """Refuse a head start of somebody who does not take part; raises BadPlan."""
    if isinstance(deed, HeadStart) and deed.player not in now.plan.entrants:
        raise BadPlan(f"head start: {deed.player!r} does not take part; write the name as among the entrants")


def tournament_json(name: str, now: Tournament) -> dict[str, Any]:
    """Write a tournament for a page, but for where its matches are called to."""
    return {
        "name": name,
        "format": now.plan.format,
        "matches": [_match_json(match, now) for match in now.matches],
        "gone": sorted(now.gone),
        "head_starts": dict(now.head_starts),
        "void": sorted({one.match for one in now.void}),
        "ranking": list(now.standing.ranking),
        "winner": now.winner,
    }


def _match_json(match: TournamentMatch, now: Tournament) -> dict[str, Any]:
    return {
        "id": match.id,
        "stage": match.stage,
        "round": match.round,
        "players": list(match.players),
        "head_starts": now.ahead(match),
        "missed": sorted(player for one, player in now.missed if one == match.id),
        "ranking": None if match.ranking is None else list(match.ranking),
        "is_bye": match.is_bye,
        "is_walkover": match.is_walkover,
    }


def _is_other(before: TournamentMatch, after: TournamentMatch | None) -> bool:
    return after is None or (before.players, before.ranking) != (after.players, after.ranking)
