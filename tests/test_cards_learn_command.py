"""`linesies learn`: folders of photographs in, one deck file out; whatever is wrong is named with its file."""

import json

import cv2
import pytest
from click.testing import CliRunner

from linesies.device.commands.learn import command
from linesies.vision import LearnedDeck
from tests import drawn_decks as drawn


def photograph(folder, card, art):
    (folder / card).mkdir(parents=True)
    cv2.imwrite(str(folder / card / "1.jpg"), drawn.photograph_of(art))


def learn(folder, deck_file):
    return CliRunner().invoke(command, [str(folder), "-o", str(deck_file)])


def test_cards_back_and_die_are_learned_from_their_folders(tmp_path):
    folder = tmp_path / "deck"
    photograph(folder, "PIRATE:harry", drawn.draw_card("A", 1))
    photograph(folder, "back", drawn.draw_back())
    for face in ("1-4", "SB"):
        (folder / "die" / face).mkdir(parents=True)
        art = drawn.draw_die_face(face)
        cv2.imwrite(str(folder / "die" / face / "1.png"), drawn.photograph_of(art, size_mm=(16, 16), px_per_mm=9))
    done = learn(folder, tmp_path / "my.deck")
    told = {"ok": True, "cards": 1, "back": True, "die": 2, "pictures": 2, "alike": []}
    assert (done.exit_code, json.loads(done.stdout)) == (0, told)
    deck = LearnedDeck.open(tmp_path / "my.deck")
    assert (deck.names, deck.die.names) == (("PIRATE:harry",), ("1-4", "SB"))


@pytest.mark.parametrize(
    ("made", "named"),
    [
        ([], "deck: holds no folders"),
        (["A1/"], "A1: holds no picture"),
        (["A1/notes.txt"], "A1: holds no picture"),
        (["A1/1.jpg"], "1.jpg: is empty"),
        (["A1/old/1.jpg"], "old: is a folder within"),
    ],
)
def test_a_folder_that_cannot_be_learned_is_named(made, named, tmp_path):
    folder = tmp_path / "deck"
    folder.mkdir()
    for name in made:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).mkdir() if name.endswith("/") else (folder / name).touch()
    fault = learn(folder, tmp_path / "my.deck").exception
    assert type(fault).__name__ == "BadInput"
    assert named in str(fault)
    assert not (tmp_path / "my.deck").exists()


def test_a_picture_without_a_card_is_named(tmp_path):
    folder = tmp_path / "deck"
    photograph(folder, "A1", drawn.draw_card("A", 1))
    cv2.imwrite(str(folder / "A1" / "2.png"), drawn.photograph_of(drawn.draw_card("A", 1))[:20, :20])
    fault = learn(folder, tmp_path / "my.deck").exception
    assert "2.png: no card found" in str(fault)
