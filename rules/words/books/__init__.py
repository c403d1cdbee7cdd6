"""The rule books, one file a game: every paragraph in plain words."""
