"""Scenes of a Skully game as the page is told them: a street board, four caps, and what happens to them."""

import math
from typing import Any

from linesies import rules
from tests.page_server import Stage

SIZE = 1828.8
BOX = 304.8
CORNERS = {
    "1": (0, 0),
    "2": (1524, 1524),
    "3": (1524, 0),
    "4": (0, 1524),
    "5": (1524, 609.6),
    "6": (0, 914.4),
    "7": (1524, 914.4),
    "8": (0, 609.6),
    "9": (914.4, 0),
    "10": (609.6, 1524),
    "11": (609.6, 0),
    "12": (914.4, 1524),
}
INNER, OUTER = (800.1, 1028.7), (609.6, 1219.2)
CAPS = [
    {"player": "ana", "colour": "#1f5fae", "diameter": 32.0, "height": 6.0},
    {"player": "bo", "colour": "#e8c21e", "diameter": 34.2, "height": 12.4},
    {"player": "cal", "colour": "#f1efe8", "diameter": 26.0, "height": 6.0},
    {"player": "dee", "colour": "#c0392b", "diameter": 29.0, "height": 6.0},
]
START = {"event": "start", "game": "skully", "players": ["ana", "bo", "cal", "dee"], "options": {}}
START_PLACES = {"ana": (60, -345), "bo": (130, -352), "cal": (200, -340), "dee": (262, -350)}


def _square(x: float, y: float, size: float = BOX) -> list[list[float]]:
    return [[x, y], [x + size, y], [x + size, y + size], [x, y + size]]


def _trapezoids() -> dict[str, list[list[float]]]:
    (a, b), (p, q) = OUTER, INNER
    return {
        "skull1": [[a, a], [b, a], [q, p], [p, p]],
        "skull2": [[b, a], [b, b], [q, q], [q, p]],
        "skull3": [[b, b], [a, b], [p, q], [q, q]],
        "skull4": [[a, b], [a, a], [p, p], [p, q]],
    }


def set_up() -> dict[str, Any]:
    squares = {name: _square(*corner) for name, corner in CORNERS.items()}
    regions = {**squares, "13": _square(INNER[0], INNER[0], INNER[1] - INNER[0]), **_trapezoids()}
    sides = {
        tuple(sorted((tuple(p), tuple(q)))) for r in regions.values() for p, q in zip(r, [*r[1:], r[0]], strict=True)
    }
    border = _square(0, 0, SIZE)
    sides |= {tuple(sorted((tuple(p), tuple(q)))) for p, q in zip(border, [*border[1:], border[0]], strict=True)}
    return {
        "board": {
            "size": [SIZE, SIZE],
            "line_width": 12.7,
            "regions": [{"name": name, "polygon": polygon} for name, polygon in regions.items()],
            "start_line": [[0, -BOX], [BOX, -BOX]],
        },
        "lines": [{"outline": _painted(*side, number), "skull": False} for number, side in enumerate(sorted(sides))],
        "caps": CAPS,
    }


def _painted(start: tuple[float, float], end: tuple[float, float], number: int) -> list[list[float]]:
    """Paint a side by hand: a little wavy, a little too long."""
    (x1, y1), (x2, y2) = start, end
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    steps = max(3, int(length / 60))
    left, right = [], []
    for i in range(steps + 1):
        along = -5 + (length + 10) * i / steps
        wave = 2.2 * ((i * 7 + number * 3) % 5 - 2) / 2
        half = 6.35 + 0.8 * ((i * 5 + number) % 3 - 1)
        x, y = x1 + ux * along - uy * wave, y1 + uy * along + ux * wave
        left.append([round(x - uy * half, 1), round(y + ux * half, 1)])
        right.append([round(x + uy * half, 1), round(y - ux * half, 1)])
    return left + right[::-1]


def beside_paint(player: str, y: float, gap: float) -> float:
    """Give the x right of box 9's left line at which a cap lies so far from the paint as it is drawn."""
    radius = next(cap["diameter"] for cap in CAPS if cap["player"] == player) / 2
    outlines = [line["outline"] for line in set_up()["lines"]]
    near, far = 914.4 + radius - 10, 914.4 + radius + 20
    for _ in range(40):
        middle = (near + far) / 2
        is_nearer = to_paint(outlines, middle, y) - radius < gap
        near, far = (middle, far) if is_nearer else (near, middle)
    return round(near, 3)


