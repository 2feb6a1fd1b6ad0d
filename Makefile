# `make demo` and `make test` set up all they need in .venv inside this checkout.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo test test-all lint fuzz fuzz-hour bench docs example clean

TOO_OLD := mcplock needs Python 3.11 or newer: make PYTHON=/path/to/python3

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit("$(TOO_OLD)" if sys.version_info < (3, 11) else 0)'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --editable . --group dev
	touch $@

demo: $(STAMP)
	$(BIN)/mcplock demo

test: $(STAMP)
	$(BIN)/python -m tests.real.setup
	$(BIN)/python -m pytest -q -n 2 --dist worksteal -m "not heavy"

test-all: $(STAMP)
	$(BIN)/python -m tests.real.setup --frameworks
	$(BIN)/python -m pytest -q -n 2 --dist worksteal

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

fuzz: $(STAMP)
	$(BIN)/python -m tests.fuzz --seconds 3

fuzz-hour: $(STAMP)
	$(BIN)/python -m pip install --quiet --group fuzz
	@for target in $$($(BIN)/python -m tests.fuzz --list); do \
		$(BIN)/python -m tests.fuzz $$target --watched --seconds 3600 || exit 1; done

docs: $(STAMP)
	$(BIN)/python -m tests.real.setup
	$(BIN)/python -m tests.documents

example: $(STAMP)
	$(BIN)/python -m tests.documents example

bench: $(STAMP)
	$(BIN)/python -m benchmarks

clean:
	rm -rf $(VENV) .real .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
