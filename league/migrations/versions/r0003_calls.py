"""Which match is called to which board."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the table; a board has one match at a time, and a match one board."""
    when = sa.DateTime(timezone=True)
    op.create_table(
        "calls",
        sa.Column("call", sa.Integer, sa.Identity(), primary_key=True),
        sa.Column("tournament", sa.Integer, sa.ForeignKey("tournaments.tournament"), nullable=False),
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("board", sa.Text, sa.ForeignKey("boards.board"), nullable=False),
        sa.Column("epoch", sa.Text),
        sa.Column("after_row", sa.BigInteger, nullable=False),
        sa.Column("told", sa.Text, nullable=False),
        sa.Column("called_at", when, nullable=False, server_default=sa.func.now()),
        sa.Column("game_row", sa.BigInteger),
        sa.Column("heard", sa.Text),
        sa.Column("ended_at", when),
    )
    is_on = sa.text("ended_at IS NULL")
    op.create_index("calls_on_board", "calls", ["board"], unique=True, postgresql_where=is_on)
    op.create_index("calls_of_match", "calls", ["tournament", "match"], unique=True, postgresql_where=is_on)
