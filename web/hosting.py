"""Hosting: what the owner needs to set a game up: the games and their options, the live picture, the storage left."""

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from flask import Blueprint, Response, jsonify, request

from linesies import rules
from linesies.games import GAMES
from linesies.rules import Catalogue, Option
from linesies.web.language import language_of, translator, words_of
from linesies.web.phones import FOR_THE_REFEREE
from linesies.web.ports import Device
from linesies.web.roles import Doorkeeper
from linesies.web.safety import refusal, token

SOON_S = 1


def hosting_pages(doorkeeper: Doorkeeper, device: Device | None) -> Blueprint:
    """Make what a host sees."""
    pages = Blueprint("hosting", __name__)

    @pages.get("/games")
    def games() -> Response:
        language = language_of(request)
        return jsonify(
            games=[
                game_json(game, words_of(name, language), translator(language)) for name, game in rules.GAMES.items()
            ]
        )

    @pages.get("/camera.jpg")
    def camera() -> Response:
        return refused() or _picture(None if device is None else device.picture())

    @pages.get("/caps")
    def caps() -> Response:
        return refused() or jsonify(caps=None if device is None else device.found_caps())

    @pages.get("/storage")
    def storage() -> Response:
        free, whole = (0, 0) if device is None else device.storage()
        return refused() or jsonify(free=free, whole=whole)

    @pages.get("/cameras")
    def cameras() -> Response:
        return refused() or jsonify(cameras=[] if device is None else device.cameras())

    def refused() -> Response | None:
        is_referee = doorkeeper.role(token()).is_referee
        return None if is_referee else refusal(403, "referee_only", FOR_THE_REFEREE)

    return pages


def _picture(coded: bytes | None) -> Response:
    if coded is not None:
        return Response(coded, mimetype="image/jpeg")
    answer = refusal(503, "no_picture_yet", NO_PICTURE)
    answer.headers["Retry-After"] = str(SOON_S)
    return answer


NO_PICTURE = "No picture yet; try again in a moment."


def game_json(game: Any, words: Catalogue, say: Callable[[str], str] = str) -> dict[str, Any]:
    """Write a game with its presets and options, each with its one line of meaning."""
    presets = [
        {"name": one.name, "options": dict(one.options), "means": words.presets[one.name]} for one in game.presets
    ]
    options = [option_json(option, words.options[option.name], say) for option in game.options]
    needs_caps = GAMES[game.name].needs_caps
    return {
        "name": game.name,
        "title": words.title,
        "short_title": words.short_title,
        "presets": presets,
        "options": options,
        "needs_caps": needs_caps,
        "has_head_starts": GAMES[game.name].head_start is not None,
    }


def option_json(option: Option, means: str, say: Callable[[str], str]) -> dict[str, Any]:
    """Write an option: its default and how it is chosen, `kind` null where it cannot be on a phone."""
    told = {"name": option.name, "default": option.default, "means": means, "values": option.values}
    if option.choosing is None:
        return {**told, "kind": None}
    none = option.choosing.none
    return {**told, **asdict(option.choosing), "none": none and say(none)}
