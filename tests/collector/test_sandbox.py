"""A user's SQL reads what is stored, and nothing else; attacks are refused with a reason."""

import os
import threading
from dataclasses import dataclass
from pathlib import Path

import pytest

from collector.client import Client
from collector.errors import SqlError, UnreachableError
from collector.settings import Settings
from collector.store import Store, run_sql
from tests.collector.filled_store import application, fill
from tests.collector.serving import serving

COUNTS = "SELECT table_name, estimated_size FROM duckdb_tables() ORDER BY ALL"


@dataclass(frozen=True)
class Sandbox:
    store: Store
    folder: Path
    secret: Path

    def state(self) -> tuple[object, ...]:
        tables = self.store.read(COUNTS).rows()
        exact = [
            self.store.read(
                f"SELECT count(*), md5(string_agg(t::VARCHAR, '' ORDER BY ALL)) FROM {name} t"
            ).row(0)
            for name in ("sessions", "verdicts", "derived_findings")
        ]
        attached = self.store.read("SELECT database_name FROM duckdb_databases() ORDER BY 1").rows()
        settings = self.store.read(
            "SELECT name, value FROM duckdb_settings() WHERE name IN "
            "('memory_limit', 'threads', 'enable_external_access', 'lock_configuration') ORDER BY 1"
        ).rows()
        return tables, exact, attached, settings, sorted(os.listdir(self.folder))


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sandbox")
    secret = folder / "secret.csv"
    secret.write_text("password\nhunter2\n")
    store = Store(folder / "data", memory_limit="200MB")
    fill(store)
    store.read("SELECT 1")
    yield Sandbox(store, folder, secret)
    store.close()


