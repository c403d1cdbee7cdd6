"""Skip-Bo Mod, with die, partners, short game and a match to 500: one function a rule."""
