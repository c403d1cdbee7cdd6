"""Lets `python -m device` be the command line."""

from device.cli import main

main()
