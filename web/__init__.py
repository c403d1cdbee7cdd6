"""The face: pages for phones, a live feed, orders from people. Imports `rules` for the names of things."""
