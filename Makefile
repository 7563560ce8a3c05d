# Everything runs in .venv at the root, made by `make env` from the pinned constraints/.
# Only git, make and Python 3.11 or newer with its venv module need to be installed.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PYTHON ?= python3
# Relative on purpose: make cannot name a target whose absolute path has a space in it.
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
PROJECTS := pyproject.toml sdk/pyproject.toml

.PHONY: help env runtime demo test test-slow lint format types imports proto proto-check baseline bench compiled soak clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile

env: .venv/.dev ## .venv with everything, tests and checks included
runtime: .venv/.runtime ## .venv with only what the service runs on

.venv/.runtime: $(PROJECTS) constraints/runtime.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo 'Python 3.11 or newer is needed; name one with make PYTHON=…' >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv \
	  || { echo 'The venv module is missing; on Debian: apt-get install python3-venv' >&2; exit 1; }
	@echo 'Installing what the service runs on into .venv …'
	@$(PIP) install -q -c constraints/runtime.txt setuptools
	@$(PIP) install -q -c constraints/runtime.txt --no-build-isolation -e ./sdk -e .
	@touch $@

.venv/.dev: .venv/.runtime constraints/dev.txt
	@echo 'Installing what tests and checks need besides …'
	@$(PIP) install -q -c constraints/dev.txt --no-build-isolation -e ./sdk -e '.[dev]'
	@touch $@

demo: runtime ## eight bots play a tournament; SEED=n makes it repeatable
	$(BIN)/arena demo $(if $(SEED),--seed $(SEED))

test: env ## the tests of every day
	$(BIN)/python -m pytest $(ARGS)

test-slow: env ## the tests marked slow or chaos, which CI runs too
	$(BIN)/python -m pytest -m '(slow or chaos) and not browser and not soak' $(ARGS)

lint: env ## ruff: rules and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: env ## let ruff format and mend what it can
	$(BIN)/ruff check --fix-only -q .
	$(BIN)/ruff format .

types: env ## mypy --strict
	$(BIN)/mypy

imports: env ## the arrows of docs/architecture.md
	$(BIN)/lint-imports

proto: env ## regenerate sdk/src/euchre_arena/v1 from proto/
	proto/generate

proto-check: env ## buf lint, buf breaking, generated code up to date
	proto/check

baseline: env ## make today's protocol the one `buf breaking` compares with (at a release)
	cd proto && ../$(BIN)/buf build -o baseline.binpb

bench: env ## the table of speeds and sizes, beside it compiled where a C compiler is found
	@if command -v "$${CC:-cc}" >/dev/null; then $(MAKE) compiled; fi
	$(BIN)/python -m bench $(if $(shell command -v $${CC:-cc}),--compiled build/compiled) $(ARGS)

# The copy is whole, so that it never lags behind: made anew when a source is newer.
SOURCES = $(shell find arena workers sdk/src -name '*.py' -o -name '*.lua')

compiled: env build/compiled ## the hot modules compiled to C in build/compiled (needs a C compiler)

build/compiled: deploy/compile.py $(SOURCES)
	$(BIN)/python deploy/compile.py $@
	@touch $@

soak: env ## 2,000,000 random hands (ARGS='--hands N'), a tournament with 1,000 faults (SEED=n)
	$(BIN)/python -m tests.rules.soak $(ARGS)
	$(BIN)/python -m pytest -m soak tests/chaos $(if $(SEED),--seed $(SEED))

clean: ## remove .venv and what tools cached
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache build sdk/build
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	find . -name '*.egg-info' -type d -prune -exec rm -rf {} +
