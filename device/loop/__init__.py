"""One match refereed: eyes, rules and journal joined in a loop."""
