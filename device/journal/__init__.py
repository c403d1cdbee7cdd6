"""What happened and what was ruled, row by row, and what the rows add up to."""
