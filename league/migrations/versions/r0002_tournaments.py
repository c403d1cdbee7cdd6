"""Tournaments, and what their organiser has said."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make both tables."""
    when = sa.DateTime(timezone=True)
    op.create_table(
        "tournaments",
        sa.Column("tournament", sa.Integer, sa.Identity(), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
    )
    op.create_table(
        "deeds",
        sa.Column("tournament", sa.Integer, sa.ForeignKey("tournaments.tournament"), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("at", when, nullable=False, server_default=sa.func.now()),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("undone_at", when),
        sa.PrimaryKeyConstraint("tournament", "number"),
    )
