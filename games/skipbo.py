"""Skip-Bo: building piles from one to twelve, with a die."""

from collections.abc import Iterable

from linesies.games.calls import WON, UmpireCall, UmpireCalls
from linesies.games.game import CardsOnMat, Doubt, Game, Part, Rectangle
from linesies.games.numbers import Numbers, kept
from linesies.rules import Json
from linesies.rules.skipbo.game import SKIPBO as RULES
from linesies.rules.skipbo.piles import FACES, NUMBERS_OF_FACE, next_number
from linesies.rules.skipbo.state import WILD

PILE_MM = (84.0, 116.0)
APART_MM = 12.0
SIDES = {"SB": "Skip-Bo", "DISCARD2": "Discard 2", "DRAW1": "Others draw 1"}  # of the die, beside its numbers


def _row(*names: str) -> dict[str, Rectangle]:
    """Lay places of a pile's size side by side in the mat's middle."""
    wide, tall = PILE_MM
    left = -3 * wide - 30
    xs = [left + i * (wide + APART_MM) for i in range(len(names))]
    return {name: (x, -tall / 2, x + wide, tall / 2) for name, x in zip(names, xs, strict=True)}


def sides(event: Json, _public: Json) -> Iterable[tuple[str, str]]:
    """List the sides that a die which could not be read may show."""
    return ((SIDES.get(face, face), face) for face in FACES if event["event"] == "roll")


def of_the_die(event: Json, public: Json) -> Doubt | None:
    """Ask what only people know of the die: whether a discard is one of its two, and what a wild card lies on."""
    die = public["die"]
    if event["event"] == "discard" and die["face"] == "DISCARD2" and not die["used"]:
        extra = ("One more, by the die", {**event, "die": True})
        return Doubt("the die allows two more discards", (extra, ("It ends the turn", event)))
    if event["event"] != "play" or event["card"] != WILD or die["used"]:
        return None
    wanted = next_number(public["building"][event["pile"] - 1]["top"])
    if wanted not in NUMBERS_OF_FACE[die["face"]]:
        return None
    on_it = (f"As {next_number(wanted)}, on the die as {wanted}", {**event, "die": wanted})
    return Doubt("the wild card may lie on the die", ((f"As {wanted}", event), on_it))


def standing(public: Json, now: Json) -> Numbers:
    """Read each player's points, and while it is still the same game, the cards of stock and hand."""
    points = {name: side["score"] for side in public["sides"] for name in side["players"]}
    told: dict[str, dict[str, int]] = {name: {"score": score} for name, score in points.items()}
    if public["game_no"] == now["game_no"]:
        for one in public["players"]:
            told[one["name"]] |= {"stock_cards": one["stock"]["cards"], "hand": one["hand"]}
    return told


SKIPBO = Game(
    rules=RULES,
    seen=CardsOnMat(
        seat_mm=(420.0, 115.0),
        middle_mm=(570.0, 150.0),
        most=6,
        places=5,  # the stock and four discard piles
        has_doubles=True,  # twelve of each number
        tells=Part("linesies.vision.cards.table.skipbo:SkipBoTeller"),
        between=_row("draw", "pile1", "pile2", "pile3", "pile4", "die"),
    ),
    own_events=frozenset(
        {"leave", "turn_up", "draw", "roll", "play", "discard", "opponent_draws", "end_turn", "notice"}
    ),
    keep=kept(standing),
    unread=sides,
    doubt=of_the_die,
    calls=UmpireCalls(
        headlines={
            "game_won": WON,
            "match_won": WON,
            "pile_completed": UmpireCall("twelve", "Twelve! That pile is done."),
        }
    ),
    decisive={"stock_finished": 8},
    page="games/skipbo/game.js",
)