def to_paint(outlines: list[list[list[float]]], x: float, y: float) -> float:
    """Measure how far a point beside the paint is from its nearest edge."""
    edges = [(p, q) for outline in outlines for p, q in zip(outline, [*outline[1:], outline[0]], strict=True)]
    return min(_to_edge((x, y), p, q) for p, q in edges)


def _to_edge(spot: tuple[float, float], p: list[float], q: list[float]) -> float:
    (x, y), (dx, dy) = spot, (q[0] - p[0], q[1] - p[1])
    share = min(1.0, max(0.0, ((x - p[0]) * dx + (y - p[1]) * dy) / (dx * dx + dy * dy or 1.0)))
    return math.hypot(x - p[0] - share * dx, y - p[1] - share * dy)


def call(player: str, x: float, y: float, location: str, gap: float, sigma: float = 0.2) -> dict[str, Any]:
    diameter = next(cap["diameter"] for cap in CAPS if cap["player"] == player)
    return {
        "player": player,
        "x": x,
        "y": y,
        "diameter": diameter,
        "location": location,
        "gap": gap,
        "sigma": sigma,
        "certain": abs(gap) > 2.5 * sigma,
    }


def player(name: str, going_for: str = "1f", at: str = "start", **more: Any) -> dict[str, Any]:
    status = {"name": name, "status": "playing", "going_for": going_for, "made": None, "at": at, "home": None}
    return {**status, "skip": 0, "words": [], **more}


def state(turn: str | None, *players: dict[str, Any], **more: Any) -> dict[str, Any]:
    begun = {"game": "skully", "phase": "shoot", "turn": turn, "shots": 0, "awaiting": [], "streak": {}}
    return {**begun, "do_over": None, "winner": None, "players": list(players), **more}


def shot(name: str, *calls: dict[str, Any], hits: tuple[tuple[str, str], ...] = ()) -> dict[str, Any]:
    return {
        "event": "shot",
        "player": name,
        "hits": [list(hit) for hit in hits],
        "rest": {c["player"]: c["location"] for c in calls},
        "calls": {c["player"]: c for c in calls},
    }


def ruling(code: str, rule: str, **details: Any) -> dict[str, Any]:
    return rules.ruling_json("skully", rules.Ruling(code, rule, details))


CALLS = {
    "ana": call("ana", 150, 1310, "open", 60),
    "bo": call("bo", 1700, 980, "7", 50),
    "cal": call("cal", 910, 700, "skull1", 40),
    "dee": call("dee", 1100, 1650, "12", 90),
}
MIDGAME = (
    player("ana", "9f", "open", made="8f"),
    player("bo", "6b", "7", made="7b", home="7"),
    player("cal", "13", "skull1", status="stuck", made="12f"),
    player("dee", "k2", "skull1", made="1b", words=["skull1"], home="skull1"),
)


def begun(stage: Stage) -> None:
    """Four players behind the start line."""
    stage.tell(set_up=set_up(), game=START, state=state("ana", *(player(n) for n in START["players"])))
    calls = {n: call(n, x, y, "open", 40) for n, (x, y) in START_PLACES.items()}
    stage.tell(calls=calls)
    stage.moment = moment({n: list(xy) for n, xy in START_PLACES.items()})


def moment(caps: dict[str, list[float]] | None = None, **more: Any) -> dict[str, Any]:
    dark = {"in": "off", "on_line": "off", "too_close": "off", "buzzer": "off"}
    still = {"t": 1.0, "at_rest": True, "caps": caps or {}, "signals": dark | more.pop("signals", {})}
    return {**still, "camera": "ok", "in_air": None, "fps": 60.0, **more}


def playing(stage: Stage) -> None:
    """The middle of a game."""
    stage.tell(set_up=set_up(), game=START, state=state("ana", *MIDGAME, do_over="bo"), calls=CALLS)
    missed = shot("bo", call("bo", 1700, 980, "7", 50))
    rulings = [ruling("turn_over", "3.2.0", player="bo", reason="miss"), ruling("next_turn", "1.5", player="ana")]
    stage.enter(event=missed, rulings=rulings)
    stage.moment = moment()


