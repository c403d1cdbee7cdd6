"""Whole simulated games, refereed as fast as the machine can and held against the truth."""
