"""How a call reaches people: lamps, buzzer, and the picture behind it."""
