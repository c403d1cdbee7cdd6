"""The words for people, kept apart from the logic: one catalogue a game, ready to be translated."""
