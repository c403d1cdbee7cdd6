"""A card table without a table: drawn decks, a mat with zones, hands that lay, flip and sweep, a camera above."""
