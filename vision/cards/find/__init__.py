"""Where cards lie in a picture: their outlines, sides and corners."""
