"""A card game played by hand in a test: say what happens, see what is ruled."""

from linesies import rules


class Sitting:
    """Remembers the state of one game; `do` gives the rulings as (code, details) or the refusal's code."""

    def __init__(self, game, players, **options):
        start = {"event": "start", "game": game, "players": players.split(), "options": options}
        self.game, self.state, self.opening = rules.start(start)

    def do(self, event, player=None, **keys):
        given = {"event": event, **({"player": player} if player else {}), **keys}
        answer = self.game.apply(self.state, given)
        if isinstance(answer, rules.Refused):
            return answer.code
        self.state, rulings = answer
        return [(ruling.code, dict(ruling.details)) for ruling in rulings]

    def codes(self, *args, **keys):
        answer = self.do(*args, **keys)
        return answer if isinstance(answer, str) else [code for code, _ in answer]

    @property
    def public(self):
        return self.game.public(self.state)

    def of(self, name):
        return next(player for player in self.public["players"] if player["name"] == name)
