"""What every game says of people who come and go, and of what they set right; what is said of seats, of card games."""

TELLS = {
    "leave": "Somebody goes home",
    "join": "Somebody joins, or comes back",
    "join.player": "Who joins",
    "correct": "Put right how a player stands",
    "correct.players": "Whom",
}
SENTENCES = {
    "left": "{player} has left the game.",
    "corrected": "The game was set right.",
}
REFUSALS = {
    "already_in": "{player} is already playing.",
    "bad_correction": "That cannot be: {fault}.",
}
SEATED = {
    **SENTENCES,
    "joined when=now": "{player} joins the game.",
    "joined when=next_round": "{player} joins the game with the next round.",
    "sits_after": "{player} sits on the left of {by}, and plays after {by}.",
}
NO_SEAT = {**REFUSALS, "table_full": "No more than {most} can play."}
