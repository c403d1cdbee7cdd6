"""Games from outside, let into this process for one test."""

from dataclasses import replace

from linesies import games, rules
from linesies.games import GAMES
from tests.outside_packages import HERE

ONE_ROUND = {"event": "start", "game": "crokinole", "players": ["ana", "bo"], "options": {"discs": 1, "rounds": 1}}


def crokinole(monkeypatch):
    """Let crokinole in, as its package offers it."""
    monkeypatch.syspath_prepend(str(HERE / "crokinole"))
    from linesies_crokinole.game import CROKINOLE  # noqa: PLC0415 - a package from outside, there for this test

    return let_in(CROKINOLE, monkeypatch)


def renamed(house, name, monkeypatch, *, without=(), **parts):
    """Let a game of the house in under another name, without these keys of its public state, some parts changed."""
    known = GAMES[house].rules

    class Renamed:
        def __getattr__(self, asked):
            return getattr(known, asked)

        def public(self, state):
            told = {**known.public(state), "game": name}
            return {key: value for key, value in told.items() if key not in without}

    inner = Renamed()
    inner.name = name
    return let_in(replace(GAMES[house], rules=inner, **parts), monkeypatch)


def let_in(game, monkeypatch):
    """Let a game in until the test is over."""
    for registry in (games.registry._known, games.registry._packages, rules.registry._known):
        monkeypatch.setitem(registry, game.name, None)
    fault = games.admit(game, "linesies-somebodys")
    assert fault is None, fault
    return games.GAMES[game.name]


def crokinole_shot(player, at="20"):
    """A shot as crokinole's eyes tell it: who shot, and where all lies; it knows no hits as caps do."""
    lie = {"ana": [], "bo": []} | {player: [at]}
    return {"event": "shot", "player": player, "at": at, "touched": [], "own_touched": [], "lie": lie}
