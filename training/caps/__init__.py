"""How the judge is taught to tell caps from litter and one cap from another, on many worlds."""
