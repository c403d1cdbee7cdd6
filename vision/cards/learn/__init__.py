"""Decks learned from photographs, and their dice."""
