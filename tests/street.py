"""A game of Skully for tests: set the caps up as a case needs them, play, and read what was said in one line each."""

from linesies import rules


class Street:
    """One game; `edits` say how each player stands, `turn` whose turn it is."""

    def __init__(self, *players, turn=None, edits=None, **options):
        names = list(players or ("ana", "bo", "cy"))
        start = {"event": "start", "game": "skully", "players": names, "options": options}
        self.game, self.state, _ = rules.start(start)
        if edits or turn:
            self.said({"event": "correct", "players": edits or {}} | ({"turn": turn} if turn else {}))

    def said(self, event):
        """Give an event that is allowed; each ruling as 'paragraph code key=value ...'."""
        answer = self.game.apply(self.state, event)
        assert not isinstance(answer, rules.Refused), answer
        self.state, rulings = answer
        for ruling in rulings:
            assert rules.sentence("skully", ruling)
        return [
            " ".join([ruling.rule, ruling.code, *(f"{key}={value}" for key, value in ruling.details.items())])
            for ruling in rulings
        ]

    def refused(self, event):
        """Give an event that is not allowed; the code of its refusal."""
        before = self.public
        answer = self.game.apply(self.state, event)
        assert isinstance(answer, rules.Refused), answer
        assert rules.sentence("skully", answer)
        assert self.public == before
        return answer.code

    def shot(self, player, rest, *hits, **rests):
        """Say what `player`'s shot brings: his cap's rest, hits as 'by>victim', the rest of each cap moved."""
        return self.said(shot(player, rest, *hits, **rests))

    @property
    def public(self):
        """The whole public state."""
        return self.game.public(self.state)

    def cap(self, name):
        """One player's entry in the public state, without his name."""
        entry = next(player for player in self.public["players"] if player["name"] == name)
        return {key: value for key, value in entry.items() if key != "name"}

    def at(self, name):
        """Where a cap lies, and the box it is at home in."""
        return self.cap(name)["at"], self.cap(name)["home"]

    def way(self, name):
        """What a player has made and goes for."""
        return self.cap(name)["made"], self.cap(name)["going_for"]


def shot(player, rest, *hits, **rests):
    """Write a shot: hits as 'by>victim'."""
    rests = {player: rest} | {name.rstrip("_"): place for name, place in rests.items()}
    return {"event": "shot", "player": player, "hits": [hit.split(">") for hit in hits], "rest": rests}


def on(going_for, at="open", **more):
    """How a player stands: what he goes for and where his cap lies."""
    return {"going_for": going_for, "at": at} | more


def killer(at="town"):
    """How a killer stands."""
    return {"status": "killer", "at": at}


def stuck(going_for, at):
    """How somebody stuck in the skull stands."""
    return {"going_for": going_for, "at": at, "status": "stuck"}
