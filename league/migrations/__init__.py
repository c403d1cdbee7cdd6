"""How the hub's tables came to be as they are, step by step (Alembic)."""
