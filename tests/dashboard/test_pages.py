"""The dashboard in a real browser, over the real query API on a filled store."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Locator, Page, expect

from dashboard.data import KEPT_SECONDS
from dashboard.text import visible
from tests.dashboard import stored
from tests.dashboard.browser import click_row, settle, table

JOINER = "\u2060"
LOOP = "/session?session=loop-00&service=support-desk"


def _open(page: Page, address: str) -> None:
    page.goto(address)
    settle(page)


def _code(page: Page, text: str) -> Locator:
    """The blocks of preformatted text that hold exactly `text`."""
    whole = re.compile(rf"^\s*{re.escape(text)}\s*$")
    return page.get_by_test_id("stCode").filter(has_text=whole)


def _choose(page: Page, label: str, option: str) -> None:
    page.get_by_role("combobox", name=label).click()
    page.get_by_role("option", name=option, exact=True).click()
    settle(page)


def test_overview_shows_the_counts_and_each_leads_to_its_sessions(page: Page, dashboard: str) -> None:
    _open(page, dashboard)
    expect(page.get_by_test_id("stMetricValue")).to_have_count(4)
    figures = {
        box.get_by_test_id("stMetricLabel").inner_text(): box.get_by_test_id("stMetricValue").inner_text()
        for box in page.get_by_test_id("stMetric").all()
    }
    assert figures == {"Sessions": "35", "Flagged": "14 · 40 %", "Findings": "15", "Rescues": "11"}
    expect(table(page, 0)).to_contain_text("update_ticket")
    expect(table(page, 1)).to_contain_text("gpt-oss-120b")
    page.get_by_role("link", name="Misnamed tool 3").click()
    expect(page.get_by_text("1–3 of 3 sessions")).to_be_visible()
    assert "kind=misnamed_tool" in page.url
    page.go_back()
    expect(page.get_by_test_id("stMetric")).to_have_count(4)


def test_a_bar_and_a_model_lead_to_their_sessions(page: Page, dashboard: str) -> None:
    _open(page, dashboard)
    chart = page.get_by_test_id("stVegaLiteChart").nth(1)
    box = chart.bounding_box()
    assert box
    chart.click(position={"x": box["width"] - 34, "y": box["height"] - 60})
    page.wait_for_url("**/sessions?rescue=*&since=*")
    page.go_back()
    page.wait_for_url(f"{dashboard}/")
    settle(page)
    click_row(page, 0, number=1)
    page.wait_for_url("**/sessions?model=*")


def test_sessions_filter_by_the_address_and_back_undoes_it(page: Page, dashboard: str) -> None:
    _open(page, f"{dashboard}/sessions")
    expect(page.get_by_text("1–36 of 36 sessions")).to_be_visible()
    _choose(page, "Finding", "Repetition loop")
    expect(page.get_by_text("1–3 of 3 sessions")).to_be_visible()
    assert page.url.endswith("/sessions?kind=repetition_loop")
    _choose(page, "Model", "gpt-oss-120b")
    expect(page.get_by_text("1–1 of 1 session")).to_be_visible()
    expect(table(page)).to_contain_text("loop-10")
    page.go_back()
    expect(page.get_by_text("1–3 of 3 sessions")).to_be_visible()
    expect(page.get_by_role("combobox", name="Model")).not_to_have_value("gpt-oss-120b")
    page.get_by_role("button", name="Clear the filter").click()
    expect(page.get_by_text("1–36 of 36 sessions")).to_be_visible()


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ({"service": "code-assistant", "flagged": "true"}, "1–6 of 6 sessions"),
        ({"q": "refund 4711", "since": "7d"}, "1–3 of 3 sessions"),
        ({"kind": "no_such_kind"}, "0 of 0 sessions"),
    ],
)
def test_a_shared_address_shows_its_filter(
    page: Page, dashboard: str, query: dict[str, str], shown: str
) -> None:
    _open(page, f"{dashboard}/sessions?{urlencode(query)}")
    expect(page.get_by_text(shown)).to_be_visible()


def test_a_click_opens_the_session_and_back_returns_to_the_filter(page: Page, dashboard: str) -> None:
    _open(page, f"{dashboard}/sessions?kind=repetition_loop")
    click_row(page, 0)
    expect(page.get_by_role("heading", name="loop-00")).to_be_visible()
    assert page.url.endswith(LOOP)
    expect(page.get_by_text("search_tickets called 6 times with the same arguments").first).to_be_visible()
    expect(page.get_by_text("6 calls in order, 1 call made more than once")).to_be_visible()
    expect(page.get_by_text("7 of 7 rounds")).to_be_visible()
    expect(table(page)).to_contain_text("refund 4711")
    expect(table(page)).to_contain_text("same")
    page.go_back()
    expect(page.get_by_text("1–3 of 3 sessions")).to_be_visible()
    assert page.url.endswith("/sessions?kind=repetition_loop")


def test_strip_table_and_buttons_choose_the_round(page: Page, dashboard: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 1500})
    _open(page, dashboard + LOOP)

    def on_round(number: int) -> None:
        expect(page.get_by_role("heading", name=f"Round {number}", exact=True)).to_be_visible()

    on_round(0)
    strip = page.get_by_test_id("stVegaLiteChart")
    strip.click(position={"x": 3 * 30 + 17, "y": 20})
    on_round(3)
    assert "round=3" in page.url
    settle(page)
    click_row(page, 5)
    on_round(5)
    page.get_by_role("button", name="Next").click()
    on_round(6)
    expect(page.get_by_test_id("stCode").get_by_text("I could not find it.")).to_be_visible()
    settle(page)
    click_row(page, 5)
    on_round(5)
    page.go_back()
    on_round(6)


def test_a_deep_link_opens_the_round_of_the_agent(page: Page, dashboard: str) -> None:
    _open(page, f"{dashboard}/session?session=team-09&service=code-assistant&round=1&agent=planner")
    expect(page.get_by_role("heading", name="Round 1 of planner")).to_be_visible()
    expect(page.get_by_test_id("stCode").get_by_text("The coder renamed it.")).to_be_visible()


def test_a_rescued_call_shows_both_names_and_the_net(page: Page, dashboard: str) -> None:
    _open(page, f"{dashboard}/session?session=misnamed-01&service=code-assistant")
    expect(page.get_by_role("strong").filter(has_text="shell_exec → file_write")).to_be_visible()
    expect(page.get_by_role("strong").filter(has_text="tool_name_recovered")).to_be_visible()
    expect(table(page)).to_contain_text("tool_name_recovered")


def test_a_leak_is_marked_in_its_text_and_a_claim_has_its_evidence(page: Page, dashboard: str) -> None:
    _open(page, f"{dashboard}/session?session=leak-in-place&service={stored.SERVICE}")
    for text in (stored.LEAK_BEFORE, stored.LEAK, stored.LEAK_AFTER):
        expect(_code(page, text.strip())).to_have_count(1)
    expect(page.get_by_text("format hermes")).to_be_visible()
    expect(page.get_by_text("In the text only")).to_be_visible()
    _open(page, f"{dashboard}/session?session=claim-03&service=code-assistant")
    ledger = table(page, 1)
    expect(ledger).to_contain_text("I updated the description of T-17.")
    expect(ledger).to_contain_text("contradicted")
    expect(ledger).to_contain_text("9f2c → 9f2c")
    click_row(page, 0, number=1)
    expect(page.get_by_role("heading", name="Round 0", exact=True)).to_be_visible()


def test_a_verdict_persists_and_can_be_taken_back(page: Page, dashboard: str) -> None:
    _open(page, f"{dashboard}/session?session=leak-12&service=support-desk")
    given = page.get_by_role("button", name="False alarm")
    expect(given).to_have_attribute("kind", "secondary")
    given.click()
    expect(given).to_have_attribute("kind", "primary")
    page.reload()
    expect(given).to_have_attribute("kind", "primary")
    settle(page)
    given.click()
    expect(given).to_have_attribute("kind", "secondary")


def test_the_sql_of_a_finding_shows_its_calls(page: Page, dashboard: str) -> None:
    _open(page, dashboard + LOOP)
    page.get_by_role("button", name="SQL").click()
    statement = page.get_by_test_id("stPopoverBody").get_by_test_id("stCode").inner_text()
    _open(page, f"{dashboard}/sql")
    page.get_by_role("textbox").fill(statement)
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_text("6 rows, 8 columns")).to_be_visible()
    expect(table(page)).to_contain_text("search_tickets")


def test_sql_offers_its_result_as_csv_and_says_why_it_refuses(page: Page, dashboard: str) -> None:
    _open(page, f"{dashboard}/sql")
    page.get_by_role("textbox").fill("SELECT 'x,y' AS a, [1, 2] AS b")
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_text("1 row, 2 columns")).to_be_visible()
    settle(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download CSV").click()
    assert download.value.path().read_text().splitlines() == ["a,b", '"x,y","[1, 2]"']
    page.get_by_role("textbox").fill("DROP TABLE raw_spans")
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_text("The statement was refused")).to_be_visible()


def test_hostile_text_is_shown_as_text(page: Page, dashboard: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    query = urlencode({"session": stored.HOSTILE, "service": stored.SERVICE})
    _open(page, f"{dashboard}/session?{query}")
    shown = visible(stored.HOSTILE)
    heading = page.get_by_role("heading", level=1).inner_text().replace(JOINER, "")
    assert heading.rstrip("…") == " ".join(shown.split())[: len(heading.rstrip("…"))]
    assert len(heading) == 120
    title = page.locator("strong").filter(has_text="evil.example/a.png").first.inner_text()
    assert title.replace(JOINER, "") == " ".join(shown.split())
    expect(_code(page, shown).nth(2)).to_be_visible()
    expect(page.get_by_text("20,000 of 1,048,576 characters shown")).to_be_visible()
    page.get_by_test_id("stVegaLiteChart").hover(position={"x": 15, "y": 20})
    expect(page.locator("#vg-tooltip-element")).to_contain_text("onerror='window.pwned=1'")
    for path in ("/", f"/sessions?service={stored.SERVICE}", "/sql"):
        _open(page, dashboard + path)
    page.get_by_role("textbox").fill(
        f"SELECT tool, error FROM tool_calls WHERE service_name = '{stored.SERVICE}'"
    )
    page.get_by_role("button", name="Run").click()
    expect(page.get_by_text("2 rows, 2 columns")).to_be_visible()
    assert page.evaluate("window.pwned") is None
    assert not [url for url in asked if not url.startswith((dashboard, "data:", "blob:"))]
    expect(page.locator("a[href*='evil.example'], img[src*='evil.example']")).to_have_count(0)


def test_every_page_asks_for_the_token_and_an_empty_store_says_what_to_do(
    page: Page, start_dashboard: Callable[[str], tuple[Any, Any]]
) -> None:
    api, running = start_dashboard("s3cret")
    _open(page, f"{running.url}/sessions")
    expect(page.get_by_role("heading", name="Sessions")).to_have_count(0)
    page.get_by_label("The token that the service was started with").fill("wrong")
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_text("That is not the token")).to_be_visible()
    page.get_by_label("The token that the service was started with").fill("s3cret")
    page.get_by_role("button", name="Open").click()
    expect(page.get_by_text(f"export OTEL_EXPORTER_OTLP_ENDPOINT={api.url}")).to_be_visible()
    expect(page.get_by_text("tightrope demo", exact=True)).to_be_visible()
    page.get_by_role("link", name="Overview").click()
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    settle(page)
    expect(page.get_by_text("No run has arrived yet")).to_be_visible()
    expect(page.get_by_test_id("stVegaLiteChart")).to_have_count(0)
    assert "s3cret" not in page.url + page.content()
    api.stop()
    page.wait_for_timeout(1000 * KEPT_SECONDS)
    page.get_by_role("button", name="Look again").click()
    expect(page.get_by_role("heading", name="The service does not answer")).to_be_visible()
    expect(page.get_by_text("tightrope up")).to_be_visible()


def test_showing_the_round_of_a_finding_scrolls_to_it_every_time(page: Page, dashboard: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 700})
    _open(page, dashboard + LOOP)
    heading = page.get_by_role("heading", name=re.compile(r"^Round \d+$"))
    for _ in range(2):
        expect(heading).not_to_be_in_viewport()
        page.get_by_role("button", name="Show the round").first.click()
        expect(heading).to_be_in_viewport()
        settle(page)
        page.get_by_role("heading", level=1).scroll_into_view_if_needed()


def test_a_rescue_of_the_tool_that_ran_is_shown_in_its_round(page: Page, dashboard: str) -> None:
    _open(page, f"{dashboard}/sessions?rescue=phase_auto_bootstrapped")
    click_row(page, 0)
    page.wait_for_url("**/session?*")
    settle(page)
    expect(page.get_by_role("strong").filter(has_text="phase_auto_bootstrapped")).to_be_visible()


def test_traces_in_which_no_agent_was_recognised_are_listed(page: Page, dashboard: str) -> None:
    _open(page, f"{dashboard}/sessions?kind=repetition_loop")
    page.get_by_text("1 trace in which no agent was recognised").click()
    expect(table(page, 1)).to_contain_text("GET /checkout")
    expect(table(page, 1)).to_contain_text("made-up")


def test_sessions_say_which_service_and_how_grave(page: Page, dashboard: str) -> None:
    _open(page, f"{dashboard}/sessions?kind=repetition_loop")
    expect(table(page)).to_contain_text("support-desk")
    expect(table(page)).to_contain_text("Warning")
