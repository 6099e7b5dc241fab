"""Screenshots of every page, light and dark, at 1280x900.

    python -m tests.dashboard.screenshots DASHBOARD_URL OUT_DIR [SESSION ROUND SERVICE]…

takes them of a running dashboard.
"""

from __future__ import annotations

import sys
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import sync_playwright

from tests.dashboard.browser import launch, settle


def main(base: str, out: Path, sessions: list[str]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    pages = {"overview": "/", "sessions": "/sessions", "sql": "/sql"}
    for address in sessions:
        name, _, service = address.partition("@")
        pages[f"session-{name}"] = "/session?" + urlencode({"session": name, "service": service})
    with sync_playwright() as playwright:
        browser = launch(playwright)
        for scheme in ("light", "dark"):
            context = browser.new_context(viewport={"width": 1280, "height": 900}, color_scheme=scheme)
            page = context.new_page()
            for name, path in pages.items():
                page.goto(base + path)
                settle(page)
                page.wait_for_timeout(1000)
                page.screenshot(path=out / f"{name}-{scheme}.png")
                tall = page.evaluate(
                    "Math.max(...[...document.querySelectorAll('section, main, [data-testid=stMain]')]"
                    ".map(e => e.scrollHeight))"
                )
                if tall > 950:
                    page.set_viewport_size({"width": 1280, "height": min(int(tall) + 40, 4000)})
                    page.wait_for_timeout(900)
                    page.screenshot(path=out / f"{name}-{scheme}-whole.png")
                    page.set_viewport_size({"width": 1280, "height": 900})
            context.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1].rstrip("/"), Path(sys.argv[2]), sys.argv[3:])
