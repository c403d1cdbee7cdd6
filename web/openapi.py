"""The API in writing: OpenAPI for every door of the page, made from the same types that read what comes in."""

from typing import Any

from flask import Blueprint, Flask, Response, jsonify

from linesies.referee.orders import AnyOrder
from linesies.web.describing import Doors, described
from linesies.web.joining import SeatWish, TypedCode
from linesies.web.leaving import NoMore
from linesies.web.people import HistoryWish
from linesies.web.phones import PhoneName
from linesies.web.safety import TOKEN_HEADER

FILES: dict[str, str] = {  # what the page is made of, wherever it is served
    "/page/{name}": "a file of the page, named by what is in it",
    "/game/{game}/{file}": "a file of the page that a game brought from outside",
    "/book/{game}": "a game's rule book in plain words",
    "/forms/{game}": "what may be told of a game: each event with its fields, from which the page draws its sheets",
}
DOORS: dict[str, str] = {  # what each path is for; what it takes and gives is below
    **FILES,
    "/": "the page for phones",
    "/screen": "the page for a television or projector",
    "/overlay": "the page to lay over a stream, transparent",
    "/story": "the whole story as this phone may see it",
    "/feed": "the story and each moment as they come (server-sent events `story` and `now`); resumes after a row",
    "/evidence/{name}": "a picture or clip behind a call",
    "/case/{row}.zip": "what the calls of a row were measured from, to be sent; 404 where nothing is kept",
    "/certificate": "how exact calls have proved to be here, and whether that still holds; null: nobody has",
    "/proof": "how far a guided proof has come, place by place; for the referee",
    "/preview": "what an order would change, before it is given: whose standing, whose turn, which later entries",
    "/before/{row}": "how things stood publicly before an entry",
    "/orders": "an order to the referee; 202 with its number in his inbox",
    "/join": "the invitation with QR codes; or a code that gives this phone a seat or the referee's rights",
    "/join/{number}.svg": "the QR code of one address",
    "/seat": "sit for a player without a code, where every phone is trusted",
    "/leave": "give up seats and rights",
    "/phones": "the paired phones and the codes for the next; for the referee",
    "/phones/revoke": "take everything back from a phone; for the referee",
    "/games": "the games with their options and presets",
    "/camera.jpg": "what the camera sees; for the referee",
    "/cameras": "the cameras that this machine has; for the referee",
    "/caps": "the caps that the camera found by itself on its last picture; for the referee",
    "/deck/{game}": "which of a game's own cards were photographed, and whether they are learned; for the referee",
    "/deck/{game}/{card}": "the photograph of one card, a JPEG; for the referee",
    "/league": "the league that the box belongs to, null for none; for the referee",
    "/league/leave": "leave that league; 409 where its hub refuses; for the referee",
    "/storage": "room left where the game is kept; for the referee",
    "/past": "all games that the journal holds",
    "/past/{number}": "how a game went",
    "/past/{number}.svg": "the same as a picture",
    "/past/{number}.jsonl": "a game's events, as `linesies rule` takes them",
    "/past/{number}.csv": "the same as a table",
    "/people": "the records of the board, and whose games are summed up; or the wish that a player's are, or are not",
    "/people/{player}": "what a player did across games, if he chose to have it kept",
    "/api": "this description",
}
BODIES: dict[str, Any] = {
    "/orders": AnyOrder,
    "/preview": AnyOrder,
    "/join": TypedCode,
    "/seat": SeatWish,
    "/phones/revoke": PhoneName,
    "/leave": None,
    "/league/leave": NoMore,
    "/people": HistoryWish,
}
QUERIES: dict[str, dict[str, Any]] = {
    "/feed": {"after": {"type": "integer", "minimum": 0}, "lang": {"enum": ["en", "es"]}},
    "/join/{number}.svg": {"seat": {"type": "string", "pattern": "^[0-9]{0,12}$"}},
}
ANSWERS = {"200": "as told", "400": "makes no sense", "403": "not for this phone", "404": "nothing there"}
TAKEN = {"202": "in the referee's inbox", "415": "no JSON", "429": "too fast", **ANSWERS}
ABOUT = (
    "The page and its API are one. Unsafe methods need the page's own Origin, its cookie, and the page's sign in "
    f"{TOKEN_HEADER} (the meta element `linesies-token`). What a phone may not know is in no answer that it gets."
)
PAGE = Doors(
    title="Linesies", about=ABOUT, summaries=DOORS, bodies=BODIES, queries=QUERIES, answers=ANSWERS, taken=TAKEN
)


def api_pages(app: Flask) -> Blueprint:
    """Make the description's own page."""
    pages = Blueprint("api", __name__)

    @pages.get("/api")
    def api() -> Response:
        return jsonify(described(app, PAGE))

    return pages
