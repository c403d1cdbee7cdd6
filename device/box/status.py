"""How the box does, from the outside: read from the journal, the moment and the disk; the referee need not run."""

import time
from pathlib import Path
from typing import Any

from linesies.device.announcers.evidence_store import free_mb
from linesies.device.box.power import open_power, said_by
from linesies.device.journal.salvage import rows_to_read
from linesies.device.live_state import read_moment
from linesies.device.phones.doors import code_line
from linesies.device.phones.phones import Phones
from linesies.device.places import evidence_folder, journal_file, phones_file
from linesies.device.proof.certificates import kept
from linesies.device.proof.certificates import words_of as words_of_certificate
from linesies.referee.folding import fold
from linesies.referee.saying import messages_of
from linesies.referee.story import Story

STALE_S = 5.0  # the moment is written twenty times a second


def status_of(state: Path) -> dict[str, Any]:
    """Tell how game, camera, disk and power do in one state folder."""
    story = _story(state)
    moment = read_moment(str(journal_file(state)))
    public = story.public or {}
    evidence = evidence_folder(state)
    pictures = [one.stat().st_size for one in evidence.iterdir()] if evidence.is_dir() else []
    read, proof = open_power(), kept(state)
    return {
        "state": str(state),
        "has_games": journal_file(state).is_file(),
        "referee": "runs" if abs(time.time() - moment["t"]) < STALE_S else "does not run",
        "camera": moment["camera"],
        "fps": moment["fps"],
        "game": (story.start or {}).get("game"),
        "phase": public.get("phase"),
        "turn": public.get("turn"),
        "asked": len(story.pending),
        "rows": story.row,
        "troubles": {
            **messages_of(story.faults),
            **({"journal": moment["trouble"]} if moment.get("trouble") else {}),
        },
        "disk_free_mb": round(free_mb(state)) if state.is_dir() else None,
        "evidence_mb": round(sum(pictures) / 1e6, 1),
        "repeated": moment.get("repeated"),
        "certificate": None if proof is None else words_of_certificate(proof, moment),
        "power": None if read is None else str(said_by(read()) or "well"),
    }


def codes_of(state: Path) -> list[str]:
    """Say which codes let phones in, for whoever may read the state folder."""
    codes = Phones(phones_file(state)).codes(_story(state).players)
    return [code_line(seat, code) for seat, code in codes.items()]


def words_of(status: dict[str, Any]) -> list[str]:
    """Say it in lines for people."""
    there = "" if status["has_games"] else f"{status['state']}: nothing was ever kept here; is it another folder?"
    free = "no such folder" if status["disk_free_mb"] is None else f"{status['disk_free_mb']} MB free"
    game = "no game" if status["game"] is None else f"{status['game']}, {status['phase']}, {status['rows']} rows"
    turn = f", {status['turn']} is on" if status["turn"] else ""
    asked = f", {status['asked']} questions wait" if status["asked"] else ""
    return [
        *([there] if there else []),
        f"referee  {status['referee']}",
        f"camera   {status['camera']}, {status['fps']:.0f} frames a second",
        f"game     {game}{turn}{asked}",
        f"disk     {free}, pictures and clips take {status['evidence_mb']} MB",
        f"power    {status['power'] or 'unknown here'}",
        *(f"repeat   {line}" for line in _repeated(status["repeated"])),
        *(f"proof    {line}" for line in status["certificate"] or ["none: linesies print gauge, linesies proof"]),
        *(f"trouble  {who}: {what}" for who, what in status["troubles"].items()),
    ]


def _repeated(told: dict[str, Any] | None) -> list[str]:
    """Say how alike caps that lay still were measured."""
    if told is None:
        return []
    apart = f"{told['scatter_mm']:.2f} mm apart; they state {told['sigma_mm']:.2f} mm"
    return [f"caps that lay still were measured again {told['count']} times, {apart}"]


def _story(state: Path) -> Story:
    path = journal_file(state)
    return fold(rows_to_read(path)) if path.is_file() else Story()
