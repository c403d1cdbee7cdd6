"""Caps through time: what moved, who touched whom, and where all came to rest."""
