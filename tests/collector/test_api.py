"""The query API: what each path answers, asked through the client on a real server and a real store."""

import re
from datetime import UTC, datetime
from pathlib import Path

import httpx
import polars as pl
import pyarrow as pa
import pytest

from collector.client import ARROW, Client, RefusedError
from collector.errors import SqlError, UnreachableError, UsageError
from collector.store import Store
from tests.collector.filled_store import HOSTILE, application, fill
from tests.collector.serving import serving

DOCS = Path(__file__).parents[2] / "docs"
LOOP = {"session_id": "loop-00", "service": "support-desk"}


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    store = Store(tmp_path_factory.mktemp("data"))
    fill(store)
    yield store
    store.close()


@pytest.fixture(scope="module")
def url(store):
    with serving(application(store)) as url:
        yield url


@pytest.fixture(scope="module")
def client(url):
    with Client(url) as client:
        yield client


def ids(answer):
    return [session["session_id"] for session in answer["sessions"]]


def test_flagged_sessions_come_first_and_newest_first(client):
    answer = client.sessions(limit=100)
    flags = [session["flagged"] for session in answer["sessions"]]
    assert answer["total"] == len(flags) == 34
    assert flags == sorted(flags, reverse=True)
    starts = [session["started_at"] for session in answer["sessions"] if session["flagged"]]
    assert starts == sorted(starts, reverse=True)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z", starts[0])


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"kind": "repetition_loop"}, {"loop-00", "loop-10", "loop-20"}),
        ({"kind": "repetition_loop", "model": "gpt-oss-120b"}, {"loop-10"}),
        ({"kind": "repetition_loop", "subkind": "cycle"}, set()),
        ({"subkind": "unchanged"}, {"claim-03", "claim-13", "claim-23"}),
        ({"severity": "info"}, {"strange"}),
        ({"agent": "planner"}, {"team-09", "team-19", "team-29"}),
        ({"agent": "coder"}, {"team-09", "team-19", "team-29"}),
        ({"tool": "shell_exec"}, {"misnamed-01", "misnamed-11", "misnamed-21"}),
        ({"tool": "read_row"}, {"long"}),
        ({"rescue": "phase_auto_bootstrapped"}, {"bootstrap-04", "bootstrap-14", "bootstrap-24"}),
        ({"q": "REFUND 4711"}, {"loop-00", "loop-10", "loop-20"}),
        ({"q": "12 passed"}, {"verify-05", "verify-15", "verify-25"}),
        ({"q": "403 forbidden"}, {"honest-08", "honest-18", "honest-28", "loop-00"}),
        ({"q": "honest-1"}, {"honest-18"}),
        ({"q": "%"}, {f"poll-{n}" for n in ("06", "16", "26")}),
        ({"q": "[bold]**x**[/bold]"}, {"strange"}),
        ({"q": "' OR 1=1 --"}, set()),
        ({"service": "nobody"}, set()),
    ],
    ids=str,
)
def test_a_filter_keeps_what_matches(client, filters, expected):
    answer = client.sessions(**filters, limit=100)
    assert set(ids(answer)) == expected
    assert answer["total"] == len(answer["sessions"])


def test_flagged_and_the_rest_are_all(client):
    flagged = set(ids(client.sessions(flagged=True, limit=100)))
    others = set(ids(client.sessions(flagged=False, limit=100)))
    assert len(flagged) == 12
    assert flagged & others == {"loop-00"}, "one id in two services, flagged in one"
    assert client.sessions(flagged=False)["total"] == 22


def test_a_time_range_holds_the_sessions_that_overlap_it(client):
    recent = client.sessions(since="4h", limit=100)
    assert set(ids(recent)) == {"loop-00", "misnamed-01"}
    begun = client.sessions(q="loop-00", service="support-desk")["sessions"][0]
    within = datetime.fromisoformat(begun["ended_at"]).isoformat()
    assert "loop-00" in ids(client.sessions(since=within, until="0s", service="support-desk"))
    assert "loop-00" not in ids(client.sessions(until=begun["started_at"], service="support-desk", limit=100))


