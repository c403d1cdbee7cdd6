"""What indices say: the letters of four languages, and the card names that they stand for."""

COURTS = {"english": "JQK", "french": "VDR", "german": "BDK", "dutch": "BVH"}
SUITS = "CDHS"
LETTERS = tuple(COURTS)
GLYPHS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "V", "D", "R", "B", "H")
NONE_GLYPH = len(GLYPHS)
NONE_SUIT = len(SUITS)
RANKS = GLYPHS[:13]


def glyph_of_rank(letters: str) -> tuple[int, ...]:
    """Tell, for each of the thirteen ranks, which glyph a language prints for it."""
    courts = COURTS[letters]
    return (*range(10), *(GLYPHS.index(letter) for letter in courts))
