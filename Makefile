PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help install run test check format lock bench clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(STAMP) ## Make .venv with everything in it

$(STAMP): requirements-dev.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Strategy Bot needs Python 3.11 or newer; set PYTHON=/path/to/python3."; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	$(BIN)/python -m strategybot.warm_up
	@touch $@

run: install ## Serve everything on http://127.0.0.1:8000
	$(BIN)/strategybot serve

test: install ## Run every test, real components included
	@tests/setup-components
	$(BIN)/python -m pytest -n auto

check: install ## Format, lint, types, architecture
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest tests/test_architecture.py

format: install ## Format the code and mend what can be mended
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: install ## Measure: load beside a bare route, backtests beside the engine, the engine beside its peers
	@tests/setup-components
	$(BIN)/python -m bench.load
	$(BIN)/python -m bench.backtests
	$(BIN)/python -m bench.engine

lock: install ## Pin the newest versions that pyproject.toml admits
	$(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		pyproject.toml -o requirements.lock
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
		--extra dev -c requirements.lock pyproject.toml -o requirements-dev.lock

clean: ## Remove what was installed and built (your data/ stays)
	rm -rf $(VENV) dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