def test_pages_cover_the_list_once(client):
    pages = [client.sessions(limit=10, offset=offset) for offset in range(0, 50, 10)]
    seen = [(s["service_name"], s["session_id"]) for page in pages for s in page["sessions"]]
    assert len(seen) == len(set(seen)) == 34
    assert {page["total"] for page in pages} == {34}, "told on an empty page too"


@pytest.mark.parametrize("order", ["rounds", "tool_calls", "findings", "rescues", "started_at"])
def test_an_order_is_descending(client, order):
    values = [session[order] for session in client.sessions(order=order, limit=100)["sessions"]]
    known = [value for value in values if value is not None]
    assert known == sorted(known, reverse=True)
    assert values[: len(known)] == known, "what is unknown comes last"


def test_a_session_has_its_rounds_calls_rescues_findings_and_tools(client):
    answer = client.session("misnamed-01")
    assert answer["session"]["kinds"] == ["misnamed_tool"]
    assert (
        [turn["round"] for turn in answer["rounds"]]
        == [0, 1, 2]
        == [turn["index"] for turn in answer["rounds"]]
    )
    assert [(c["requested_tool"], c["tool"]) for c in answer["tool_calls"]] == [
        ("shell_exec", "file_write"),
        ("file_read", "file_read"),
    ]
    assert [rescue["name"] for rescue in answer["rescues"]] == ["tool_name_recovered"]
    assert answer["findings"][0]["evidence"]["calls"] == [{"round": 0, "position": 0}]
    assert {tool["tool"] for tool in answer["tools"]} == {"shell_exec", "file_write", "file_read"}
    assert answer["tools"][0]["input_schema"]["type"] == "object"


def test_long_texts_are_cut_and_a_round_has_them_whole(client):
    call = client.session("strange")["tool_calls"][-1]
    assert (call["result"], call["result_length"]) == ("y" * 400, 50_000)
    assert len(call["arguments"]) == 400 < call["arguments_length"]
    whole = client.round("strange", call["round"])
    assert whole["tool_calls"][0]["result"] == "y" * 50_000
    assert len(whole["tool_calls"][0]["arguments"]) == call["arguments_length"]


def test_hostile_text_comes_back_as_it_is(client):
    whole = client.round("strange", 0)
    assert whole["round"]["text"] == whole["tool_calls"][0]["result"] == HOSTILE


def test_rounds_of_several_agents_are_in_the_order_of_time(client):
    answer = client.session("team-09")
    assert [(turn["agent_name"], turn["round"]) for turn in answer["rounds"]] == [
        ("planner", 0),
        ("coder", 0),
        ("coder", 1),
        ("planner", 1),
    ]
    assert [call["index"] for call in answer["tool_calls"]] == [0, 1]


def test_a_page_of_rounds_has_the_calls_of_those_rounds(client):
    answer = client.session("long", rounds_from=100, rounds_limit=50)
    assert answer["total_rounds"] == 300
    assert [turn["round"] for turn in answer["rounds"]] == list(range(100, 150))
    assert {call["round"] for call in answer["tool_calls"]} == set(range(100, 150))
    assert client.session("long", rounds_from=300)["rounds"] == []


def test_a_session_without_anything_is_shown(client):
    answer = client.session("empty")
    assert answer["session"]["started_at"] is None
    assert answer["rounds"] == answer["tool_calls"] == []


def test_an_unknown_id_is_404_and_one_of_several_services_409(client):
    with pytest.raises(RefusedError, match="no session 'nope'") as refusal:
        client.session("nope")
    assert refusal.value.status == 404
    with pytest.raises(RefusedError, match="'code-assistant', 'support-desk'") as refusal:
        client.session("loop-00")
    assert refusal.value.status == 409
    assert client.session("loop-00", "code-assistant")["session"]["flagged"] is False


