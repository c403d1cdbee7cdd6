"""A game without a street or a table: painted boards, caps, cards and people, and a camera over them."""