ATTACKS = {
    "read_csv": "SELECT * FROM read_csv('{secret}')",
    "read_csv_auto": "SELECT * FROM read_csv_auto('{secret}')",
    "read_text": "SELECT * FROM read_text('{secret}')",
    "read_blob": "SELECT * FROM read_blob('{secret}')",
    "read_json": "SELECT * FROM read_json('{secret}')",
    "read_parquet": "SELECT * FROM read_parquet('{folder}/*.parquet')",
    "sniff_csv": "SELECT * FROM sniff_csv('{secret}')",
    "parquet_metadata": "SELECT * FROM parquet_metadata('{secret}')",
    "glob": "SELECT * FROM glob('{folder}/*')",
    "file as a table": "SELECT * FROM '{secret}'",
    "url as a table": "SELECT * FROM 'http://127.0.0.1:9/x.csv'",
    "url": "SELECT * FROM read_csv('http://127.0.0.1:9/x.csv')",
    "bucket": "SELECT * FROM read_parquet('s3://bucket/x.parquet')",
    "file of another table function": "SELECT * FROM (SELECT * FROM read_text('/etc/hostname'))",
    "file inside a CTE": "WITH t AS (FROM read_text('{secret}')) SELECT * FROM t",
    "file inside a subquery": "SELECT (SELECT content FROM read_text('{secret}'))",
    "file by dynamic SQL": "SELECT * FROM query('SELECT * FROM read_text(''{secret}'')')",
    "file by table name": "SELECT * FROM query_table('{secret}')",
    "environment": "SELECT getenv('HOME')",
    "secrets": "SELECT * FROM duckdb_secrets()",
    "copy to": "COPY sessions TO '{folder}/stolen.csv'",
    "copy query to": "COPY (SELECT 1) TO '{folder}/stolen.parquet' (FORMAT parquet)",
    "copy from": "COPY verdicts FROM '{secret}'",
    "copy database": "COPY FROM DATABASE tightrope TO memory",
    "export": "EXPORT DATABASE '{folder}/stolen'",
    "import": "IMPORT DATABASE '{folder}/stolen'",
    "attach": "ATTACH '{folder}/other.duckdb' AS other",
    "attach memory": "ATTACH ':memory:' AS other",
    "detach": "DETACH tightrope",
    "use": "USE memory",
    "install": "INSTALL httpfs",
    "force install": "FORCE INSTALL spatial FROM community",
    "load": "LOAD httpfs",
    "load a file": "LOAD '{folder}/evil.duckdb_extension'",
    "pragma": "PRAGMA database_list",
    "pragma with a value": "PRAGMA memory_limit='100GB'",
    "set": "SET memory_limit='100GB'",
    "set global": "SET GLOBAL enable_external_access=true",
    "reset": "RESET lock_configuration",
    "call": "CALL enable_logging()",
    "settings by a function": "SELECT * FROM enable_logging()",
    "profiling by a function": "SELECT * FROM enable_profiling()",
    "checkpoint": "CHECKPOINT",
    "force checkpoint": "SELECT * FROM force_checkpoint()",
    "vacuum": "VACUUM",
    "begin": "BEGIN",
    "commit": "COMMIT",
    "insert": "INSERT INTO verdicts VALUES ('x', 'true', now()::TIMESTAMP)",
    "insert returning": "INSERT INTO verdicts VALUES ('x', 'true', now()::TIMESTAMP) RETURNING *",
    "update": "UPDATE sessions SET flagged = false",
    "delete": "DELETE FROM sessions",
    "truncate": "TRUNCATE sessions",
    "merge": "MERGE INTO verdicts USING sessions ON false WHEN MATCHED THEN DELETE",
    "DML in a CTE": "WITH gone AS (DELETE FROM sessions RETURNING *) SELECT * FROM gone",
    "DML in dynamic SQL": "SELECT * FROM query('DELETE FROM sessions RETURNING *')",
    "explain analyze DML": "EXPLAIN ANALYZE DELETE FROM sessions",
    "create table": "CREATE TABLE evil AS SELECT 1",
    "create temporary table": "CREATE TEMP TABLE evil AS SELECT 1",
    "create view": "CREATE VIEW evil AS SELECT 1",
    "create macro": "CREATE MACRO evil() AS 1",
    "create secret": "CREATE SECRET evil (TYPE s3)",
    "replace a view": "CREATE OR REPLACE VIEW findings AS SELECT 1",
    "alter": "ALTER TABLE sessions DROP COLUMN flagged",
    "drop": "DROP TABLE sessions",
    "drop schema": "DROP SCHEMA main CASCADE",
    "comment": "COMMENT ON TABLE sessions IS 'x'",
    "prepare": "PREPARE evil AS SELECT 1",
    "two statements": "SELECT 1; DROP TABLE sessions",
    "two statements behind a comment": "SELECT 1 --\n; DELETE FROM sessions",
    "two selects": "SELECT 1; SELECT 2",
    "nothing": "",
    "a comment alone": "-- nothing",
    "no SQL": "tell me the sessions",
    "depth": "SELECT " + "(" * 20_000 + "1" + ")" * 20_000,
    "length": "SELECT " + "+".join(["1"] * 50_000),
    "null character": "SELECT 1\0; DROP TABLE sessions",
}


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS.keys())
def test_an_attack_is_refused_with_a_reason_and_harms_nothing(sandbox, attack):
    before = sandbox.state()
    sql = attack.replace("{secret}", str(sandbox.secret)).replace("{folder}", str(sandbox.folder))
    with pytest.raises(SqlError) as refusal:
        run_sql(sandbox.store, sql)
    assert "hunter2" not in str(refusal.value)
    assert len(str(refusal.value)) > 10
    assert sandbox.state() == before


def test_updating_extensions_is_refused_with_a_reason(sandbox):
    with pytest.raises(SqlError):
        run_sql(sandbox.store, "UPDATE EXTENSIONS")


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1",
        "FROM sessions",
        "VALUES (1), (2)",
        "WITH t AS (SELECT 1) SELECT * FROM t",
        "SELECT * FROM sessions -- with a comment",
        "SELECT ';' AS semicolon;",
        "DESCRIBE sessions",
        "SHOW TABLES",
        "SUMMARIZE sessions",
        "EXPLAIN SELECT 1",
        "EXPLAIN ANALYZE SELECT count(*) FROM spans",
        "SELECT arguments->>'$.path' FROM tool_calls",
        "PIVOT (SELECT model, 1 AS n FROM sessions) ON model IN ('gpt-oss-120b') USING sum(n)",
    ],
)
def test_what_reads_is_allowed(sandbox, sql):
    assert run_sql(sandbox.store, sql).table.num_rows > 0


