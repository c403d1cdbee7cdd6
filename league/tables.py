"""The hub's tables in PostgreSQL. The migrations in `migrations/` make them; a test holds both alike."""

from sqlalchemy import (
    BigInteger,
    Column,
    DateTime,
    Double,
    ForeignKey,
    Identity,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    func,
)

metadata = MetaData()

boards = Table(
    "boards",
    metadata,
    Column("board", Text, primary_key=True),  # its public key, in hexadecimal
    Column("name", Text, nullable=False),
    Column("place", Text, nullable=False),
    Column("joined_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    Column("left_at", DateTime(timezone=True)),
    Column("heard_at", DateTime(timezone=True)),
    Column("epoch", Text),  # the chain that it told of last
)

rows = Table(
    "rows",
    metadata,
    Column("board", Text, ForeignKey("boards.board"), nullable=False),
    Column("epoch", Text, nullable=False),
    Column("row", BigInteger, nullable=False),
    Column("at", Double, nullable=False),
    Column("origin", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("about", BigInteger),
    Column("body", Text, nullable=False),  # as it was sealed, so no JSON of the database's own
    Column("format", Integer),
    Column("rules", Integer),
    Column("state", Text),
    Column("seal", Text),
    PrimaryKeyConstraint("board", "epoch", "row"),
)

tournaments = Table(
    "tournaments",
    metadata,
    Column("tournament", Integer, Identity(), primary_key=True),
    Column("name", Text, nullable=False),
)

deeds = Table(
    "deeds",
    metadata,
    Column("tournament", Integer, ForeignKey("tournaments.tournament"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    Column("body", Text, nullable=False),  # a deed of `tournament/deeds.py`
    Column("undone_at", DateTime(timezone=True)),
    PrimaryKeyConstraint("tournament", "number"),
)
