"""The command line: what it prints where, and how it exits."""

import csv
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

from collector import cli
from collector.cli import COMMANDS, main
from collector.client import Client
from collector.store import Store
from tests.collector.filled_store import application, fill
from tests.collector.serving import serving

DOC = Path(__file__).parents[2] / "docs" / "cli.md"
NOBODY = "http://127.0.0.1:1"
STATUS = {
    "journal": {"unloaded": False},
    "analysis": {"pending_units": 0},
    "tables": [{"table": "spans", "rows": 3}],
}


@pytest.fixture(scope="module")
def url(tmp_path_factory):
    store = Store(tmp_path_factory.mktemp("data"))
    fill(store)
    app = application(store)
    app.get("/api/status")(lambda: STATUS)
    app.post("/api/analyze")(lambda: {"queued": 7})
    with serving(app) as url:
        yield url
    store.close()


@pytest.fixture(autouse=True)
def environment(url, monkeypatch, tmp_path):
    for name in list(os.environ):
        if name.startswith("TIGHTROPE_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("TIGHTROPE_URL", url)
    monkeypatch.setenv("TIGHTROPE_DATA", str(tmp_path / "none"))
    monkeypatch.setenv("COLUMNS", "100")


@pytest.fixture
def run(capsys):
    def ask(*words):
        code = main(list(words))
        found = capsys.readouterr()
        return code, found.out, found.err

    return ask


def process(*words, **options):
    command = [sys.executable, "-m", "collector.cli", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, **options)


def test_sessions_are_listed_and_counted(run):
    code, out, err = run("sessions", "--kind", "repetition_loop")
    lines = out.splitlines()
    assert code == 0
    assert lines[0].split()[:2] == ["severity", "started"]
    assert [line.split()[3] for line in lines[1:]] == ["loop-00", "loop-10", "loop-20"]
    assert err == "3 of 3 sessions\n"


def test_sessions_say_how_many_there_are_beyond_the_limit(run):
    _, out, err = run("sessions", "--limit", "5")
    assert len(out.splitlines()) == 6
    assert err == "5 of 34 sessions\n"


def test_sessions_as_json(run):
    _, out, err = run("sessions", "--flagged", "--since", "12h", "--format", "json")
    assert {session["flagged"] for session in json.loads(out)} == {True}
    assert err == ""


def test_show_tells_a_session_round_by_round(run):
    code, out, _ = run("show", "misnamed-01")
    assert code == 0
    for part in (
        "session misnamed-01",
        "flagged (warning): misnamed_tool",
        "user: Note my todos.",
        "  > shell_exec → file_write {",
        "      = written",
        "  + rescue tool_name_recovered (name_recovery) shell_exec → file_write",
        "  ! warning misnamed_tool/shape: shell_exec was called with the arguments of file_write",
        "    advice: ",
        "  says: Your todos are in notes/todo.md.",
    ):
        assert part in out
    rounds = re.findall(r"^round (\d+)", out, re.MULTILINE)
    assert rounds == ["0", "1", "2"]
    assert out.index("round 0") < out.index("! warning") < out.index("round 1"), "at its round"


def test_show_tells_how_arguments_differ_from_those_before(run):
    assert "since round 0: offset 0 → 100" in run("show", "pages-07")[1]
    loop = run("show", "loop-10")[1]
    assert loop.count("same arguments as in round") == 5
    assert "  ! warning repetition_loop/identical, rounds 0 to 5: " in loop


def test_show_tells_changes_errors_and_missing_results(run):
    assert "changed: no (9f2c → 9f2c)" in run("show", "claim-03")[1]
    assert "changed: yes (aa01 → bb02), fields: state" in run("show", "bootstrap-04")[1]
    assert "error: 403 forbidden" in run("show", "honest-08")[1]
    assert "no result was captured" in run("show", "strange")[1]


def test_show_names_the_agents_where_there_are_several(run):
    out = run("show", "team-09")[1]
    assert re.findall(r"^round (\d) .*(planner|coder)", out, re.MULTILINE) == [
        ("0", "planner"),
        ("0", "coder"),
        ("1", "coder"),
        ("1", "planner"),
    ]


@pytest.mark.parametrize("width", [80, 120])
def test_show_fits_the_terminal_and_makes_telemetry_harmless(run, monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    out = run("show", "strange")[1]
    assert all(line.isprintable() for line in out.splitlines())
    assert max(map(len, out.splitlines())) <= width
    assert "\\x1b[31mred" in out
    assert "\\u202eRTL" in out
    assert "[bold]**x**[/bold]" in out, "markup is text"
    assert "(50,000 characters)" in out


def test_show_pages_through_a_long_session(run, monkeypatch):
    monkeypatch.setattr("collector.cli.show.PAGE", 70)
    out = run("show", "long")[1]
    assert re.findall(r"^round (\d+)", out, re.MULTILINE) == [str(n) for n in range(300)]
    assert out.count("  > read_row ") == 300


def test_show_of_an_empty_session(run):
    code, out, _ = run("show", "empty")
    assert (code, "time unknown" in out) == (0, True)


def test_show_asks_which_service(run):
    code, out, err = run("show", "loop-00")
    assert (code, out) == (2, "")
    assert err.startswith("tightrope: several services have a session 'loop-00', say service=")
    assert run("show", "loop-00", "--service", "support-desk")[0] == 0


SELECT = (
    "SELECT session_id, kinds, started_at, flagged FROM sessions WHERE session_id LIKE 'l%0' ORDER BY ALL"
)


@pytest.fixture
def sql(capfdbinary):
    def ask(*words):
        code = main(["sql", *words])
        found = capfdbinary.readouterr()
        return code, found.out, found.err.decode()

    return ask


def test_sql_as_a_table(sql):
    _, out, _ = sql("SELECT 'a' || chr(27) || '[31m' AS text, 12 AS n, true AS yes, NULL AS none")
    assert out.decode().splitlines() == ["text        n  yes  none", "a\\x1b[31m  12  yes"]


def test_sql_as_json_is_one_array_of_objects(sql):
    code, out, err = sql(SELECT, "--format", "json")
    rows = json.loads(out)
    assert (code, err) == (0, "")
    assert [row["session_id"] for row in rows] == ["loop-00", "loop-00", "loop-10", "loop-20"]
    assert rows[2]["kinds"] == ["repetition_loop"]
    assert rows[2]["started_at"].endswith("Z")
    assert json.loads(sql("SELECT 1 WHERE false", "--format", "json")[1]) == []


def test_sql_as_csv(sql):
    _, out, _ = sql("SELECT [1, 2] AS l, INTERVAL 1 DAY AS i, 'x,y' AS t, 'a'::BLOB AS b", "--format", "csv")
    assert list(csv.reader(io.StringIO(out.decode()))) == [
        ["l", "i", "t", "b"],
        ["[1,2]", "P1D", "x,y", "61"],
    ]


def test_sql_as_parquet(sql, tmp_path):
    target = tmp_path / "rows.parquet"
    assert sql(SELECT, "--format", "parquet", "--output", str(target)) == (0, b"", "")
    assert pl.read_parquet(target).height == 4
    _, out, _ = sql(SELECT, "--format", "parquet")
    assert pl.read_parquet(io.BytesIO(out)).height == 4
    code, _, err = sql(SELECT, "--output", str(tmp_path / "no" / "where"))
    assert (code, "cannot be written" in err) == (2, True)


def test_sql_says_when_rows_are_missing(sql, monkeypatch):
    _, out, err = sql("FROM range(1500)")
    assert (len(out.splitlines()), err) == (1001, "1,000 of 1,500 rows shown: --format csv or json has all\n")
    monkeypatch.setenv("TIGHTROPE_SQL_MAX_ROWS", "20")
    _, out, err = sql("FROM range(1500)", "--format", "csv")
    assert (len(out.splitlines()), err) == (21, "cut after 20 rows, there are more: narrow the statement\n")


def test_sql_reads_the_data_folder_where_no_service_answers(sql, tmp_path):
    store = Store(tmp_path)
    fill(store)
    store.close()
    words = ("--url", NOBODY, "--data", str(tmp_path), "--format", "json")
    code, out, err = sql("SELECT count(*) AS n FROM sessions", *words)
    assert (code, json.loads(out)) == (0, [{"n": 34}])
    assert err == f"no service answers at {NOBODY}: reading {tmp_path}\n"
    code, _, err = sql("DROP TABLE sessions", *words)
    assert (code, "refused" in err) == (2, True)


def test_sql_without_service_and_data_is_unreachable(sql):
    code, out, err = sql("SELECT 1", "--url", NOBODY)
    assert (code, out) == (3, b"")
    assert "`tightrope up`" in err
    assert "nor is there any data" in err


def test_sql_of_a_service_that_answers_but_fails_is_not_asked_elsewhere(sql, url, tmp_path):
    Store(tmp_path).close()
    code, out, err = sql("SELECT 1", "--url", f"{url}/docs", "--data", str(tmp_path))
    assert (code, out, "no Tightrope service" in err) == (3, b"", True)


def test_a_wrong_statement_is_one_line(sql):
    code, out, err = sql("SELECT * FROM session")
    assert (code, out) == (2, b"")
    assert (
        err == 'tightrope: Catalog Error: Table with name session does not exist! Did you mean "sessions"?\n'
    )


def test_check_fails_where_there_are_findings(run):
    code, out, err = run("check")
    assert code == 1
    assert len(out.splitlines()) == 1 + 12
    assert "leaked_tool_call  strange" not in out, "info alone does not fail"
    assert err == "12 findings in 12 sessions\n"


def test_check_of_kinds_and_of_a_time(run):
    code, out, _ = run("check", "--fail-on", "misnamed_tool, repetition_loop", "--since", "24h")
    assert code == 1
    assert {line.split()[1] for line in out.splitlines()[1:]} == {"misnamed_tool", "repetition_loop"}
    assert run("check", "--since", "1m") == (0, "", "no findings\n")
    assert "strange" in run("check", "--fail-on", "leaked_tool_call")[1], (
        "a kind that is named counts at any severity"
    )


def test_check_leaves_out_what_a_person_has_called_false(run, url):
    with Client(url) as client:
        finding = client.findings(kind="misnamed_tool", since="12h")["findings"][0]
        client.give_verdict(finding["finding_id"], "false")
        try:
            assert run("check", "--fail-on", "misnamed_tool", "--since", "12h")[0] == 0
        finally:
            client.give_verdict(finding["finding_id"], None)
    assert run("check", "--fail-on", "misnamed_tool", "--since", "12h")[0] == 1


def test_check_refuses_a_kind_that_does_not_exist(run):
    code, _, err = run("check", "--fail-on", "repetition_lop")
    assert code == 2
    assert "'repetition_lop'; there are: contradicted_claim" in err


def test_check_says_what_it_could_not_wait_for(run, monkeypatch):
    monkeypatch.setattr("collector.cli.check.WAIT_S", 0.0)
    monkeypatch.setitem(STATUS, "analysis", {"pending_units": 2})
    assert run("check", "--since", "1m")[2].startswith("2 traces wait for their analysis")


def test_status_as_a_table_and_as_json(run):
    out = run("status")[1]
    assert "journal\n  unloaded: no" in out
    assert "tables\n  table  rows\n  spans     3" in out
    assert json.loads(run("status", "--format", "json")[1]) == STATUS


def test_analyze_says_what_is_queued(run):
    assert run("analyze", "--all") == (0, "queued: 7\n", "")


@pytest.mark.parametrize("command", [["sessions"], ["show", "x"], ["check"], ["status"], ["analyze"]])
def test_a_service_that_does_not_answer_is_told_in_one_line(run, command):
    code, out, err = run(*command, "--url", NOBODY)
    assert (code, out) == (3, "")
    assert err.startswith(f"tightrope: no service answers at {NOBODY}")
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["nothing"],
        ["sessions", "--limit", "many"],
        ["sessions", "--limit", "0"],
        ["sessions", "--since", "yesterday"],
        ["sql", "SELECT 1", "--format", "xml"],
        ["sessions", "--url", "localhost:1"],
        ["sessions", "--config", "missing.toml"],
        ["show", "nobody"],
    ],
    ids=" ".join,
)
def test_wrong_usage_exits_with_2_and_says_why(run, words):
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert "Traceback" not in err
    assert err


