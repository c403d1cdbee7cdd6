"""The hub's command."""
