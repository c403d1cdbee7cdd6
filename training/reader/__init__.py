"""The readers of cards: their samples, networks and training."""
