PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
TOOLS_STAMP := $(VENV)/.installed-tools
NODE_STAMP := web/node_modules/.installed
NODE_TOOLS_STAMP := web/node_modules/.installed-tools
SITE := src/strategybot/site/index.html
SITE_SOURCES := $(shell find web -name node_modules -prune -o -type f -print)
# What pytest compiles of the tests is kept, also where Python is told to write none: it takes seconds in each process.
PYTEST := PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest
# One more than there are processors: some tests only wait, for a process or for the next step of a simulation.
WORKERS = $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 1)))

# Compiled to bytecode now, so that every later start is quick, also where Python may write none.
UV := $(shell command -v uv)
ifeq ($(UV),)
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PYTHON_TIME := 1 to 3 minutes; with uv on the path it would be 20 seconds
else
PIP := $(UV) pip install --quiet --python $(BIN)/python --compile-bytecode
PYTHON_TIME := about 20 seconds with uv
endif

.DEFAULT_GOAL := help
.PHONY: help install tools run dev test check format schema lock audit sbom chaos bench soak clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(STAMP) $(SITE) ## Make .venv with what running needs, and build the browser app

tools: install $(TOOLS_STAMP) $(NODE_TOOLS_STAMP) ## Add what testing and developing need

$(STAMP): requirements.lock requirements-build.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Strategy Bot needs Python 3.11 or newer; set PYTHON=/path/to/python3."; exit 1; }
	@echo "[1/5] Making $(VENV) (5 seconds)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "[2/5] Installing Python packages, 600 MB ($(PYTHON_TIME))"
	@$(PIP) --require-hashes -r requirements.lock
	@echo "[3/5] Installing Strategy Bot itself (10 seconds)"
	@$(PIP) --require-hashes -r requirements-build.lock
	@HATCH_BUILD_NO_HOOKS=true $(PIP) --no-deps --no-build-isolation -e .
	@$(BIN)/python -m compileall -q src/strategybot client/strategybot_client
	@echo "[4/5] Compiling the engine for this machine (1 to 2 minutes)"
	@$(BIN)/python -m strategybot.warm_up
	@touch $@

$(TOOLS_STAMP): requirements-dev.lock $(STAMP)
	@echo "[tools] Installing what testing and developing need, 400 MB ($(PYTHON_TIME))"
	@$(PIP) --require-hashes -r requirements-dev.lock
	@touch $@

$(NODE_STAMP): web/package-lock.json
	@echo "[5/5] Installing the browser app's build tools and building it (1 minute)"
	@cd web && npm ci --omit=dev --loglevel=error
	@touch $@

$(NODE_TOOLS_STAMP): web/package-lock.json $(NODE_STAMP)
	@echo "[tools] Installing the browser app's test tools (30 seconds)"
	@cd web && npm ci --loglevel=error
	@touch -r web/package-lock.json $(NODE_STAMP) && touch $@  # the app need not be built again

# Without Node the API still works: that is worth more than to stop here.
ifeq ($(shell command -v npm),)
$(SITE):
	@echo "[5/5] Node 20.19 or newer is not installed, so there is no browser app: only the API, with its documentation at /docs."
else
$(SITE): $(NODE_STAMP) $(SITE_SOURCES)
	@cd web && npm run --silent build
endif

run: install ## Serve everything on http://127.0.0.1:8000
	$(BIN)/strategybot serve

dev: tools ## Serve the API on port 8000 and the web app on port 5173, both with reload
	@trap 'kill 0' EXIT; \
	$(BIN)/python -m uvicorn --factory strategybot.app:development_app --reload --reload-dir src & \
	cd web && npm run --silent dev

test: tools ## Run every test, real components included
	@tests/setup-components
	cd web && npm run --silent test
	$(PYTEST) -p no:playwright -n $(WORKERS) --dist worksteal --ignore=tests/browser
# Apart, because a browser's driver keeps its thread's event loop; and without the fixtures that import the service.
	$(PYTEST) -p no:schemathesis -n $(WORKERS) --dist worksteal --confcutdir=tests/browser tests/browser

check: tools ## Format, lint, types, architecture
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(PYTEST) tests/test_architecture.py tests/test_web_schema.py
	cd web && npm run --silent check

format: tools ## Format the code and mend what can be mended
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .
	cd web && npm run --silent format

schema: tools ## Write down the API as the browser app and the Python client see it
	$(BIN)/strategybot openapi > web/openapi.json
	cd web && npm run --silent schema
	$(BIN)/python client/generate_client.py

chaos: tools ## Break everything two hundred times, kill simulations a thousand times, and install anew; check every promise
	@tests/setup-components
	CHAOS_CYCLES=200 $(PYTEST) tests/chaos tests/operations
	CHAOS_CYCLES=1000 $(PYTEST) tests/simulations/test_chaos.py

bench: tools ## Measure: load beside a bare route, backtests beside the engine, thousands of simulations and streams, the engine beside its peers
	@tests/setup-components
	$(BIN)/python -m bench.load
	$(BIN)/python -m bench.backtests
	$(BIN)/python -m bench.simulations
	$(BIN)/python -m bench.events
	$(BIN)/python -m bench.engine
	$(BIN)/python -m bench.sweep

soak: tools ## Use it steadily for SOAK_MINUTES (30) and see whether its memory grows
	$(BIN)/python -m bench.soak

lock: tools ## Pin the newest versions that pyproject.toml admits
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		--extra dev -c requirements.lock pyproject.toml -o requirements-dev.lock
	printf 'editables\nhatchling\n' | $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
		--no-emit-index-url --no-header --no-annotate -c requirements-dev.lock - -o requirements-build.lock
# Apart from the other tools: it needs an older typer than the service.
	printf 'openapi-python-client\n' | $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 \
		--generate-hashes --no-emit-index-url --no-header --no-annotate - -o requirements-generators.lock

audit: tools ## Ask the advisory databases about every package we use
	@echo "Python packages:"
	@tests/audit $(BIN)/pip-audit --progress-spinner off --require-hashes --disable-pip -r requirements.lock
	@echo "Packages of the browser app:"
	@cd web && ../tests/audit npm audit --omit=dev

sbom: tools ## List everything that an installation contains, as CycloneDX, in dist/
	@mkdir -p dist
	$(BIN)/cyclonedx-py requirements requirements.lock --output-reproducible -o dist/sbom-python.json
	cd web && npm sbom --omit=dev --sbom-format cyclonedx > ../dist/sbom-web.json

clean: ## Remove what was installed and built (your data/ stays)
	rm -rf $(VENV) dist web/node_modules src/strategybot/site .mypy_cache .ruff_cache .pytest_cache .hypothesis
