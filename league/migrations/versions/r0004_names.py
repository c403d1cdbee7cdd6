"""Names of people, sealed, and numbers for them in all that is held so far."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the table. What is held so far is hidden by `store.py`, which has the keys."""
    op.create_table(
        "names",
        sa.Column("number", sa.Integer, sa.Identity(), primary_key=True),
        sa.Column("person", sa.Integer, nullable=False),
        sa.Column("sealed", sa.LargeBinary, nullable=False),
    )