def test_more_rows_than_the_limit_are_cut_and_said(sandbox):
    found = run_sql(sandbox.store, "FROM range(50)", max_rows=20)
    assert (found.table.num_rows, found.truncated) == (20, True)
    found = run_sql(sandbox.store, "FROM range(20)", max_rows=20)
    assert (found.table.num_rows, found.truncated) == (20, False)


def test_a_result_without_end_is_cut(sandbox):
    endless = "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT * FROM r"
    found = run_sql(sandbox.store, endless, max_rows=100, timeout_s=1)
    assert (found.table.num_rows, found.truncated) == (100, True)


SLOW = {
    "huge join": "SELECT count(*) FROM spans a, spans b, spans c, spans d",
    "huge range": "SELECT count(*) FROM range(1000000000) a, range(1000000000) b",
    "recursion without end": (
        "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r"
    ),
    "huge sort": "SELECT max(n) FROM (SELECT rank() OVER (ORDER BY hash(a)) AS n FROM range(100000000) r(a))",
}


@pytest.mark.parametrize("sql", SLOW.values(), ids=SLOW.keys())
def test_what_takes_too_long_is_stopped(sandbox, sql):
    before = sandbox.state()
    with pytest.raises(SqlError, match=r"ran longer than 0\.5 s and was stopped: narrow it|more memory"):
        run_sql(sandbox.store, sql, timeout_s=0.5)
    assert sandbox.state() == before


@pytest.fixture(scope="module")
def client(sandbox):
    settings = Settings(sql_timeout=2.0, sql_max_rows=1000)
    with serving(application(sandbox.store, settings)) as url, Client(url) as client:
        yield client


BOMBS = {
    "recursion that doubles": (
        "WITH RECURSIVE r AS (SELECT 'x' AS t UNION ALL SELECT t || t FROM r) SELECT max(length(t)) FROM r"
    ),
    "list of everything": "SELECT list(range) FROM range(1000000000)",
    "text of everything": "SELECT string_agg(repeat('x', 1000)) FROM range(100000000)",
    "hash of all": "SELECT md5(string_agg(repeat('ab', 100000))) FROM range(10000)",
    "long text": "SELECT repeat('x', 3000000000)",
    "longer text": "SELECT repeat(repeat('x', 100000), 100000)",
    "long list": "SELECT range(1000000000)",
    "long list taken apart": "SELECT max(n) FROM (SELECT unnest(range(1000000000)) AS n)",
    "list to text": "SELECT array_to_string(range(200000000), ',')",
}


@pytest.mark.parametrize("sql", BOMBS.values(), ids=BOMBS.keys())
def test_a_memory_bomb_is_refused_and_the_service_goes_on(sandbox, client, sql):
    before = sandbox.state()
    with pytest.raises(SqlError, match=r"more memory than it may have|maximum supported string size|stopped"):
        client.sql(sql)
    assert sandbox.state() == before
    assert client.sql("SELECT 42 AS answer").rows() == [(42,)]


def outcomes_of_six_slow_statements(client):
    outcomes: list[str] = []

    def ask() -> None:
        try:
            client.sql("SELECT count(*) FROM range(1000000000) a, range(1000000000) b")
        except (SqlError, UnreachableError) as error:
            outcomes.append(str(error))

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    assert client.sessions()["total"] == 34, "others are served meanwhile"
    for thread in threads:
        thread.join()
    return outcomes


def test_statements_beyond_four_wait_for_their_turn(client):
    outcomes = outcomes_of_six_slow_statements(client)
    assert len(outcomes) == 6
    assert all("was stopped" in outcome for outcome in outcomes)


def test_statements_that_would_wait_too_long_are_told_to_come_back(client, monkeypatch):
    monkeypatch.setattr("collector.api.sql.WAIT_S", 0.2)
    outcomes = sorted(outcomes_of_six_slow_statements(client))
    assert ["4 statements are running already: try again" in outcome for outcome in outcomes].count(True) == 2
