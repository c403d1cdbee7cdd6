"""Skully by the book: one function a rule, named as the book names it."""
