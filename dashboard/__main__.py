"""`python -m dashboard`: runs the dashboard on TIGHTROPE_HOST and TIGHTROPE_DASHBOARD_PORT."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from collector.errors import TightropeError
from collector.settings import load_settings


def main() -> int:
    """Become Streamlit; returns only where the settings are wrong."""
    try:
        settings = load_settings()
    except TightropeError as error:
        print(f"tightrope: {error}", file=sys.stderr)
        return 2
    here = Path(__file__).parent
    os.chdir(here)  # Streamlit reads .streamlit/config.toml from the current folder
    os.execv(
        sys.executable,
        [
            sys.executable,
            *("-m", "streamlit", "run", str(here / "app.py")),
            f"--server.address={settings.host}",
            f"--server.port={settings.dashboard_port}",
            "--server.headless=true",
            "--browser.gatherUsageStats=false",
        ],
    )


if __name__ == "__main__":
    sys.exit(main())
