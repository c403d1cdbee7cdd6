"""The commands, one file each; every file offers `command`, a click command. They decide nothing."""
