"""The store: one DuckDB file, opened here and nowhere else.

`database` opens it, hands out connections and serialises writers; `migrate` brings its schema up
to date from `migrations/*.sql`; `sandbox` runs a user's SQL read-only and bounded; `queries/*.sql`
are the named queries the service itself runs.
"""

from collector.store.database import DATA_ERRORS, Store, query
from collector.store.sandbox import SqlResult, run_sql

__all__ = ["DATA_ERRORS", "SqlResult", "Store", "query", "run_sql"]
