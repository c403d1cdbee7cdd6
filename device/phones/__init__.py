"""Who holds which phone: codes shown on the device, tokens kept only as hashes, roles that can be taken back."""
