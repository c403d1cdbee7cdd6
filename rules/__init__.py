"""The games and nothing else: no pixels, no clock, no disk, no randomness, no numpy. Imports nothing of ours."""
