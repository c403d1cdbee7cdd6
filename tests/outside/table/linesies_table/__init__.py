"""A simulated crokinole table, and a slate on which the newest ruling stands."""
