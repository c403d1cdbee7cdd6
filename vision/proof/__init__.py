"""Proof on the spot: a printed gauge is laid on the board and measured as a game is, against what is known of it."""
