"""How the networks are made: drawn scenes with exact truth, and the training on them (needs the extra `training`)."""
