"""Chromium as the tests and the screenshots start it, and waiting until a page stands still."""

from __future__ import annotations

import shutil

from playwright.sync_api import Browser, Page, Playwright

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
    page.wait_for_timeout(600)


def click_row(page: Page, row: int, *, table: int = 0, x: int = 100) -> None:
    """Click the row of a table, counted from 0, `x` pixels from its left edge; tables are canvases."""
    grid = page.locator("[data-testid=stDataFrameResizable]").nth(table)
    grid.scroll_into_view_if_needed()
    box = grid.bounding_box()
    assert box
    page.mouse.click(box["x"] + x, box["y"] + 36 + 33 * row + 16)
    page.wait_for_timeout(300)
    settle(page)


def table_text(page: Page, table: int = 0) -> str:
    """What a table holds: its cells as they are offered to screen readers."""
    return page.locator("[data-testid=stDataFrame]").nth(table).locator("table").inner_text()
