# Everything a person or a CI does with this repository. `make run` needs Python 3.11 or newer and make.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
LOCKS := constraints.txt constraints-dev.txt
COMPILE = $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes \
	--no-header --no-annotate --no-emit-package tightrope-sdk --extra build

export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: install run test check lock clean browser

install: $(STAMP)

$(STAMP): constraints-dev.txt pyproject.toml sdk/pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "Tightrope needs Python 3.11 or newer, and '$(PYTHON)' is not: install one, and say which" \
			"with 'make PYTHON=python3.12'" >&2; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
		echo "$(PYTHON) lacks its venv module: install it (Debian, Ubuntu: apt-get install python3-venv)" \
			>&2; exit 1; }
	@echo "installing what Tightrope needs into $(VENV): about a minute"
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --require-hashes -r constraints-dev.txt
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e sdk -e .
	@$(BIN)/python -m pip check >/dev/null || { \
		echo "what is installed does not satisfy pyproject.toml: run 'make lock', then 'make install'" >&2; \
		$(BIN)/python -m pip check; }
	@touch $@

run: install
	$(BIN)/tightrope up

# The browser tests use a Chromium; where none can be had they skip themselves and say so.
browser:
	@for name in chromium chromium-browser google-chrome google-chrome-stable; do \
		command -v $$name >/dev/null && exit 0; done; \
	command -v apt-get >/dev/null || { echo "no Chromium found: the browser tests will be skipped"; exit 0; }; \
	root=; test "$$(id -u)" = 0 || root="sudo -n"; \
	echo "installing Chromium for the browser tests"; \
	{ $$root apt-get update && $$root env DEBIAN_FRONTEND=noninteractive \
		apt-get install --yes --no-install-recommends chromium; } >/dev/null \
		|| echo "Chromium could not be installed: the browser tests will be skipped"

test: install browser
	$(BIN)/python -m pytest

check: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

# The newest versions that pyproject.toml allows, for every platform, with hashes: constraints.txt is
# what the service runs with, constraints-dev.txt adds what tests and checks need.
lock:
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet 'uv>=0.9,<1'
	@for file in $(LOCKS); do : > $$file.new; done
	$(COMPILE) pyproject.toml -o constraints.txt.new
	$(COMPILE) --extra dev -c constraints.txt.new pyproject.toml -o constraints-dev.txt.new
	@for file in $(LOCKS); do { \
		echo "# Made by 'make lock' from pyproject.toml; not to be edited by hand."; cat $$file.new; \
		} > $$file && rm $$file.new; done

clean:
	rm -rf $(VENV) build dist sdk/dist .pytest_cache .ruff_cache .mypy_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
