"""Where Alembic finds the connection: `store.migrate` gives it one, in whose transaction all is done."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
