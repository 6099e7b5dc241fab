"""Chromium as the tests and the screenshots start it, and waiting until a page stands still."""

from __future__ import annotations

import shutil

from playwright.sync_api import Browser, Locator, Page, Playwright

# The script has run, the code of every element has been fetched, and nothing has moved for some frames:
# counted in frames and not in milliseconds, so that a slow machine is given the time it needs.
STANDS_STILL = """
() => {
  const app = document.querySelector("[data-testid=stApp]");
  const drawn =
    app?.getAttribute("data-test-script-state") === "notRunning" &&
    app.getAttribute("data-test-connection-state") === "CONNECTED" &&
    !document.querySelector("[data-testid=stSkeleton], [data-stale=true]");
  const boxes = [...document.querySelectorAll("[data-testid=stElementContainer]")].map((element) => {
    const box = element.getBoundingClientRect();
    return [box.x, box.y, box.width, box.height].join();
  });
  const before = window.layoutSeen;
  const layout = drawn ? boxes.join(";") : "";
  const frames = layout && layout === before?.layout ? before.frames + 1 : 0;
  window.layoutSeen = { layout, frames };
  return frames >= 20;
}
"""
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
    """Wait until the script behind the page has run and the page stands still."""
    page.evaluate("window.layoutSeen = undefined")
    page.wait_for_function(STANDS_STILL, polling="raf", timeout=30_000)


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
