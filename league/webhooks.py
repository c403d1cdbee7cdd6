"""Webhooks: who is told by HTTP of each deed of a tournament, and the queue of what is to be told.

The queue lies in PostgreSQL, filled in the transaction that keeps the deed: so a deed is told if it counts, and only
then. What is told to one hook is told in its order.
"""

import base64
import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from sqlalchemy import Connection, Engine, func, insert, literal, select, update

from linesies.league.errors import BadInput
from linesies.league.tables import IS_DUE, deliveries, webhooks

SECRET_BYTES = 32
SOONEST_S, LATEST_S = 5.0, 3600.0  # after a failure it is tried again, each time twice as late
MOST_TRIES = 14  # half a day


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """Something that is to be told to a hook now."""

    delivery: int
    url: str
    secret: bytes
    kind: str
    tournament: int
    number: int
    made_at: datetime
    tries: int


class Webhooks:
    """Remembers nothing itself: all is in the database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def add(self, url: str) -> dict[str, Any]:
        """Tell an address from now on; gives the secret by which it knows that we told it. Raises BadInput."""
        try:
            is_address = urlsplit(url).scheme in ("http", "https") and bool(urlsplit(url).hostname)
        except ValueError:
            is_address = False
        if not is_address or not url.isprintable():
            raise BadInput("url: an address that begins with http:// or https:// is told of what happens")
        secret = os.urandom(SECRET_BYTES)
        made = insert(webhooks).values(url=url, secret=secret).returning(webhooks.c.hook)
        with self._engine.begin() as connection:
            hook = int(connection.execute(made).scalar_one())
        return {"hook": hook, "secret": "whsec_" + base64.b64encode(secret).decode()}

    def end(self, hook: int) -> bool:
        """Tell a hook nothing more; tells whether it was told anything."""
        meant = (webhooks.c.hook == hook) & webhooks.c.ended_at.is_(None)
        with self._engine.begin() as connection:
            found = connection.execute(update(webhooks).where(meant).values(ended_at=func.now()))
            waiting = IS_DUE & (deliveries.c.hook == hook)
            connection.execute(update(deliveries).where(waiting).values(done_at=func.now()))
        return bool(found.rowcount)

    def all(self) -> list[dict[str, Any]]:
        """List who is told, how much waits for each, and why the last try failed."""
        its = IS_DUE & (deliveries.c.hook == webhooks.c.hook)
        waiting = select(func.count()).where(its).scalar_subquery().label("waiting")
        fault = select(func.max(deliveries.c.fault)).where(its).scalar_subquery().label("fault")
        asked = select(webhooks.c.hook, webhooks.c.url, waiting, fault)
        with self._engine.connect() as connection:
            found = connection.execute(asked.where(webhooks.c.ended_at.is_(None)).order_by(webhooks.c.hook)).all()
        return [dict(one._mapping) for one in found]  # noqa: SLF001 - SQLAlchemy's name for a row as a mapping

    def due(self) -> Sequence[Delivery]:
        """Give what is to be told now: of each hook the first that waits, if its time has come."""
        first = select(func.min(deliveries.c.delivery)).where(IS_DUE).group_by(deliveries.c.hook)
        both = deliveries.join(webhooks)
        columns = [deliveries.c[name] for name in ("delivery", "kind", "tournament", "number", "made_at", "tries")]
        asked = select(*columns, webhooks.c.url, webhooks.c.secret).select_from(both)
        now = deliveries.c.due_at <= func.now()
        with self._engine.connect() as connection:
            found = connection.execute(asked.where(deliveries.c.delivery.in_(first), now)).all()
        return [Delivery(**one._mapping) for one in found]  # noqa: SLF001 - likewise

    def told(self, delivery: Delivery, fault: str | None) -> None:
        """Note that it was told, or why not; then it is tried again later, or given up."""
        again_s = min(SOONEST_S * 2**delivery.tries, LATEST_S)
        is_over = fault is None or delivery.tries + 1 >= MOST_TRIES
        values: dict[str, Any] = {"tries": delivery.tries + 1, "fault": fault}
        values |= {"done_at": func.now()} if is_over else {"due_at": func.now() + timedelta(seconds=again_s)}
        with self._engine.begin() as connection:
            connection.execute(update(deliveries).where(deliveries.c.delivery == delivery.delivery).values(**values))


def tell_hooks(connection: Connection, kind: str, tournament: int, number: int) -> None:
    """Put a deed of a tournament, or that it is undone, into the queue of every hook."""
    told = select(webhooks.c.hook, literal(kind), literal(tournament), literal(number))
    asked = told.where(webhooks.c.ended_at.is_(None))
    connection.execute(insert(deliveries).from_select(["hook", "kind", "tournament", "number"], asked))
