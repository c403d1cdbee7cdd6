"""What an ordinary card shows: its indices and its face, read and joined to one name."""
