"""Skull with ordinary cards, by the write-ups `joris` and `small_shelf`: one function a rule."""