def test_a_round_of_several_agents_asks_which(client):
    with pytest.raises(RefusedError, match="'coder', 'planner'") as refusal:
        client.round("team-09", 0)
    assert refusal.value.status == 409
    assert client.round("team-09", 0, agent="coder")["round"]["text"] == "Renaming."
    with pytest.raises(RefusedError, match="no round 7"):
        client.round("team-09", 7)


@pytest.mark.parametrize("session_id", ["a/b", "../x", "..", "ü b", "50%", "a?b#c", "http://x/y?z=1", "a\\b"])
def test_any_id_can_be_asked_for(store, client, session_id):
    with store.write() as connection:
        connection.execute(
            "INSERT INTO sessions (session_id, session_source, service_name, final_text) "
            "VALUES ($id, '', 'ids', '')",
            {"id": session_id},
        )
    try:
        assert client.session(session_id)["session"]["session_id"] == session_id
        assert client.claims(session_id) == {"total": 0, "claims": []}
    finally:
        with store.write() as connection:
            connection.execute("DELETE FROM sessions WHERE service_name = 'ids'")


def test_spans_are_those_of_the_sessions_traces(client):
    answer = client.spans(**LOOP)
    assert answer["total"] == len(answer["spans"]) == 7 + 6
    assert len({span["trace_id"] for span in answer["spans"]}) == 1
    assert answer["spans"][0]["resource"] == {"service.name": "support-desk"}
    page = client.spans(**LOOP, limit=5, offset=10)
    assert (page["total"], len(page["spans"])) == (13, 3)


def test_the_ledger_names_the_call_that_contradicts_a_claim(client):
    claims = client.claims("claim-03")["claims"]
    contradicted = [claim for claim in claims if claim["verdict"] == "contradicted"]
    assert [claim["sentence"] for claim in contradicted] == ["I updated the description of T-17."]
    evidence = contradicted[0]["evidence"]
    assert (evidence["round"], evidence["position"], evidence["tool"]) == (0, 0, "update_ticket")


def test_findings_have_their_filters(client):
    assert client.findings()["total"] == 13
    loops = client.findings(kind="repetition_loop", model="gpt-oss-120b")["findings"]
    assert [finding["session_id"] for finding in loops] == ["loop-10"]
    assert client.findings(rescue="tool_name_recovered")["total"] == 3
    assert client.findings(tool="search_tickets")["total"] == 3
    assert client.findings(flagged=False)["total"] == 1
    assert client.findings(q="PRINTER")["total"] == 0
    assert client.findings(q="t-17")["total"] == 3
    assert client.findings(since="4h")["total"] == 2
    assert client.findings(limit=1, offset=20) == {"total": 13, "findings": []}


def test_a_verdict_is_kept_changed_and_taken_back(client):
    finding = client.findings(kind="leaked_tool_call", severity="critical")["findings"][0]
    assert finding["verdict"] is None
    for verdict in ("false", "ignored", None):
        assert client.give_verdict(finding["finding_id"], verdict)["verdict"] == verdict
        found = client.sql(f"SELECT verdict FROM findings WHERE finding_id = '{finding['finding_id']}'")
        assert found.rows() == [(verdict,)]


def test_a_verdict_on_nothing_or_of_another_word_is_refused(client, url):
    with pytest.raises(RefusedError, match="no finding 'nope'") as refusal:
        client.give_verdict("nope", "true")
    assert refusal.value.status == 404
    answer = httpx.put(f"{url}/api/findings/x/verdict", json={"verdict": "maybe"})
    assert (answer.status_code, "verdict: " in answer.json()["error"]) == (422, True)


def test_rescues_have_their_filters(client):
    assert client.rescues()["total"] == 9
    found = client.rescues(family="name_recovery", model="mistral-small-24b")["rescues"]
    assert [(r["original"], r["recovered"]) for r in found] == [("shell_exec", "file_write")]
    assert client.rescues(name="verification_derived", since="24h")["total"] == 1


