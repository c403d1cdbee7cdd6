"""Who is told besides the pages: webhooks at the organiser's doors, and a broker."""

from typing import Any

import msgspec
from flask import Flask

from linesies.league.bell import Bell
from linesies.league.calling import Calling
from linesies.league.calls import call_json
from linesies.league.organising import STRANGER, Organisers, read
from linesies.league.posting import Post
from linesies.league.schedule import Schedule
from linesies.league.standings import Standings
from linesies.league.webhooks import Delivery, Webhooks

EVERY_S = 5.0


class Hook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An address that is to be told."""

    url: str


def hook_pages(app: Flask, hooks: Webhooks, organisers: Organisers) -> None:
    """Add the organiser's doors to webhooks; that only he posts there is seen to where he is let in."""

    @app.get("/webhooks")
    def hooks_told() -> Any:
        return hooks.all() if organisers.is_here else (STRANGER, 403)

    @app.post("/webhooks")
    def add_hook() -> Any:
        return read(Hook, lambda hook: hooks.add(hook.url))

    @app.post("/webhooks/<int:hook>/end")
    def end_hook(hook: int) -> Any:
        return {"done": hooks.end(hook)}


def tell_hooks_on(bell: Bell, hooks: Webhooks, schedule: Schedule) -> None:
    """Carry what waits for webhooks whenever the bell rings."""

    def said(delivery: Delivery) -> dict[str, Any] | None:
        told = schedule.deed(delivery.tournament, delivery.number)
        kind, at = f"tournament.{delivery.kind}", delivery.made_at.isoformat()
        return None if told is None else {"type": kind, "timestamp": at, "data": told}

    bell.follow(Post(hooks, said).look, name="webhooks", at_least_every_s=EVERY_S)


def league_json(standings: Standings, schedule: Schedule, calling: Calling) -> dict[str, Any]:
    """Write how the whole league stands, topic by topic."""
    told: dict[str, Any] = {f"board/{one['board']}": one for one in standings.boards_json()}
    for number, titled in schedule.tournaments().items():
        now = titled.now
        told[f"tournament/{number}"] = {
            "name": titled.name,
            "winner": now.winner,
            "ranking": list(now.standing.ranking),
            "waiting": len(now.waiting),
            "gone": sorted(now.gone),
        }
    return {**told, "calls": [call_json(call) for call in calling.awaited()]}
