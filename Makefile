# tirage: every target sets up what it needs and is quick when that is there already.
SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
ARGS ?=
export PIP_DISABLE_PIP_VERSION_CHECK := 1

# A stamp is named after what it vouches for: the lock, the project's metadata, and the folder (scripts in an environment hold its path).
digest = $(shell { cat requirements/$(1).txt pyproject.toml; echo '$(CURDIR)'; } | sha256sum | cut -c1-16)
RUNTIME := $(VENV)/.ready-runtime-$(call digest,runtime)
DEV := $(VENV)/.ready-dev-$(call digest,dev)

COMPILE := $(BIN)/pip-compile --quiet --generate-hashes --allow-unsafe --strip-extras \
	--no-emit-index-url --no-emit-find-links --no-header

.PHONY: help run setup setup-test test test-long bench lint format documents pictures lock clean

help:  ## say what there is
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 20

run: $(RUNTIME)  ## two demonstration tables, no hardware, no configuration
	@exec $(BIN)/tirage run --demo $(ARGS)

setup: $(RUNTIME)  ## the environment that runs tirage, from requirements/runtime.txt

setup-test: $(DEV)  ## everything the tests need, Debian packages too
	@.ci/packages test

test: setup-test  ## all tests but the long ones
	@$(BIN)/pytest -n 2 --dist loadfile --benchmark-disable $(ARGS)

test-long: $(DEV)  ## the tests that take minutes
	@.ci/packages long
	@$(BIN)/pytest -m long -n 2 --dist loadfile --benchmark-disable --timeout 3600 $(ARGS)

bench: $(DEV)  ## measure speed, ratios in one run
	@$(BIN)/pytest -m bench -p no:xdist -s --timeout 1800 $(ARGS)
	@$(BIN)/python -m tests.bench.journal_bench

lint: $(DEV)  ## style, types and layers
	@$(BIN)/ruff check
	@$(BIN)/ruff format --check
	@$(BIN)/mypy
	@$(BIN)/lint-imports

format: $(DEV)  ## lay the code out
	@$(BIN)/ruff check --fix --exit-zero
	@$(BIN)/ruff format

documents: $(DEV)  ## rewrite docs/rules.md, docs/faults.md and docs/state-machines.md
	@$(BIN)/python -m tests.rules.table
	@$(BIN)/python -m tests.faults.table
	@$(BIN)/python -m tests.rules.diagrams

pictures: setup-test  ## play the worked evenings, rewrite docs/evenings and its pictures
	@TIRAGE_EVENINGS=$(CURDIR)/docs/evenings $(BIN)/pytest -q --benchmark-disable tests/browser/test_old_games.py -k evening $(ARGS)

lock: $(DEV)  ## choose versions anew; ARGS=--upgrade takes the newest
	@$(COMPILE) $(ARGS) --extra editable --output-file requirements/runtime.txt pyproject.toml
	@$(COMPILE) $(ARGS) --extra editable --extra dev --constraint requirements/runtime.txt \
		--output-file requirements/dev.txt pyproject.toml

clean:  ## remove what can be made again (never a data folder)
	@rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .benchmarks
	@find . -name __pycache__ -prune -exec rm -rf {} +

$(VENV)/bin/python:
	@.ci/packages run
	@$(PYTHON) -m venv $(VENV)

$(RUNTIME): $(VENV)/bin/python
	@$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements/runtime.txt
	@$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@rm -f $(VENV)/.ready-runtime-* && touch $@

# The development lock is the runtime lock and more, so it vouches for both.
$(DEV): $(VENV)/bin/python
	@$(BIN)/python -m pip install --quiet --require-hashes --requirement requirements/dev.txt
	@$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation --editable .
	@rm -f $(VENV)/.ready-* && touch $@ $(RUNTIME)
