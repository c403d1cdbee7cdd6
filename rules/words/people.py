"""What people tell in every game: who goes, who comes, and how a player really stands."""

PEOPLE = {
    "leave": "Somebody goes home",
    "join": "Somebody joins, or comes back",
    "join.player": "Who joins",
    "correct": "Put right how a player stands",
    "correct.players": "Whom",
}
