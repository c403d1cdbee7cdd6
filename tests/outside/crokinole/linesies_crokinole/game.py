"""The game as one value: rules, words, eyes, page."""

from pathlib import Path

from linesies.games import Game, OwnEyes, Part, Tally, UmpireCall, UmpireCalls
from linesies.rules import Catalogue
from linesies_crokinole.rules import Crokinole

WORDS = Catalogue(
    title="Crokinole, discs on a round board",
    sentences={
        "no_contact": "{player} touched no disc of the other side: {discs:disc comes|discs come} off the board.",
        "short_of_the_middle": "{player} did not reach the middle: {discs:disc comes|discs come} off the board.",
        "twenty": "{player} is in the hole: twenty!",
        "into_the_ditch": "{player} has {discs:disc|discs} in the ditch.",
        "round_scored": "Round {round}: {scores}.",
        "next_turn": "It is {player}'s turn.",
        "game_won": "{players} wins the game!",
        "game_drawn": "{players} share the game.",
    },
    refusals={
        "bad_event": "That makes no sense: {fault}.",
        "game_over": "The game is over.",
        "not_your_turn": "It is not {player}'s turn.",
    },
    options={"discs": "discs that each player shoots in a round", "rounds": "rounds of a game"},
    presets={"tournament": "eight discs, four rounds", "quick": "four discs, one round"},
)

CROKINOLE = Game(
    rules=Crokinole(WORDS),
    seen=OwnEyes(eyes=Part("linesies_crokinole.eyes:Eyes")),
    calls=UmpireCalls(
        headlines={
            "game_won": UmpireCall("won", "{player} wins!"),
            "no_contact": UmpireCall("foul", "Foul by {player}!"),
        },
        too={
            "twenty": UmpireCall("twenty", "Twenty for {player}!"),
            "next_turn": UmpireCall("next", "{player} is up."),
        },
    ),
    tallies=(
        Tally(code="holed", title="twenties", of=frozenset({"twenty"}), adds="discs", most="most twenties in a game"),
        Tally(code="ditched", title="discs in the ditch", of=frozenset({"into_the_ditch"}), adds="discs"),
    ),
    columns=("points", "score", "holed"),
    page=Path(__file__).parent / "page",
)
