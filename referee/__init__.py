"""The referee's mind: the story folded from rows, orders, doubt and rights. No pixels, no SQLite, no clock."""
