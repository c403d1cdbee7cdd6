"""Whose turn it is (1.5, 3.1, 3.2.0), who is out, and who has won (1.4)."""

from linesies.rules.skully.play import Play


def out_of_turn(play: Play, name: str) -> None:
    """3.1: a player going out of turn loses his next turn; decision: each offence costs one."""
    skip = play.players[name].skip + 1
    play.change(name, skip=skip)
    play.say("out_of_turn", "3.1", player=name, skip=skip)


def shoot_again(play: Play, name: str, rule: str = "3.2.0") -> None:
    """3.2.0, 3.3.0: a turn is continued by obtaining the objective, by bonus or by shooting; a killer's 3.2.4."""
    play.say("shoot_again", rule, player=name, going_for=play.players[name].going_for)


def end_turn(play: Play, reason: str) -> None:
    """3.2.0: a turn ends when the player fails to meet his objective; the next one's starts then."""
    play.say("turn_over", "3.2.0", player=play.turn, reason=reason)
    settle_placing(play)
    play.streak = {}
    play.shots = 0
    all_freed(play)
    next_turn(play)


def end_turn_of_the_stuck(play: Play) -> None:
    """3.2.0, Skull: whoever is stuck loses his turn, also when he is hit into the skull during it."""
    if play.turn is not None and play.players[play.turn].is_stuck:
        end_turn(play, "stuck")


def settle_placing(play: Play) -> None:
    """3.2.2: a cap still to be placed counts as placed, entirely in the box."""
    due = play.placing
    if due is not None:
        play.awaiting.remove(due)
        play.change(due.player, at=due.box, home=due.box)


def all_freed(play: Play) -> None:
    """3.2.0: decision: when everyone is stuck, all are freed where they lie, else nobody could play again."""
    still_in = play.still_in
    if all(player.is_stuck for player in still_in):
        for player in still_in:
            play.change(player.name, status="playing", home=None)
        play.say("all_freed", "3.2.0", players=[player.name for player in still_in])


def next_turn(play: Play) -> None:
    """1.5: players take turns in the agreed order; some lose theirs.

    Decision: with all others stuck, the only one who is not plays on alone.
    """
    order = list(play.players)
    seat = order.index(play.turn or "")
    while True:
        seat = (seat + 1) % len(order)
        player = play.players[order[seat]]
        if not player.is_in:
            continue
        if not turn_lost(play, player.name):
            break
    play.turn = player.name
    play.say("next_turn", "1.5", player=player.name)


def turn_lost(play: Play, name: str) -> bool:
    """3.2.0, 3.1, Skull: the stuck lose their turn; else a penalty costs it; decision: that of the stuck waits."""
    player = play.players[name]
    if player.is_stuck:
        play.say("turn_lost", "3.2.0", player=name, reason="stuck")
        return True
    if player.skip:
        play.change(name, skip=player.skip - 1)
        play.say("turn_lost", "3.1", player=name, reason="out_of_turn")
        return True
    return False


def dead(play: Play, name: str, status: str = "eliminated") -> None:
    """Dead: the player is out of the game and removes his cap; nothing is awaited from him any more."""
    play.change(name, status=status, at="out", home=None, words=())
    play.awaiting = [due for due in play.awaiting if due.player != name]
    play.streak.pop(name, None)


def last_player_remaining(play: Play) -> bool:
    """1.4: the last player remaining wins, or the last team; tells whether that ended the game."""
    still_in = play.still_in
    if len({player.side for player in still_in}) > 1:
        return False
    for player in still_in:
        play.change(player.name, status="winner")
    play.turn, play.shots, play.awaiting, play.streak = None, 0, [], {}
    winner = still_in[0]
    if winner.team is None:
        play.say("game_won", "1.4", player=winner.name)
    else:
        team_won(play, winner.team)
    return True


def team_won(play: Play, team: int) -> None:
    """1.0: partners win together; decision: those among them who are out win, too."""
    play.say("team_won", "1.0", players=[player.name for player in play.players.values() if player.team == team])
