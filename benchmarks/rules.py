"""How many events a second the rules take, beside a well-known rules engine taking its own steps."""

import time
from collections.abc import Callable
from random import Random
from typing import Any

from linesies import rules
from linesies.simulator.bots.skully import SkullyBot

START = {"event": "start", "game": "skully", "players": ["ana", "bo", "cy", "di"]}
EVENTS = 2000
SEED = 7


def measure_rules(*, repeats: int = 5) -> dict[str, float]:
    """Measure Skully's `apply` in events a second, and its ratio to python-chess where that is installed.

    The events are whole games played by bots, the moves of chess a long game by chance. `push_uci` is the comparable
    step: like `apply` it reads a word and refuses what is not allowed; `push` takes a ready move on trust.
    The best of `repeats` runs counts, all in this process, in turn.
    """
    steps = recorded_steps()
    moves = chess_moves()
    works: dict[str, tuple[int, Callable[[], None]]] = {"skully_events_per_s": (len(steps), lambda: replay(steps))}
    if moves:
        words = [move.uci() for move in moves]
        works["chess_push_uci_per_s"] = (len(moves), lambda: push_words(words))
        works["chess_push_per_s"] = (len(moves), lambda: push_moves(moves))
    best_s = dict.fromkeys(works, float("inf"))
    for _ in range(repeats):
        for name, (_, work) in works.items():
            best_s[name] = min(best_s[name], timed(work))
    rates = {name: count / best_s[name] for name, (count, _) in works.items()}
    ours = rates["skully_events_per_s"]
    return rates | {
        f"ratio_to_{name.removesuffix('_per_s')}": ours / rate for name, rate in rates.items() if "chess" in name
    }


def recorded_steps() -> list[tuple[Any, dict[str, Any]]]:
    """Play games by bots from a fixed seed; the state before each event, and the event."""
    random = Random(SEED)  # noqa: S311 - a game, not a secret
    game = rules.GAMES["skully"]
    bot = SkullyBot({option.name: option.default for option in game.options}, random)
    state, _ = game.start(START)
    steps = []
    for _ in range(EVENTS):
        event = bot.event(game.public(state))
        steps.append((state, event))
        answer = game.apply(state, event)
        assert not isinstance(answer, rules.Refused), answer
        state = answer[0] if game.public(answer[0])["phase"] != "over" else game.start(START)[0]
    return steps


def replay(steps: list[tuple[Any, dict[str, Any]]]) -> None:
    """Apply every step again."""
    apply = rules.GAMES["skully"].apply
    for state, event in steps:
        apply(state, event)


def chess_moves() -> list[Any]:
    """Play one long game of chess by chance and give its moves; none without python-chess."""
    try:
        import chess  # noqa: PLC0415 - a tool of development, absent where people only play
    except ImportError:
        return []
    random = Random(SEED)  # noqa: S311 - a game, not a secret
    board = chess.Board()
    while not board.is_game_over() and len(board.move_stack) < EVENTS:
        board.push(random.choice(list(board.legal_moves)))
    return list(board.move_stack)


def push_moves(moves: list[Any]) -> None:
    """Push ready moves from the first position."""
    import chess  # noqa: PLC0415 - see chess_moves

    board = chess.Board()
    for move in moves:
        board.push(move)


def push_words(words: list[str]) -> None:
    """Read each move's word, check that it is legal, and push it."""
    import chess  # noqa: PLC0415 - see chess_moves

    board = chess.Board()
    for word in words:
        board.push_uci(word)


def timed(work: Callable[[], None]) -> float:
    """Measure one run in seconds of this process on its core, so that what else runs here does not count."""
    began = time.process_time()
    work()
    return time.process_time() - began
