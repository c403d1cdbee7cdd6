"""Whether each board has more to tell than is held of it."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the column."""
    op.add_column("boards", sa.Column("is_behind", sa.Boolean, nullable=False, server_default=sa.false()))
