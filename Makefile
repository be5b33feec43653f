# One command for everything. `make` alone lists them.

PYTHON ?= python3
VENV ?= .venv
VERSIONS ?= 3.11 3.12 3.13
LESSON ?=
WHEELS ?=

BIN := $(VENV)/bin
READY := $(VENV)/.ready
# nbgrader, which some tests ask, would add menus to the learner's JupyterLab.
NBGRADER := $(VENV)-nbgrader
# What drives a browser, for tests and pictures only.
BROWSER := $(VENV)/.browser-ready
# From a folder of wheels, where one is named: nothing is asked of a network then.
FROM_FOLDER := $(if $(WHEELS),--no-index --find-links "$(WHEELS)")

.DEFAULT_GOAL := help
.PHONY: help course wheels reset doctor environments test suite test-versions release release-check release-texts explore sample-class pictures bench lint format clean

help: ## List what make can do here
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

course: $(READY) ## Make the environment, copy the lessons to work/, open lesson 00
	@$(BIN)/python -m lab course

# Wheels, also of what comes as source: nothing is left to build on a laptop. The
# backend that installs lab itself, and pip, for Pythons that come without one.
wheels: $(READY) ## Collect in wheels/ all that laptops without a network need
	@echo "Collecting packages in wheels/ (a minute or two) ..."
	@$(BIN)/python -m pip wheel --quiet --disable-pip-version-check --wheel-dir wheels \
	  -r requirements.txt "flit_core>=3.9,<5" pip
	@$(BIN)/python -c "import platform; \
	  print('For', platform.system(), platform.machine(), 'and Python', \
	        '.'.join(platform.python_version_tuple()[:2]) + ':', \
	        'make course WHEELS=wheels needs no network.')"

reset: $(READY) ## A fresh copy of one lesson, the old one kept aside: make reset LESSON=07
	@test -n "$(LESSON)" || { echo "Say which lesson, for example: make reset LESSON=07"; exit 2; }
	@$(BIN)/python -m lab reset "$(LESSON)"

# Must work when the environment cannot be made, so it does not ask for it.
doctor: ## Say in plain words what is missing on this machine
	@if test -x $(BIN)/python; then $(BIN)/python -m lab doctor; else $(PYTHON) -m lab doctor; fi

# With -j2 they are made side by side.
environments: $(READY) $(BROWSER) $(NBGRADER)/.ready

test: lint suite ## Everything that must hold: lint, every test, every notebook

# On every core; the tests of a file, and the cells of a notebook, stay together
# and in order.
suite: $(READY) $(BROWSER) $(NBGRADER)/.ready
	$(BIN)/python -m pytest -n logical --maxprocesses 8 --dist loadfile --no-loadscope-reorder \
	  --nbval tests $(wildcard notebooks)

test-versions: ## The tests on each of Python 3.11, 3.12 and 3.13 found here
	@failed=0; ran=0; \
	for version in $(VERSIONS); do \
	  python=; \
	  for one in python$$version "$${PYENV_ROOT:-$$HOME/.pyenv}"/versions/$$version.*/bin/python; do \
	    "$$one" -c "import sys; sys.exit('%d.%d' % sys.version_info[:2] != '$$version')" \
	      2>/dev/null && { python=$$one; break; }; \
	  done; \
	  if test -z "$$python"; then echo "Python $$version: not found here"; continue; fi; \
	  echo "Python $$version: $$python"; ran=1; \
	  $(MAKE) suite PYTHON="$$python" VENV=.venv-$$version || failed=1; \
	done; \
	test $$ran = 1 && test $$failed = 0

release: $(READY) ## Make the learner's edition of the lessons, run both, store clean outputs
	$(BIN)/python -m lab.authoring release

release-check: $(READY) ## Fail where a stored lesson is not what a release writes
	$(BIN)/python -m lab.authoring check

# After the tests, which have run every lesson and compared what it printed.
release-texts: $(READY)
	$(BIN)/python -m lab.authoring check-texts

explore: $(READY) ## Break the gateway at every step and in every order; takes a minute
	$(BIN)/python -m lab explore

sample-class: $(READY) ## Write what the ten students of GRADING.md hand in to out/submissions
	@$(BIN)/python -m tests.grading.classroom out/submissions

