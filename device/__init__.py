"""The shell: cameras, lamps and buttons, the journal, settings, the command line, the loop that joins all.

Imports every other folder; nobody imports it.
"""
