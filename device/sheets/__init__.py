"""What is printed before play: markers, the lens sheet, the board's plan, stencils, card mats."""
