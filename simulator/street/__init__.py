"""A street game without a street: painted board, caps with physics, people, and a camera over them."""