def ways(lies: dict[str, Any], bumped: dict[str, Any]) -> dict[str, Any]:
    """Give tracked ways: Ana's from below to Bo and on to where she lies, Bo's from there to where he was pushed."""
    meet, ana, bo = (905, 420), (lies["x"], lies["y"]), (bumped["x"], bumped["y"])
    glide = [[0.02 * i, 600 + (meet[0] - 600) * i / 20, 1600 + (meet[1] - 1600) * i / 20] for i in range(21)]
    on = [[0.4 + 0.05 * i, *(a + (b - a) * i / 10 for a, b in zip(meet, ana, strict=True))] for i in range(1, 11)]
    left = (meet[0] + 22, meet[1] - 22)
    pushed = [[0.4 + 0.05 * i, *(a + (b - a) * i / 10 for a, b in zip(left, bo, strict=True))] for i in range(11)]
    return {"ana": glide + on, "bo": pushed}


def made(stage: Stage) -> None:
    """Ana is in by a hair, hits Bo, pipsies, and is awarded."""
    lies = call("ana", beside_paint("ana", 180, 1.4), 180, "9", 1.4, 0.15)
    bumped = call("bo", 1012, 250, "9", 20)
    rulings = [
        ruling("box_made", "3.2.2", player="ana", box="9f", by="shot"),
        ruling("pipsies", "3.3.2", player="ana", boxes=2),
        ruling("hit_bonus", "3.3.1", player="ana", victim="bo", boxes=1),
        ruling("box_awarded", "3.3.3", player="ana", box="12f", boxes=3, lost=0),
        ruling("shoot_again", "3.2.0", player="ana", going_for="13"),
    ]
    players = (player("ana", "13", "hand", made="12f"), *MIDGAME[1:])
    due = [{"player": "ana", "what": "place", "box": "12"}]
    then = state("ana", *players, shots=1, phase="place", awaiting=due, do_over="ana")
    stage.enter(
        event=shot("ana", lies, bumped, hits=(("ana", "bo"),)) | {"ways": ways(lies, bumped)},
        rulings=rulings,
        story={"state": then, "calls": {**CALLS, "ana": lies, "bo": bumped}},
    )
    stage.moment = moment(signals={"in": "on", "buzzer": "on"})


def struck(stage: Stage) -> None:
    """Ana hits Bo away, far from any line."""
    lies, bumped = call("ana", 1012, 330, "open", 40), call("bo", 1150, 420, "open", 60)
    rulings = [
        ruling("hit_bonus", "3.3.1", player="ana", victim="bo", boxes=1),
        ruling("box_awarded", "3.3.3", player="ana", box="9f", boxes=1, lost=0),
        ruling("shoot_again", "3.2.0", player="ana", going_for="10f"),
    ]
    due = [{"player": "ana", "what": "place", "box": "9"}]
    players = (player("ana", "10f", "hand", made="9f"), *MIDGAME[1:])
    stage.enter(
        event=shot("ana", lies, bumped, hits=(("ana", "bo"),)) | {"ways": ways(lies, bumped)},
        rulings=rulings,
        story={
            "state": state("ana", *players, shots=1, phase="place", awaiting=due, do_over="ana"),
            "calls": {**CALLS, "ana": lies, "bo": bumped},
        },
    )
    stage.moment = moment()


def on_the_line(stage: Stage) -> None:
    """Ana is on the line."""
    lies = call("ana", beside_paint("ana", 190, -0.8), 190, "line", -0.8, 0.15)
    rulings = [ruling("turn_over", "3.2.0", player="ana", reason="miss"), ruling("next_turn", "1.5", player="bo")]
    stage.enter(
        event=shot("ana", lies),
        rulings=rulings,
        story={"state": state("bo", *MIDGAME, do_over="ana"), "calls": {**CALLS, "ana": lies}},
    )
    stage.moment = moment(signals={"on_line": "on"})


