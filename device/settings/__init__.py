"""One file of settings, read whole or refused with every fault, and its spare copy."""
