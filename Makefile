# Every target below runs in .venv, which is made on first use and remade only
# when pyproject.toml or requirements.txt changes.

PYTHON ?= $(shell python3.11 -c '' 2>/dev/null && echo python3.11 || echo python3)
VENV := .venv
STAMP := $(VENV)/.installed
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help demo test test-quick check bench clean

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' Makefile | awk -F'|' '{ printf "%-17s %s\n", $$1, $$2 }'

demo: $(STAMP) ## Train a player from nothing, see it beat the baselines
	@$(BIN)/python -m experiments.demo

test: $(STAMP) ## Run all tests
	@$(BIN)/python -m pytest -n 2

test-quick: $(STAMP) ## Run the quick tests on few seats and options (a minute, once compiled)
	@RAILENVS_QUICK=1 $(BIN)/python -m pytest -n 2 -m "not slow" tests/engine tests/games tests/golden tests/render

check: $(STAMP) ## Lint, check formatting and types
	@$(BIN)/python -m ruff check
	@$(BIN)/python -m ruff format --check
	@$(BIN)/python -m mypy

bench: $(STAMP) ## Measure simulation throughput
	@$(BIN)/python -m experiments.throughput

clean: ## Remove the environment, build outputs and caches
	@rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis
	@find . -name .git -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +

# The stamp is written last: after a failed step the next run starts over.
$(STAMP): pyproject.toml requirements.txt
	@echo "Installing into $(VENV) (first run takes a few minutes)"
	@rm -f $@
	@$(PYTHON) -m venv $(VENV)
	@$(PIP) install -r requirements.txt
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@
