"""Skull: being stuck in it and getting out (3.2.0, 3.3.1)."""

from rules.skully.play import Play


def stuck_in_skull(play: Play, name: str) -> None:
    """3.2.0, Skull, Dead: a cap that lies completely in the skull is dead until it is struck out; not so in 13."""
    play.change(name, status="stuck")
    play.say("stuck_in_skull", "3.2.0", player=name, at=play.players[name].at)


def freed(play: Play, name: str, by: str) -> None:
    """3.3.1, Skull: hit out of the skull, be it onto its lines, the victim is back in the game."""
    play.change(name, status="playing")
    play.say("freed", "3.3.1", player=name, by=by)
