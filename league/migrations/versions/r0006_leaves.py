"""When each board said that it leaves, so that nobody says it again in its name."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the column."""
    op.add_column("boards", sa.Column("leave_said_s", sa.Double))
