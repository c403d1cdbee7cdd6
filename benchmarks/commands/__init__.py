"""The commands that measure this machine."""
