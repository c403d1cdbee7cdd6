"""Lets `python -m linesies` be the command line."""

from linesies.device.cli import main

main()