pictures: $(READY) $(BROWSER) ## Take the pictures of the README in a real browser
	$(BIN)/python -m tests.browser.pictures

bench: $(READY) $(BROWSER) $(NBGRADER)/.ready ## Measure the gateway, the grader beside nbgrader, and the panels
	$(BIN)/python tests/bench/bench.py
	$(BIN)/python -m tests.bench.grading
	$(BIN)/python -m tests.browser.clicks

lint: $(READY) ## Format, habits, types, and who may import whom
	$(BIN)/python -m ruff format --check
	$(BIN)/python -m ruff check
	$(BIN)/python -m mypy
	$(BIN)/lint-imports

format: $(READY) ## Let ruff format code and notebooks, and mend what it can
	$(BIN)/python -m ruff check --fix-only
	$(BIN)/python -m ruff format

clean: ## Remove environments and caches; work/ stays as it is
	rm -rf .venv .venv-* .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -not -path './work/*' -prune -exec rm -rf {} +

# The environment, brought up to date when what it is made from changes.
$(READY): requirements.txt pyproject.toml
	@command -v "$(PYTHON)" > /dev/null || { \
	  echo "There is no '$(PYTHON)' on this machine. Install Python 3.11 or newer, or say where"; \
	  echo "yours is: make course PYTHON=/path/to/python3"; exit 1; }
	@"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "The course needs Python 3.11 or newer, and '$(PYTHON)' is not that:"; \
	  "$(PYTHON)" --version; \
	  echo "If a newer one is here too, name it: make course PYTHON=python3.12"; exit 1; }
	@test -z "$(WHEELS)" || test -d "$(WHEELS)" || { \
	  echo "There is no folder '$(WHEELS)' here. On a machine with a network and this course,"; \
	  echo "'make wheels' makes one; copy it here."; exit 1; }
	@"$(BIN)/python" -m pip --version > /dev/null 2>&1 || $(MAKE) --no-print-directory .new-venv
	@echo "Installing what the course uses into $(VENV) (once; a minute or two) ..."
	@"$(BIN)/python" -m pip install --quiet --disable-pip-version-check $(FROM_FOLDER) \
	  -r requirements.txt -e . || { \
	  echo "Some packages could not be installed; the lines above say which."; \
	  if test -n "$(WHEELS)"; then \
	    echo "A folder of wheels fits one system and one Python, the ones it was made with."; \
	  else \
	    echo "Where the network was the reason, give the same command again: it goes on from there."; \
	  fi; exit 1; }
	@touch $@

$(BROWSER): tests/browser/requirements.txt | $(READY)
	@echo "Installing what drives a browser, for tests only (once; a minute or two) ..."
	@"$(BIN)/python" -m pip install --quiet --disable-pip-version-check \
	  -r tests/browser/requirements.txt
	@touch $@

$(NBGRADER)/.ready: tests/nbgrader/requirements.txt pyproject.toml | $(READY)
	@"$(NBGRADER)/bin/python" -m pip --version > /dev/null 2>&1 || \
	  $(MAKE) --no-print-directory .new-venv VENV="$(NBGRADER)"
	@echo "Installing nbgrader, for tests only, into $(NBGRADER) (once; a minute or two) ..."
	@"$(NBGRADER)/bin/python" -m pip install --quiet --disable-pip-version-check \
	  -r tests/nbgrader/requirements.txt -e .
	@touch $@

# Debian and Ubuntu ship Python without the part of venv that brings pip along;
# there the pip of the machine installs one.
.PHONY: .new-venv
.new-venv:
	@echo "Making the environment in $(VENV) ..."
	@if "$(PYTHON)" -c 'import ensurepip, venv' 2> /dev/null; then \
	  "$(PYTHON)" -m venv "$(VENV)"; \
	else \
	  "$(PYTHON)" -m venv --without-pip "$(VENV)" && \
	  "$(PYTHON)" -m pip --python "$(BIN)/python" install --quiet $(FROM_FOLDER) pip; \
	fi || { \
	  echo "An environment could not be made. On Debian or Ubuntu this mends it:"; \
	  echo "  sudo apt install python3-venv"; \
	  echo "Elsewhere, install Python from python.org. Then give the same command again."; exit 1; }
