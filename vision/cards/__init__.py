"""Cards on a table: found, read, followed."""