def test_the_overview_counts_in_buckets_without_gaps(client):
    answer = client.overview(since="7d")
    assert sum(bucket["sessions"] for bucket in answer["sessions"]) == 33, "one has no time"
    assert sum(bucket["flagged"] for bucket in answer["sessions"]) == 12
    assert len(answer["sessions"]) == 8
    assert sum(row["count"] for row in answer["findings"]) == 13
    assert sum(row["count"] for row in answer["rescues"]) == 9
    assert [row["tool"] for row in answer["failing_tools"]] == ["update_ticket"]
    assert sum(row["sessions"] for row in answer["models"]) == 33
    hourly = client.overview(since="24h", bucket="hour")
    assert len(hourly["sessions"]) in (25, 26)


def test_facets_are_what_occurs(client):
    facets = client.facets()
    assert facets["services"] == ["code-assistant", "support-desk"]
    assert facets["rescues"] == ["phase_auto_bootstrapped", "tool_name_recovered", "verification_derived"]
    assert "planner" in facets["agents"]
    assert "update_ticket" in facets["tools"]
    assert facets["kinds"] == ["contradicted_claim", "leaked_tool_call", "misnamed_tool", "repetition_loop"]


def test_alerts_are_listed(client):
    assert [alert["rule"] for alert in client.alerts()["alerts"]] == ["loops"]


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/api/sessions?since=yesterday", "since: 'yesterday' is no time: write"),
        ("/api/sessions?since=99999999999d", "is no time"),
        ("/api/sessions?kinds=x", "kinds: "),
        ("/api/sessions?limit=0", "limit: "),
        ("/api/sessions?order=name", "order: "),
        ("/api/sessions?severity=fatal", "severity: "),
        ("/api/sessions/loop-10?rounds_from=-1", "rounds_from: "),
        ("/api/overview?since=1970-01-01&bucket=hour", "choose a later `since`"),
        ("/api/nothing", "Not Found"),
    ],
)
def test_a_refused_request_says_why(url, path, told):
    answer = httpx.get(url + path)
    assert 400 <= answer.status_code < 500
    assert list(answer.json()) == ["error"]
    assert told in answer.json()["error"]


def test_sql_answers_json(url):
    statement = (
        "SELECT 1 AS a, 'x' AS a, sum(2) AS s, [1, 2] AS l, NULL AS n, now() - now() AS i, 'nan'::DOUBLE AS d"
    )
    answer = httpx.post(f"{url}/api/sql", json={"sql": statement}).json()
    assert [column["name"] for column in answer["columns"]] == ["a", "a", "s", "l", "n", "i", "d"]
    assert answer["rows"] == [[1, "x", 2, [1, 2], None, "PT0S", None]]
    assert (answer["row_count"], answer["truncated"]) == (1, False)


def test_sql_says_when_rows_are_cut(url, client):
    answer = httpx.post(f"{url}/api/sql", json={"sql": "FROM range(5000)"}).json()
    assert (answer["row_count"], answer["truncated"]) == (1000, True)
    found = client.run_sql("FROM range(50)", max_rows=10)
    assert (found.frame.height, found.truncated) == (10, True)


def test_sql_answers_arrow_where_it_is_accepted(url):
    answer = httpx.post(f"{url}/api/sql", json={"sql": "SELECT 1 AS a"}, headers={"Accept": ARROW})
    assert answer.headers["content-type"] == ARROW
    assert pa.ipc.open_stream(answer.content).read_all().to_pylist() == [{"a": 1}]


def test_sql_as_a_frame(client):
    found = client.sql(
        "SELECT started_at, kinds, flagged, now() - started_at AS age, 1 AS x, 2 AS x "
        "FROM sessions WHERE session_id = 'loop-10'"
    )
    assert found.schema["started_at"] == pl.Datetime("us")
    assert found.schema["age"] == pl.Duration("ns")
    assert found.columns[-2:] == ["x", "x_1"]
    assert found["kinds"].to_list() == [["repetition_loop"]]
    months = client.sql("SELECT INTERVAL 2 MONTH + INTERVAL 3 DAY AS i")
    assert months["i"].to_list() == ["P2M3D"]


