"""Files that show calls, and whether each board's owner lets people see them."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Make the table and add both columns; no board of an earlier release lets anything be seen."""
    op.create_table(
        "files",
        sa.Column("board", sa.Text, nullable=False),
        sa.Column("epoch", sa.Text, nullable=False),
        sa.Column("row", sa.BigInteger, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("sha256", sa.Text, nullable=False),
        sa.Column("bytes", sa.Integer, nullable=False),
        sa.Column("is_gone", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.PrimaryKeyConstraint("board", "epoch", "row", "kind"),
        sa.ForeignKeyConstraint(("board", "epoch", "row"), ("rows.board", "rows.epoch", "rows.row")),
    )
    op.add_column("boards", sa.Column("offers_files", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("boards", sa.Column("offered_s", sa.Double))
