"""Crokinole, by the rules of the National Crokinole Association (Canada), in our own words."""
