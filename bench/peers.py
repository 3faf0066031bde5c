"""Other tools that can run a Python script for each case, given the same checks as this one.

Each is used as its documentation shows: https://www.promptfoo.dev/docs/configuration/expected-outputs/python/,
https://agentv.dev/docs/graders/custom-graders/, https://vitest-evals.sentry.dev/docs. Answers come from what each has
built in for tests (`echo`, `mock`, a harness), so that nothing but the checks is left to do.
"""

import json
import pathlib
import shutil
import subprocess

from measure import Command, ENV
from projects import CONCURRENCY

# The newest that run on Node 20.20.
VERSIONS = {
    "promptfoo": ["promptfoo@0.121.20"],
    "AgentV": ["agentv@4.42.4"],
    "vitest-evals": ["vitest-evals@0.16.1", "vitest@4.1.11"],
}

VITEST_EVAL = """\
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect } from "vitest";
import { createHarness, describeEval } from "vitest-evals";

const start = promisify(execFile);
const harness = createHarness({
  name: "python",
  run: async ({ input }) => {
    await start(PYTHON, ["check.py"]);
    return { output: "passed", events: [{ type: "message", role: "assistant", content: input }] };
  },
});
const cases = Array.from({ length: CHECKS }, (_, i) => ({ name: `check-${i}` }));

describeEval("trivial checks", { harness }, (it) => {
  it.concurrent.for(cases)("$name", async ({ name }, { run }) => {
    expect((await run(name)).output).toBe("passed");
  });
});
"""


def install(folder, peer):
    """Installs a peer into a folder of its own, unless it is there from an earlier run."""
    home = pathlib.Path(folder) / peer
    if (home / "installed").exists():
        return home
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    (home / "package.json").write_text('{ "private": true, "type": "module" }\n')
    npm = ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error", *VERSIONS[peer]]
    subprocess.run(npm, cwd=home, env=ENV, check=True, stdout=subprocess.DEVNULL)
    (home / "installed").touch()
    return home


def prepare(peer, home, checks, python):
    """Writes a project of so many checks for a peer, and returns the command that runs it."""
    project = home / f"{checks}-checks"
    shutil.rmtree(project, ignore_errors=True)
    project.mkdir()
    return PEERS[peer](home / "node_modules", project, checks, python)


def promptfoo(modules, project, checks, python):
    (project / "check.py").write_text("def get_assert(output, context):\n    return True\n")
    cases = [
        {
            "description": f"Trivial check {i}",
            "vars": {"name": f"check-{i}"},
            "assert": [{"type": "python", "value": "file://check.py"}],
        }
        for i in range(checks)
    ]
    config = {"prompts": ["{{name}}"], "providers": ["echo"], "tests": cases}
    (project / "promptfooconfig.json").write_text(json.dumps(config))
    off = ["TELEMETRY", "UPDATE", "REMOTE_GENERATION", "SHARING"]
    env = {
        **{f"PROMPTFOO_DISABLE_{name}": "1" for name in off},
        "PROMPTFOO_CACHE_ENABLED": "false",
        "PROMPTFOO_CONFIG_DIR": str(project / "state"),
        "PROMPTFOO_PYTHON": python,
    }
    program = modules / "promptfoo/dist/src/entrypoint.js"
    flags = ["--no-cache", "--no-write", "--no-table", "--no-progress-bar", "--output", "results.json"]
    argv = ["node", str(program), "eval", "-c", "promptfooconfig.json", "-j", str(CONCURRENCY), *flags]
    return Command(argv, env, str(project))


def agentv(modules, project, checks, python):
    (project / ".agentv").mkdir()
    targets = {"targets": [{"name": "mock", "provider": "mock", "response": "ok"}]}
    (project / ".agentv/targets.yaml").write_text(json.dumps(targets))
    # It ends at once, with EPIPE, where a script does not read what it is given.
    grader = """import sys\nsys.stdin.read()\nprint('{"score": 1.0, "assertions": []}')\n"""
    (project / "check.py").write_text(grader)
    cases = [
        {
            "id": f"check-{i}",
            "criteria": f"Trivial check {i}",
            "input": f"check-{i}",
            "assertions": [{"name": "script", "type": "code-grader", "command": [python, "check.py"]}],
        }
        for i in range(checks)
    ]
    suite = {"description": "Trivial checks", "execution": {"target": "mock"}, "tests": cases}
    (project / "trivial.eval.yaml").write_text(json.dumps(suite))
    env = {"AGENTV_NO_UPDATE_CHECK": "1", "AGENTV_HOME": str(project / "state")}
    # A directory that holds results already would be another thing to do.
    fresh = 'rm -rf results && exec node "$@"'
    flags = ["--workers", str(CONCURRENCY), "--output", "results", "--no-cache"]
    argv = ["sh", "-c", fresh, "sh", str(modules / "agentv/dist/cli.js"), "eval", "run", "trivial.eval.yaml", *flags]
    return Command(argv, env, str(project))


def vitest_evals(modules, project, checks, python):
    (project / "check.py").write_text("pass\n")
    text = VITEST_EVAL.replace("PYTHON", json.dumps(python)).replace("CHECKS", str(checks))
    (project / "trivial.eval.ts").write_text(text)
    config = {"include": ["*.eval.ts"], "maxConcurrency": CONCURRENCY, "reporters": ["vitest-evals/reporter"]}
    (project / "vitest.config.js").write_text(f"export default {json.dumps({'test': config})};\n")
    return Command(["node", str(modules / "vitest/vitest.mjs"), "run"], cwd=str(project))


PEERS = {"promptfoo": promptfoo, "AgentV": agentv, "vitest-evals": vitest_evals}
