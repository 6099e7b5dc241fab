"""Chromium as the tests and the screenshots start it, and waiting until a page stands still."""

from __future__ import annotations

import shutil

from playwright.sync_api import Browser, Locator, Page, Playwright, expect

SETTLE_MS = 250
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def launch(playwright: Playwright) -> Browser:
    """The system's Chromium."""
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    return playwright.chromium.launch(executable_path=path, args=list(FLAGS))


def settle(page: Page) -> None:
    """Wait until the script behind the page has run and the page was drawn."""
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]", timeout=20_000)
    page.wait_for_timeout(SETTLE_MS)
    # Code of some elements is fetched when the first of them is shown: a skeleton stands there until then.
    expect(page.get_by_test_id("stSkeleton")).to_have_count(0)


def click_row(page: Page, row: int, *, number: int = 0, x: int = 100) -> None:
    """Click a row of a table, both counted from 0, `x` pixels from the left; tables are canvases."""
    grid = page.locator("[data-testid=stDataFrameResizable]").nth(number)
    grid.scroll_into_view_if_needed()
    box = grid.bounding_box()
    assert box
    page.mouse.click(box["x"] + x, box["y"] + 36 + 33 * row + 16)
    settle(page)


def table(page: Page, number: int = 0) -> Locator:
    """What a table holds: its cells as they are offered to screen readers."""
    return page.locator("[data-testid=stDataFrame]").nth(number).locator("table")
