"""The page's process: its port, its worker, and what it is told."""
