"""Webhooks, and the queue of what is to be told to them."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make both tables."""
    when = sa.DateTime(timezone=True)
    op.create_table(
        "webhooks",
        sa.Column("hook", sa.Integer, sa.Identity(), primary_key=True),
        sa.Column("url", sa.Text, nullable=False),
        sa.Column("secret", sa.LargeBinary, nullable=False),
        sa.Column("ended_at", when),
    )
    op.create_table(
        "deliveries",
        sa.Column("delivery", sa.BigInteger, sa.Identity(), primary_key=True),
        sa.Column("hook", sa.Integer, sa.ForeignKey("webhooks.hook"), nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("tournament", sa.Integer, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("made_at", when, nullable=False, server_default=sa.func.now()),
        sa.Column("due_at", when, nullable=False, server_default=sa.func.now()),
        sa.Column("tries", sa.Integer, nullable=False, server_default="0"),
        sa.Column("fault", sa.Text),
        sa.Column("done_at", when),
    )
    is_due = sa.text("done_at IS NULL")
    op.create_index("deliveries_due", "deliveries", ["hook", "delivery"], postgresql_where=is_due)
