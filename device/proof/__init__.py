"""Certificates: what `linesies proof` has found of an installation, kept beside its games."""
