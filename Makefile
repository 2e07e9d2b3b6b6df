PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
NODE_STAMP := web/node_modules/.installed
SITE := src/strategybot/site/index.html
SITE_SOURCES := $(shell find web -name node_modules -prune -o -type f -print)

.DEFAULT_GOAL := help
.PHONY: help install run test check format schema lock chaos bench soak clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(STAMP) $(SITE) ## Make .venv with everything in it, and build the browser app

$(STAMP): requirements-dev.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Strategy Bot needs Python 3.11 or newer; set PYTHON=/path/to/python3."; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	HATCH_BUILD_NO_HOOKS=true $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	$(BIN)/python -m strategybot.warm_up
	@touch $@

$(NODE_STAMP): web/package-lock.json
	cd web && npm ci --loglevel=error
	@touch $@

# Without Node the API still works: that is worth more than to stop here.
ifeq ($(shell command -v npm),)
$(SITE):
	@echo "Node 20.19 or newer is not installed, so there is no browser app: only the API, with its documentation at /docs."
else
$(SITE): $(NODE_STAMP) $(SITE_SOURCES)
	cd web && npm run --silent build
endif

run: install ## Serve everything on http://127.0.0.1:8000
	$(BIN)/strategybot serve

test: install ## Run every test, real components included
	@tests/setup-components
	cd web && npm run --silent test
	$(BIN)/python -m pytest -n auto --dist worksteal --ignore=tests/browser
	$(BIN)/python -m pytest -n auto --dist worksteal tests/browser  # apart: a browser's driver keeps its thread's event loop

check: install ## Format, lint, types, architecture
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest tests/test_architecture.py tests/test_web_schema.py
	cd web && npm run --silent check

format: install ## Format the code and mend what can be mended
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	cd web && npm run --silent format

schema: install ## Write down the API as the browser app sees it
	$(BIN)/strategybot openapi > web/openapi.json
	cd web && npm run --silent schema

chaos: install ## Break everything two hundred times, kill simulations a thousand times, and install anew; check every promise
	@tests/setup-components
	CHAOS_CYCLES=200 $(BIN)/python -m pytest tests/chaos tests/operations
	CHAOS_CYCLES=1000 $(BIN)/python -m pytest tests/simulations/test_chaos.py

bench: install ## Measure: load beside a bare route, backtests beside the engine, thousands of simulations, the engine beside its peers
	@tests/setup-components
	$(BIN)/python -m bench.load
	$(BIN)/python -m bench.backtests
	$(BIN)/python -m bench.simulations
	$(BIN)/python -m bench.engine

soak: install ## Use it steadily for SOAK_MINUTES (30) and see whether its memory grows
	$(BIN)/python -m bench.soak

lock: install ## Pin the newest versions that pyproject.toml admits
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		--extra dev -c requirements.lock pyproject.toml -o requirements-dev.lock

clean: ## Remove what was installed and built (your data/ stays)
	rm -rf $(VENV) dist web/node_modules src/strategybot/site .mypy_cache .ruff_cache .pytest_cache .hypothesis
