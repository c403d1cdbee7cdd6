"""Boards, and the rows that they push."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make both tables."""
    when = sa.DateTime(timezone=True)
    op.create_table(
        "boards",
        sa.Column("board", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("place", sa.Text, nullable=False),
        sa.Column("joined_at", when, nullable=False, server_default=sa.func.now()),
        sa.Column("left_at", when),
        sa.Column("heard_at", when),
        sa.Column("epoch", sa.Text),
    )
    op.create_table(
        "rows",
        sa.Column("board", sa.Text, sa.ForeignKey("boards.board"), nullable=False),
        sa.Column("epoch", sa.Text, nullable=False),
        sa.Column("row", sa.BigInteger, nullable=False),
        sa.Column("at", sa.Double, nullable=False),
        sa.Column("origin", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("about", sa.BigInteger),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("format", sa.Integer),
        sa.Column("rules", sa.Integer),
        sa.Column("state", sa.Text),
        sa.Column("seal", sa.Text),
        sa.PrimaryKeyConstraint("board", "epoch", "row"),
    )
