"""What `linesies bench` measures, one file a stage."""
