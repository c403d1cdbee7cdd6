"""Caps in one picture: found, named, fitted as solids, and judged against the paint."""
