"""What set the tuned numbers of the card table, where no paper and no script did."""

BY_HAND = "set by hand on the public card clips and simulated tables, 2026-11"
