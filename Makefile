# Every target works from a bare checkout: the first one makes .venv with what the lock file names.
PYTHON ?= python3
BIN := .venv/bin
# Every command that a test starts would compile all modules anew where a machine keeps no bytecode.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: demo test test-all slow check unit e2e agent-tests harness-test js-test page-test docs release docker-test harbor-test clients-test clients-lock mutate fuzz chaos soak bench profile setup lock clean

demo: setup
	$(BIN)/farm demo

test: setup check
	$(BIN)/python -m pytest -n 2 --dist loadgroup -m "not slow"

# Everything that CI runs. agent-tests and harness-test want a package index, js-test Node, docker-test a Docker engine.
test-all: test slow agent-tests harness-test js-test docker-test

slow: setup
	$(BIN)/python -m pytest -n 2 --dist loadgroup -m slow

check: setup
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy --num-workers 2

unit: setup
	$(BIN)/python -m pytest tests/unit tests/contract tests/apps

e2e: setup
	$(BIN)/python -m pytest tests/e2e tests/protocol

# The sample project of examples/agent-tests, from the wheels, beside three agent frameworks; wants a package index.
agent-tests: setup
	$(BIN)/python -m tests.agent_tests.run

# Every harness plays the demo suite through its adapter, in an environment of its own; wants a package index.
# `make harness-test HARNESSES=gymnasium` for one.
harness-test: setup
	$(BIN)/python -m tests.harness.run $(HARNESSES)

# Needs Node 20 or newer, with npm: the helper for tests in TypeScript, on the farm of this checkout.
js-test: setup
	@node -e 'if (parseInt(process.versions.node) < 20) throw "mcp-farm-test needs Node 20 or newer, not " + process.version'
	cd plugins/js && npm ci --no-audit --no-fund && npm run check && npm test

# Nightly, not part of CI. Real clients and frameworks, pinned in tests/clients/lock, each in an environment of its own below build/clients; wants package
# indexes, npm and Python 3.12. `make clients-test NAMES=codex` for one; without NAMES it writes docs/clients.md.
clients-test: setup
	$(BIN)/python -m tests.clients.run $(if $(NAMES),$(NAMES),--schemas --write)

# Resolves their packages anew, within tests/clients/programs.toml.
clients-lock: setup
	$(BIN)/python -m tests.clients.run --lock $(NAMES)

# The page of `farm open` and the report of runs in a headless Chromium (Debian: apt-get install chromium), with axe-core from npm.
page-test: setup
	cd tests/page && npm ci --no-audit --no-fund
	FARM_PAGE_TEST=1 $(BIN)/python -m pytest -p no:xdist tests/page

# The documentation as a site, in build/docs/site; a link that leads nowhere is an error. Wants a package index.
docs: setup
	test -d build/docs-env || $(PYTHON) -m venv build/docs-env
	build/docs-env/bin/python -m pip install --quiet --disable-pip-version-check --requirement docs/site/requirements.txt
	$(BIN)/python docs/site/pages.py build/docs/pages
	NO_MKDOCS_2_WARNING=1 build/docs-env/bin/mkdocs build --strict --quiet --config-file docs/site/mkdocs.yml
	@echo "build/docs/site/index.html"

# Wheels, sdist, image, bill of materials and notes in build/release, checked in clean environments; nothing is published. Wants a package index and
# a Docker engine; `make release OPTIONS=--without-image` wants no engine.
release: setup
	$(BIN)/python -m tests.release.run $(OPTIONS)

# Needs a Docker engine: the one of DOCKER_HOST. FARM_BASE_IMAGE names another base than python:3.12-slim.
docker-test: setup
	$(BIN)/python -m tests.docker.run

# Not part of CI. Exported tasks in Harbor: needs Docker with Compose v2, and Python 3.12 or newer. `make harbor-test TASKS=slack-boards-rate`.
harbor-test: setup
	$(BIN)/python -m tests.docker.harbor $(TASKS)

# Not part of CI. `make mutate AREAS=kernel-slack ARGS='--sample 40 --seed 3'` for one area; docs/testing.md has the figures.
mutate: setup
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint requirements.lock --editable ".[dev,mutate]"
	$(BIN)/python -m tests.mutation.run $(AREAS) $(ARGS)

# A release is tried with these three, docs/testing.md has the figures. `make fuzz MINUTES=5 SEED=7`, `make fuzz CALLS=20000`.
fuzz: setup
	$(BIN)/python -m tests.stress.fuzz $(if $(CALLS),--calls $(CALLS)) $(if $(MINUTES),--minutes $(MINUTES)) $(if $(SEED),--seed $(SEED))

chaos: setup
	$(BIN)/python -m tests.stress.chaos $(if $(KILLS),--kills $(KILLS)) $(if $(SEED),--seed $(SEED))

soak: setup
	$(BIN)/python -m tests.stress.soak $(if $(MINUTES),--minutes $(MINUTES)) $(if $(SEED),--seed $(SEED))

bench: setup
	$(BIN)/python -m tests.bench $(or $(ARGS),--plot bench.svg)

profile: setup
	$(BIN)/python -m tests.bench.profile

setup: .venv/ready

.venv/ready: pyproject.toml requirements.lock plugins/pytest/pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "mcp-farm needs Python 3.11 or newer: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint requirements.lock --editable ".[dev]" --editable plugins/pytest
	touch .venv/ready

# Run after changing the dependencies in pyproject.toml.
lock:
	rm -rf build/lock && $(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install --quiet --disable-pip-version-check --editable ".[dev,docker,mutate,train]"
	build/lock/bin/python -m pip freeze --exclude-editable | grep -v '@' > requirements.lock

clean:
	rm -rf .venv build dist
