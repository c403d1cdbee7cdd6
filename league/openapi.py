"""The hub's API in writing, made from the same types that read what comes in."""

from flask import Flask, Response, jsonify

from linesies.league.organising import OrganiserCode, Person, Recall, Word
from linesies.league.schedule import Opening
from linesies.league.telling import Hook
from linesies.league.tournament import Deed
from linesies.league.wire import Joining, Leaving, Offered, Pushed
from linesies.web import FILES, Doors, described

ANSWERS = {
    "200": "as told",
    "403": "for the organiser alone",
    "404": "nothing there",
    "503": "the database fails, or the place of files",
}
HUB = Doors(
    title="A league of Linesies",
    about=(
        "Everybody reads. The organiser types the code of the hub's console at `/organiser` and sends the cookie that "
        "comes back. What boards say (`/league/...`) is signed with their keys."
    ),
    summaries={
        **FILES,
        "/": "the page for everybody",
        "/api": "this description",
        "/boards.json": "each board: who plays there, whose turn it is, who has won, the last call",
        "/boards/{board}/story.json": "the whole story of the game on a board",
        "/boards/{board}/whole.json": "the same for its page, which an engine tells what comes after",
        "/boards/{board}/screen": "a board's page, for a television or projector",
        "/boards/{board}/overlay": "a board's page to lay over a stream, transparent",
        "/boards/{board}/feed": "the story of the game on a board as it comes (server-sent events `story` and `now`)",
        "/boards/{board}/files/{row}.json": "where clip and case of a call are, if the board's owner lets all see them",
        "/boards/{board}/files/{row}/{kind}": "a `clip` (MP4), or a `case`: what calls were measured from (zip)",
        "/boards/{board}/leave": "take a board out of the league; for the organiser",
        "/feed": "boards and calls whenever they change (server-sent events)",
        "/joining.json": "the code with which the next board joins; for the organiser",
        "/organiser": "the organiser's code; gives a cookie",
        "/organiser.json": "whether whoever asks is the organiser",
        "/people/forget": "shred a person's name; 400 while he plays; for the organiser",
        "/ratings.json": "how strong everybody is who has played",
        "/tournaments": "the page of tournaments; or a new one; for the organiser",
        "/tournaments.json": "all tournaments, the newest first",
        "/tournaments/{number}": "a tournament's page",
        "/tournaments/{number}.json": "a tournament's matches, ranking and winner, and where each match is called to",
        "/tournaments/{number}/deeds": "a result, who left, who did not come; `preview`: what that would change",
        "/tournaments/{number}/word": "take what a board says after its match, or leave it; for the organiser",
        "/tournaments/{number}/recall": "take a match back from its board; for the organiser",
        "/tournaments/{number}/undo": "take back what was said last; for the organiser",
        "/export/{table}.csv": "results, standings, ratings or rulings, as a table",
        "/export/{table}.jsonl": "the same as JSON Lines",
        "/webhooks": "who is told of each deed; or somebody more, with the secret that signs; for the organiser",
        "/webhooks/{hook}/end": "tell a hook nothing more; for the organiser",
        "/league/boards": "a board joins with the hub's code",
        "/league/files": "a board says which files of its calls all may see, or that none; is told which are wanted",
        "/league/files/{epoch}/{row}/{kind}/{digest}": "a board brings such a file, named by its SHA-256",
        "/league/leave": "a board leaves",
        "/league/rows": "a board tells rows of its journal, or asks what is held",
    },
    bodies={
        "/organiser": OrganiserCode,
        "/people/forget": Person,
        "/tournaments": Opening,
        "/tournaments/{number}/deeds": Deed,
        "/tournaments/{number}/word": Word,
        "/tournaments/{number}/recall": Recall,
        "/webhooks": Hook,
        "/league/boards": Joining,
        "/league/files": Offered,
        "/league/leave": Leaving,
        "/league/rows": Pushed,
    },
    queries={},
    answers=ANSWERS,
    taken={
        **ANSWERS,
        "400": "makes no sense",
        "401": "not signed by the board",
        "409": "a hole, a fork, or said before",
        "413": "too large",
    },
)


def api_page(app: Flask) -> None:
    """Add the description's own door."""

    @app.get("/api")
    def api() -> Response:
        return jsonify(described(app, HUB))
