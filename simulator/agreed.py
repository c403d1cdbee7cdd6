"""What simulated people have agreed on: a short game, a preset, options given, or what the seed draws."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from linesies import rules
from linesies.device.errors import BadInput

DRAWN = "drawn"
PARTNERSHIPS = (4, 6)
ONE_DECK = 4  # so many play small_shelf with one deck
JORIS = range(4, 7)
SKULLY_WAYS = {
    "early_hits": ("start_over", "allowed"),
    "hit_killer": ("be_killer", "dead"),
    "killer_board": ("board_gone", "owns_board"),
    "killer_round": ("in_order", "any_order"),
}
SKULL_NUMBERS = ((2, 4, 6, 8), (1, 1, 1, 1), (1, 2, 3, 4))  # as people paint them, in any order
Options = dict[str, Any]


def options_of(game: str, players: Sequence[str], options: str | None, preset: str | None, seed: int) -> Options:
    """Agree on a game's options; raises BadInput for what the rules refuse.

    `options` is JSON, DRAWN, or None: a short game that is soon over; those given go before the preset's.
    """
    if options == DRAWN:
        agreed = _DRAWN[game](players, np.random.default_rng([seed, 107]))
    elif options is None and preset is None:
        agreed = _short(game, len(players))
    else:
        agreed = {**_preset(game, preset), **_read(options)}
    try:
        rules.start({"event": "start", "game": game, "players": list(players), "options": agreed})
    except rules.BadStart as fault:
        raise BadInput(f"sim: options: {fault}") from None
    return agreed


def _read(options: str | None) -> Options:
    try:
        read = json.loads(options or "{}")
    except ValueError:
        read = None
    if not isinstance(read, dict):
        raise BadInput(f'sim: `options` must be "{DRAWN}" or JSON such as {{"stock": 5}}, not {options!r}')
    return read


def _preset(game: str, name: str | None) -> Options:
    presets: dict[str, Mapping[str, Any]] = {preset.name: preset.options for preset in rules.GAMES[game].presets}
    if name is None:
        return {}
    if name not in presets:
        raise BadInput(f"sim: {game} has no preset {name!r}; choose from {', '.join(presets)}")
    return dict(presets[name])


def _short(game: str, players: int) -> Options:
    if game == "skull":
        return {"ruleset": "small_shelf"} if players <= ONE_DECK else _many_at_skull(players)
    short: dict[str, Options] = {
        "skully": {},
        "skull_king": {"rounds": [1, 2, 3]},
        "skipbo": {"stock": 3, "target": None},
    }
    return short[game]


def _many_at_skull(players: int) -> Options:
    return {"ruleset": "joris"} if players in JORIS else {"ruleset": "small_shelf", "decks": 3}


def _draw_skull(players: Sequence[str], rng: np.random.Generator) -> Options:
    if len(players) in JORIS and rng.random() < 0.5:
        deck: Options = {"ruleset": "joris"}
    else:
        deck = {"ruleset": "small_shelf", "decks": 3 if len(players) > ONE_DECK or rng.random() < 0.5 else 1}
    variants: Options = {"open_bid": _toss(rng), "fortune_favours_the_bold": _toss(rng)}
    return {**deck, **variants, "starter": str(rng.choice(list(players)))}


def _draw_skull_king(players: Sequence[str], rng: np.random.Generator) -> Options:
    drawn: Options = {name: _toss(rng) for name in ("kraken", "whale", "loot", "pirate_abilities")}
    if _toss(rng):
        drawn |= {"scoring": "rascal", "cannonball": _toss(rng)}
    return {**drawn, "dealer": str(rng.choice(list(players)))}


def _draw_skipbo(players: Sequence[str], rng: np.random.Generator) -> Options:
    partners = len(players) in PARTNERSHIPS and _toss(rng)
    stock = int(rng.choice([10, 15]))
    return {"partners": partners, "stock": stock, "target": None, "dealer": str(rng.choice(list(players)))}


def _draw_skully(players: Sequence[str], rng: np.random.Generator) -> Options:
    drawn: Options = {name: str(rng.choice(ways)) for name, ways in SKULLY_WAYS.items()}
    return {
        **drawn,
        "linesies": _toss(rng),
        "killer_hits": int(rng.integers(1, 4)),
        "pipsies": int(rng.integers(0, 3)),
        "skull_lines": str(rng.choice(("open", "skull"))),
        "teams": 2 if len(players) in PARTNERSHIPS and _toss(rng) else 0,
        "skull_numbers": [int(number) for number in rng.permutation(rng.choice(SKULL_NUMBERS))],
    }


def _toss(rng: np.random.Generator) -> bool:
    return bool(rng.random() < 0.5)


_DRAWN: Mapping[str, Callable[[Sequence[str], np.random.Generator], Options]] = {
    "skully": _draw_skully,
    "skull": _draw_skull,
    "skull_king": _draw_skull_king,
    "skipbo": _draw_skipbo,
}
