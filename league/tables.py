"""The hub's tables in PostgreSQL. The migrations in `migrations/` make them; a test holds both alike."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Double,
    ForeignKey,
    ForeignKeyConstraint,
    Identity,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    false,
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
    Column("leave_said_s", Double),  # by the board's own clock, when it said so last
    Column("heard_at", DateTime(timezone=True)),
    Column("epoch", Text),  # the chain that it told of last
    Column("is_behind", Boolean, nullable=False, server_default=false()),  # it has more to tell than is held
    Column("offers_files", Boolean, nullable=False, server_default=false()),  # its owner lets people see them
    Column("offered_s", Double),  # by the board's own clock, when it said so, or the contrary, last
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
    Column(
        "body", Text, nullable=False
    ),  # as it was sealed, but with numbers for names; so no JSON of the database's own
    Column("format", Integer),
    Column("rules", Integer),
    Column("state", Text),
    Column("seal", Text),
    PrimaryKeyConstraint("board", "epoch", "row"),
)

files = Table(  # what shows the calls of a row; the files themselves lie elsewhere, named by their hash
    "files",
    metadata,
    Column("board", Text, nullable=False),
    Column("epoch", Text, nullable=False),
    Column("row", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),  # a `FileKind`
    Column("sha256", Text, nullable=False),
    Column("bytes", Integer, nullable=False),  # that lie there: none any more once it was removed
    Column(
        "is_gone", Boolean, nullable=False, server_default=false()
    ),  # shown to nobody, nor asked for again: it had to make room, or somebody in its game was forgotten
    PrimaryKeyConstraint("board", "epoch", "row", "kind"),
    ForeignKeyConstraint(("board", "epoch", "row"), ("rows.board", "rows.epoch", "rows.row")),
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

calls = Table(
    "calls",
    metadata,
    Column("call", Integer, Identity(), primary_key=True),
    Column("tournament", Integer, ForeignKey("tournaments.tournament"), nullable=False),
    Column("match", Text, nullable=False),
    Column("board", Text, ForeignKey("boards.board"), nullable=False),
    Column("epoch", Text),  # the board's chain when it was called, and the newest row then: its game begins after that
    Column("after_row", BigInteger, nullable=False),
    Column("told", Text, nullable=False),  # a `CalledMatch`, as the board is told
    Column("called_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    Column("game_row", BigInteger),  # of the game's start, once it was over
    Column("heard", Text),  # what the board said last that was taken or declined: players as they came in
    Column("ended_at", DateTime(timezone=True)),  # it was played, or the match went back to the queue
)
names = Table(
    "names",
    metadata,
    Column("number", Integer, Identity(), primary_key=True),  # of a spelling, which stands for it everywhere else
    Column("person", Integer, nullable=False),
    Column("sealed", LargeBinary, nullable=False),  # with the person's key, which lies elsewhere
)
webhooks = Table(
    "webhooks",
    metadata,
    Column("hook", Integer, Identity(), primary_key=True),
    Column("url", Text, nullable=False),
    Column("secret", LargeBinary, nullable=False),
    Column("ended_at", DateTime(timezone=True)),
)

deliveries = Table(  # the queue: what is to be told to whom; the words are found when it is told, so no name lies here
    "deliveries",
    metadata,
    Column("delivery", BigInteger, Identity(), primary_key=True),
    Column("hook", Integer, ForeignKey("webhooks.hook"), nullable=False),
    Column("kind", Text, nullable=False),  # deed, or undone
    Column("tournament", Integer, nullable=False),
    Column("number", Integer, nullable=False),
    Column("made_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    Column("due_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
    Column("tries", Integer, nullable=False, server_default="0"),
    Column("fault", Text),
    Column("done_at", DateTime(timezone=True)),  # it was told, or given up
)
IS_DUE = deliveries.c.done_at.is_(None)
Index("deliveries_due", deliveries.c.hook, deliveries.c.delivery, postgresql_where=IS_DUE)
IS_ON = calls.c.ended_at.is_(None)
Index("calls_on_board", calls.c.board, unique=True, postgresql_where=IS_ON)
Index("calls_of_match", calls.c.tournament, calls.c.match, unique=True, postgresql_where=IS_ON)
