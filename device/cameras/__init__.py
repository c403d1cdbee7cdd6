"""Camera sources behind one small interface, opened by name."""
