"""Skull King by the rules since 2021, with every expansion, both scorings, and Graybeard: one function a rule."""
