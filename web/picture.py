"""A game's summary as a picture to share: who won, what each did, and where caps came to rest on the board."""

from collections.abc import Callable
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from linesies.games import GAMES
from linesies.rules import written

WIDTH, HEIGHT = 1080, 1350
BOARD_PX, BOARD_TOP = 760, 300
GREY = "#8a9196"
INK, SOFT, GROUND = "#f4f1ea", "#b6b9b7", "#1f2426"
ROW_PX = 44

Say = Callable[[str], str]


def summary_svg(summary: dict[str, Any], title: str, say: Say) -> str:
    """Draw a summary, 1080 by 1350."""
    winners = " · ".join(written(name) for name in summary["winners"]) or say("Not finished")
    parts = [
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{GROUND}"/>',
        _text(60, 90, title, 40, SOFT),
        _text(60, 190, f"★ {winners}", 84, INK, weight=800),
        _board(summary),
        *_table(summary, say),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'font-family="Roboto, Helvetica, Arial, sans-serif">{"".join(parts)}</svg>'
    )


def _board(summary: dict[str, Any]) -> str:
    """Draw the paint, and every rest as a spot of its player's colour; spots that lie on one another glow."""
    set_up = summary["set_up"] or {}
    lines = set_up.get("lines") or []
    if not lines:
        return ""
    width, height = set_up["board"]["size"]
    scale = BOARD_PX / max(width, height)
    colours = {cap["player"]: cap["colour"] for cap in set_up.get("caps", ())}
    paint = "".join(f'<polygon points="{_points(line["outline"])}" fill="{INK}"/>' for line in lines)
    spots = "".join(
        f'<circle cx="{x:.0f}" cy="{y:.0f}" r="26" fill={quoteattr(colours.get(player, GREY))} fill-opacity="0.55"/>'
        for x, y, player in summary["rests"]
        if -width * 0.2 < x < width * 1.2 and -height * 0.2 < y < height * 1.2
    )
    left = (WIDTH - BOARD_PX) / 2
    place = f"translate({left} {BOARD_TOP - 60}) scale({scale:.5f})"
    return f'<g transform="{place}"><g opacity="0.8">{paint}</g>{spots}</g>'


def _table(summary: dict[str, Any], say: Say) -> list[str]:
    game = GAMES[summary["game"]["game"]]
    titles = {tally.code: tally.title for tally in game.tallies}
    names = [player["name"] for player in summary["players"]]
    shown = [head for head in game.columns if any(_value(summary, name, head) is not None for name in names)]
    top = BOARD_TOP + BOARD_PX if _board(summary) else BOARD_TOP
    rows = [_text(520 + 150 * i, top, say(titles.get(head, head)), 26, SOFT) for i, head in enumerate(shown)]
    for number, player in enumerate(summary["players"], start=1):
        y = top + ROW_PX * number
        rows.append(_text(60, y, written(player["name"]), 34, INK, weight=700))
        values = (_value(summary, player["name"], head) for head in shown)
        rows += [_text(520 + 150 * i, y, "–" if v is None else str(v), 34, INK) for i, v in enumerate(values)]
    return rows


def _value(summary: dict[str, Any], name: str, head: str) -> Any:
    for players in (summary["players"], summary["state"]["players"]):
        found = next(player for player in players if player["name"] == name)
        if head in found:
            return found[head]
    return None


def _points(outline: list[list[float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in outline)


def _text(x: float, y: float, text: str, size: int, colour: str, weight: int = 400) -> str:
    return f'<text x="{x}" y="{y}" font-size="{size}" font-weight="{weight}" fill="{colour}">{escape(text)}</text>'