@pytest.mark.parametrize("sql", ["DROP TABLE sessions", "SELECT", "SELECT * FROM nothing", ""])
def test_sql_that_is_refused_is_an_error_with_its_reason(client, sql):
    with pytest.raises(SqlError) as refusal:
        client.sql(sql)
    assert len(str(refusal.value)) > 10


def test_a_value_that_json_has_no_form_for_is_named(url):
    answer = httpx.post(f"{url}/api/sql", json={"sql": "SELECT '99999-01-01'::DATE AS far"})
    assert (answer.status_code, "write far::VARCHAR" in answer.json()["error"]) == (400, True)


def test_openapi_describes_every_path(url):
    described = set(httpx.get(f"{url}/openapi.json").json()["paths"])
    documented = re.findall(r"`(?:GET|PUT|POST) (/api/[^`?]*)", (DOCS / "api.md").read_text("utf-8"))
    by_the_service = {"/api/analyze", "/api/status"}
    assert described == set(documented) - by_the_service


def test_the_client_says_what_to_do_when_nothing_answers():
    with Client("http://127.0.0.1:1") as nobody, pytest.raises(UnreachableError, match="`tightrope up`"):
        nobody.facets()
    with pytest.raises(UsageError, match="does not begin with http"):
        Client("localhost:4318")


def test_the_client_tells_another_server_from_the_service(url):
    with Client(f"{url}/docs") as other, pytest.raises(UnreachableError, match="no Tightrope service"):
        other.facets()


def sql_examples():
    return re.findall(r"```sql\n(.*?)```", (DOCS / "sql.md").read_text("utf-8"), re.DOTALL)


@pytest.mark.parametrize("number", range(5))
def test_the_documented_queries_answer(client, number):
    assert client.sql(sql_examples()[number]).height > 0


def test_the_documented_rescue_rates_are_right(client):
    found = client.sql(sql_examples()[0])
    assert found.columns == ["model", "name", "rescues", "rounds", "per_100_rounds"]
    assert found["rescues"].sum() == 9
    for row in found.iter_rows(named=True):
        assert row["per_100_rounds"] == pytest.approx(100 * row["rescues"] / row["rounds"], abs=0.01)


@pytest.mark.parametrize(
    ("view", "of", "events"), [("rescue_rates", "name", "rescues"), ("finding_rates", "kind", "findings")]
)
def test_rates_divide_by_all_rounds_of_the_model(client, view, of, events):
    rounds = dict(client.sql("SELECT coalesce(model, ''), count(*) FROM rounds GROUP BY ALL").rows())
    rates = client.sql(f"SELECT model, {of}, sum(rounds), sum(count) FROM {view} GROUP BY ALL").rows()
    names = client.sql(f"SELECT DISTINCT {of} FROM {events}")[of].to_list()
    assert {(model, name): total for model, name, total, _ in rates} == {
        (model, name): total for model, total in rounds.items() for name in names
    }
    assert sum(count for *_, count in rates) == client.sql(f"SELECT count(*) FROM {events}").item()


def test_every_public_table_is_documented_column_by_column(client):
    text = (DOCS / "sql.md").read_text("utf-8")
    documented = {}
    for section in text.split("\n### ")[1:]:
        name = re.match(r"`(\w+)`", section)[1]
        documented[name] = re.findall(r"^\| `(\w+)` \| ([^|]+?) \|", section, re.MULTILINE)
    assert set(documented) >= {
        "sessions",
        "rounds",
        "tool_calls",
        "findings",
        "rescues",
        "spans",
        "rescue_rates",
    }
    for name, columns in documented.items():
        described = client.sql(f"DESCRIBE {name}").select("column_name", "column_type").rows()
        assert columns == described, name


def test_a_filled_store_is_recent(client):
    newest = client.sessions(order="started_at")["sessions"][0]["started_at"]
    assert (datetime.now(UTC) - datetime.fromisoformat(newest)).total_seconds() < 7300
