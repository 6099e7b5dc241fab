"""`python -m collector.cli` is `tightrope`."""

import sys

from collector.cli import main

sys.exit(main())