def too_close(stage: Stage) -> None:
    """Nobody can tell whether Ana is in."""
    lies = call("ana", beside_paint("ana", 200, 0.2), 200, "9", 0.2, 0.25)
    inside, on_line = shot("ana", lies), {**shot("ana", lies), "rest": {"ana": "line"}}
    stage.tell(
        pending=[
            {
                "row": stage.last_id(),
                "about": stage.last_id(),
                "at": 1_763_650_060.0,
                "event": inside,
                "why": "ana's cap: +0.2 mm to the paint's edge, give or take 0.25",
                "answers": [
                    {"label": "In 9", "event": inside},
                    {"label": "On the line", "event": on_line},
                    {"label": "Do-over", "event": {"event": "do_over"}},
                ],
            }
        ],
        calls={**CALLS, "ana": lies},
    )
    stage.moment = moment(signals={"too_close": "on"})


def agreed_to_too_close(stage: Stage) -> None:
    """Bo says that she is in; Ana has yet to."""
    question = stage.story_json()["pending"][0]
    event = question["answers"][0]["event"]
    motion = {"row": stage.last_id(), "order": "settle", "about": question["about"], "event": event}
    stage.tell(motions=[{**motion, "agreed": ["bo"], "asked": ["ana", "bo"]}])


def in_the_air(stage: Stage) -> None:
    """Ana's cap is on its way."""
    stage.moment = moment({"ana": [600, 700], "bo": [1700, 980]}, at_rest=False, in_air="ana")


def corrected(stage: Stage) -> None:
    """People say that Ana's call was wrong."""
    story = stage.story_json()
    *others, last = story["entries"]
    right = {**last["event"], "rest": {"ana": "9"}}
    row = stage.last_id() + 1
    rulings = [
        ruling("box_made", "3.2.2", player="ana", box="9f", by="shot"),
        ruling("shoot_again", "3.2.0", player="ana", going_for="10f"),
    ]
    correction = {"row": row, "by": "phone:ab12cd", "why": "the picture shows a gap"}
    mended = {**last, "event": right, "rulings": rulings, "corrected_by": row, "corrections": [correction]}
    players = (player("ana", "10f", "9", made="9f", home="9"), *MIDGAME[1:])
    stage.tell(entries=[*others, mended], state=state("ana", *players, shots=1))


def hit_early(stage: Stage) -> None:
    """Somebody was hit too early and may choose."""
    due = [{"player": "bo", "what": "choice", "by": "ana", "back": "start"}]
    rulings = [
        ruling("early_hit", "3.2.1", player="ana", victims=["bo"]),
        ruling("start_over", "3.2.1", player="ana"),
        ruling("choice_due", "3.2.1", player="bo", back="start"),
    ]
    lies = call("ana", 400, 200, "open", 80)
    then = state("ana", *(player(n) for n in START["players"]), phase="choice", awaiting=due, do_over="ana")
    stage.enter(event=shot("ana", lies, hits=(("ana", "bo"),)), rulings=rulings, story={"state": then})


def won(stage: Stage) -> None:
    """Dee is the last one left."""
    players = [player(n, "5f", "out", status="eliminated") for n in ("ana", "bo", "cal")]
    winner = player("dee", "killer", "town", status="winner", made="1b")
    rulings = [
        ruling("killer_hit", "3.2.4", player="dee", victim="ana", count=3),
        ruling("eliminated", "3.2.4", player="ana", by="dee"),
        ruling("game_won", "1.4", player="dee"),
    ]
    lies = call("dee", 700, 300, "open", 10)
    stage.enter(
        event=shot("dee", lies, call("ana", 760, 420, "open", 9), hits=(("dee", "ana"),)),
        rulings=rulings,
        story={"state": state(None, *players, winner, phase="over", winner="dee"), "calls": {"dee": lies}},
    )
    stage.moment = moment()


def paused(stage: Stage) -> None:
    """A car comes."""
    stage.tell(state={**stage.story_json()["state"], "phase": "paused"})


def camera_moved(stage: Stage) -> None:
    """Somebody kicked the camera."""
    stage.moment = {**stage.moment, "camera": "moved"}
    stage.tell(camera={"event": "camera_moved", "message": "The camera was moved."})


def camera_lost(stage: Stage) -> None:
    """The ribbon came loose."""
    stage.moment = {**stage.moment, "camera": "lost"}
    stage.tell(camera={"event": "camera_lost", "message": "No frames for 2 s."})
