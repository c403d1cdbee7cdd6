"""Decks drawn by a program, as varied as the world's: what the networks learn cards from."""

from linesies.training.decks.deck import Deck, all_cards, draw_deck
from linesies.training.decks.indices import IndexBox
from linesies.training.decks.lettering import find_fonts, split_fonts

__all__ = ["Deck", "IndexBox", "all_cards", "draw_deck", "find_fonts", "split_fonts"]
