"""Whole games with the answers they must give; the words for people are free, all else is held to the letter."""

import io
import json
from pathlib import Path

import pytest

from linesies.device.commands.rule import answers
from linesies.device.errors import BadInput
from tests.refereeing import without_words

VECTORS = Path(__file__).parent / "data" / "vectors"
GAMES = sorted(VECTORS.glob("*/*.in.jsonl"))


def told(path):
    return list(answers(io.BytesIO(path.read_bytes()), path.name))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: f"{path.parent.name}-{path.name.removesuffix('.in.jsonl')}")
def test_a_recorded_game_is_ruled_as_recorded(path):
    base = str(path).removesuffix(".in.jsonl")
    if Path(base + ".rc").exists():
        with pytest.raises(BadInput, match="line 1"):
            told(path)
        return
    wanted = [json.loads(line) for line in Path(base + ".out.jsonl").read_text(encoding="utf-8").splitlines()]
    for want, got in zip(wanted, told(path), strict=True):
        assert without_words(got) == want, got["n"]


@pytest.mark.parametrize("game", ["skully", "skull", "skull_king", "skipbo"])
def test_there_are_recorded_games(game):
    assert list((VECTORS / game).glob("*.in.jsonl"))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.name)
def test_every_answer_has_words_for_people(path):
    try:
        lines = told(path)
    except BadInput:
        return
    for line in lines:
        texts = [ruling["text"] for ruling in line["rulings"]] if line["ok"] else [line["error"]["message"]]
        for text in texts:
            assert text[-1] in ".!?", text
            assert "{" not in text
            assert "None" not in text
