"""A card table through time: what was laid, turned over and taken."""
