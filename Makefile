# Everything a developer or CI calls. `make demo` and `make test` work on a fresh clone.

EB = node dist/cli/main.cjs
# More arguments for the test runner, e.g. TEST_FLAGS="tests/cli/run.test.ts".
TEST_FLAGS =
# More arguments for the measurements, e.g. BENCH_FLAGS="--peers --scale --out bench.md".
BENCH_FLAGS =

.PHONY: demo test e2e-agents fix lint types unused package checks all-check build bench clean

## demo: build, and score the example project: three checks pass, one fails on purpose
demo: build
	@$(EB) run --cwd examples/quickstart; code=$$?; \
	if [ $$code -ne 1 ]; then echo "expected exit code 1, got $$code" >&2; exit 1; fi; \
	echo; echo "Exit code 1: this would fail a CI job. Here eb is $(EB). The checks are in examples/quickstart/eval_checks/."

## test: all tests, against the built program
test: build
	EB_TEST_BUILT=1 npm run --silent test -- $(TEST_FLAGS)

## e2e-agents: the tests of the agents' real programs, which it installs: as judges, targets and teams, with a model server on loopback
e2e-agents: build
	EB_INSTALL_AGENTS=1 EB_TEST_BUILT=1 npm run --silent test -- --project agents $(TEST_FLAGS)

## fix: format, and fix what can be fixed
fix: node_modules
	npm run --silent fix

## lint: format and lint, changing nothing
lint: node_modules
	npm run --silent lint

## types: check all types
types: node_modules
	npm run --silent types

## unused: find dead code and dependencies
unused: node_modules
	npm run --silent unused

## package: check what would be published
package: build
	npm run --silent package

## checks: our own eval_checks
checks: build
	$(EB) run

## all-check: all of the above
all-check: lint types unused package test checks

## bench: measure and print the tables of docs/performance.md; BENCH_FLAGS="--peers --scale" for all of them
bench: build
	python3 bench/bench.py $(BENCH_FLAGS)

build: node_modules
	@npm run --silent build >/dev/null

# Without scripts: ours would build, which comes next where it is wanted, and no other package needs one.
node_modules: package-lock.json package.json
	npm ci --ignore-scripts
	@touch node_modules

clean:
	rm -rf dist node_modules .eval-banana/results