def test_options_may_stand_before_and_after_the_command(run, url, monkeypatch):
    monkeypatch.setenv("TIGHTROPE_URL", NOBODY)
    assert run("--url", url, "sessions")[0] == run("sessions", "--url", url)[0] == 0


def test_debug_shows_the_traceback(run):
    code, _, err = run("show", "nobody", "--debug")
    assert code == 2
    assert "Traceback" in err
    assert err.endswith("tightrope: no session 'nobody': GET /api/sessions lists what there is\n")


def test_exit_codes_of_the_process(url):
    assert process("sessions").returncode == 0
    assert process("check").returncode == 1
    assert process("sql", "DROP TABLE sessions").returncode == 2
    assert process("sessions", "--url", NOBODY).returncode == 3
    version = process("--version")
    assert re.fullmatch(r"tightrope \d+\.\d+\.\d+\n", version.stdout)


def test_a_reader_that_has_seen_enough_is_no_error():
    command = f"{sys.executable} -m collector.cli show long | head -1"
    found = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, timeout=60, check=False
    )
    assert (found.returncode, found.stdout, found.stderr) == (0, "session long\n", "")


def test_a_terminal_that_knows_ascii_alone_gets_every_line():
    found = process("show", "claim-03", env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert (found.returncode, "\\u201cI updated" in found.stdout) == (0, True)


def test_client_commands_do_not_load_the_service():
    check = (
        "import sys; from collector.cli import main; main(['sessions']);"
        "print(sorted({'fastapi', 'grpc', 'streamlit', 'duckdb', 'polars', 'uvicorn'} & set(sys.modules)),"
        " file=sys.stderr)"
    )
    found = subprocess.run(
        [sys.executable, "-c", check], capture_output=True, text=True, timeout=60, check=True
    )
    assert found.stderr.endswith("[]\n")


def test_help_tells_every_command_and_every_setting(run):
    code, out, _ = run("--help")
    assert code == 0
    for command in COMMANDS:
        assert re.search(rf"^    {command.name} ", out, re.MULTILINE)
    assert "TIGHTROPE_SQL_MAX_ROWS" in out


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_every_command_and_option_is_documented(run, command):
    code, out, _ = run(command.name, "--help")
    assert code == 0
    text = DOC.read_text("utf-8")
    section = text.partition(f"\n## `tightrope {command.name}")[2].partition("\n## ")[0]
    common = text.partition("\n## ")[0]
    assert section, f"docs/cli.md has no section on {command.name}"
    options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", out)) - {"--help"}
    missing = {option for option in options if option not in section and option not in common}
    assert not missing


def test_the_documentation_has_no_other_commands():
    documented = re.findall(r"^## `tightrope (\w+)", DOC.read_text("utf-8"), re.MULTILINE)
    assert documented == [command.name for command in cli.COMMANDS]
