import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cleanEnv, fileCheck, type Project, PYTHON, project } from "../helpers/project.js";

/** Scripts whose output and end must be the same as when Python runs them where they lie. */
const CORPUS: Record<string, string | Uint8Array> = {
  "atexit-handlers": "import atexit\natexit.register(print, 'bye')\natexit.register(lambda: 1/0)\nraise ValueError\n",
  "attribute-suggestion": "import os\nos.pth\n",
  "byte-order-mark": "\ufeffprint('bom ä')\n1/0\n",
  "byte-order-mark-syntax": "\ufeffprint('bom ä' 1)\n",
  "chained-exceptions": `def f():
    try:
        1/0
    except ZeroDivisionError as e:
        raise ValueError('x') from e
def g():
    try: f()
    except ValueError: raise KeyError('k')
g()
`,
  "children-by-spawn": `import multiprocessing, os
def square(x): return x * x, os.path.basename(__file__)
if __name__ == '__main__':
    with multiprocessing.get_context('spawn').Pool(1) as pool: print(pool.map(square, [1, 2]))
`,
  "comment-only": "# nothing",
  "cr-lf": "def f():\r\n    1/0\r\nf()\r\n",
  "custom-hook": `import sys, traceback
def hook(kind, value, trace):
    print('HOOK', kind, value, sys.last_traceback is trace, value.__traceback__ is trace)
    traceback.print_tb(trace)
sys.excepthook = hook
def f(): raise ValueError('v')
f()
`,
  "deep-exception-group": "raise ExceptionGroup('g', [ValueError(1), TypeError('t')])\n",
  "doc-and-annotations": "'''Doc.'''\nx: int = 1\nprint(__doc__, __annotations__)\n",
  empty: "",
  "exit-code-300": "raise SystemExit(300)",
  "exit-float": "raise SystemExit(1.5)",
  "exit-huge": "import sys; sys.exit(2**70)",
  "exit-minus-1": "import sys; sys.exit(-1)",
  "exit-none": "raise SystemExit(None)",
  "exit-text": "raise SystemExit('bye ü')",
  "exit-tuple": "raise SystemExit(1, 2)",
  "form-feed": "x = 1\n\fdef f(): 1/0\nf()\n",
  "future-annotations": "from __future__ import annotations\nx: nope = 1\nprint(__annotations__)\n",
  "hook-exits": "import sys\nsys.excepthook = lambda *a: sys.exit(7)\n1/0\n",
  "import-error-in-sibling": "import broken_sibling\n",
  indentation: "def f():\n\tpass\n        pass\n",
  interrupt: "raise KeyboardInterrupt\n",
  "latin-1": Buffer.from("# -*- coding: latin-1 -*-\nprint('äö')\nraise ValueError('ä') # ü\n", "latin1"),
  "latin-1-syntax": Buffer.from("# -*- coding: latin-1 -*-\nx = 'ä' +\n", "latin1"),
  "main-module": `import dataclasses, pickle, sys, typing
@dataclasses.dataclass
class P:
    x: 'int' = 1
print(pickle.loads(pickle.dumps(P(3))), sys.modules['__main__'].P is P, vars(sys.modules['__main__']) is globals())
print(typing.get_type_hints(P), P.__module__)
`,
  "name-suggestion": "prnt('x')\n",
  "names-of-main": `print(sorted(globals()))
print(__name__, __file__, __package__, __spec__, __builtins__, type(__loader__), __loader__.name, __loader__.path)
`,
  notes: "e = ValueError('x')\ne.add_note('a note')\nraise e\n",
  "own-exception": "class B(BaseException): pass\nraise B('b')\n",
  "re-executes-itself": `import os, sys
if len(sys.argv) < 3: os.execv(sys.executable, [sys.executable] + sys.argv + ['again'])
print(sys.argv[0], sys.argv[2])
`,
  sibling: "import os, sibling\nprint(sibling.X, open(os.path.join(os.path.dirname(__file__), 'data.txt')).read())\n",
  "source-of-itself": `import inspect
def f():
    return 1  # one
class A:
    x = 1
print(inspect.getsource(f), inspect.getsource(A))
`,
  "stderr-gone": "import sys\nsys.stderr = None\n1/0\n",
  "stdout-closed": "import sys\nprint('x')\nsys.stdout.close()\n",
  syntax: "x = (\ny = 1\n",
  "syntax-at-end": "print('a'",
  "syntax-in-f-string": "x = f'{a b}'\n",
  "syntax-warning": "x = 1\nif x is 1: pass\nassert (x, 'y')\n",
  tabs: "if 1:\n  x=1\n\ty=2\n",
  "text-of-surrogates": "raise ValueError('\\ud800')\n",
  thread: "import threading\ndef f(): 1/0\nt = threading.Thread(target=f, name='T')\nt.start()\nt.join()\n",
  "thread-outlives-main": `import threading
done = threading.Event()
def f():
    done.wait(5); print('late')
threading.Thread(target=f).start()
threading.Timer(0.05, done.set).start()
raise ValueError('main')
`,
  "where-it-is": "import sys\nprint(sys.argv[0], sys.path, __file__, len(sys.argv), sys.flags)\n",
};

const BESIDE = {
  "eval_checks/scripts/sibling.py": "X = 5\n",
  "eval_checks/scripts/data.txt": "data",
  "eval_checks/scripts/broken_sibling.py": "def f():\n    1/0\nf()\n",
};

describe("a script that is run from its frozen bytes", () => {
  it("prints and ends as if Python ran it where it lies", async () => {
    const names = Object.keys(CORPUS);
    const p = project(BESIDE);
    for (const name of names) {
      p.write({ [`eval_checks/${name}.yaml`]: fileCheck(name, `scripts/${name}.py`) });
      p.write({ [`eval_checks/scripts/${name}.py`]: CORPUS[name] ?? "" });
    }
    await p.eb(["run"], { env: { PYTHONDONTWRITEBYTECODE: "1" } });
    const results = Object.fromEntries(p.report().checks.map((result) => [result.check_id, result]));
    for (const name of names) {
      const result = results[name];
      const found = {
        end: result?.exit_code ?? result?.error_detail,
        ...Object.fromEntries(["stdout", "stderr"].map((stream) => [stream, wholeStream(p, result?.details, stream)])),
      };
      expect(found, name).toEqual(direct(p, p.path(`eval_checks/scripts/${name}.py`)));
    }
  }, 120_000);

  it("lies where its file really is, through links to it and to the check", async () => {
    const p = project({
      "real/checks/it.yaml": fileCheck("it", "link.py"),
      "real/scripts/it.py": "import sys\nprint(__file__, sys.argv[0], sys.path[0])\nimport sibling",
      "real/scripts/sibling.py": "print('found')",
    });
    mkdirSync(p.path("eval_checks"));
    symlinkSync("../real/checks/it.yaml", p.path("eval_checks/linked.yaml"));
    symlinkSync("../scripts/it.py", p.path("real/checks/link.py"));
    const { code } = await p.eb(["run"]);
    expect(code).toBe(0);
    const script = p.path("real/scripts/it.py");
    expect(p.result("it").stdout).toBe(`${script} ${script} ${p.path("real/scripts")}\nfound\n`);
    expect(p.result("it").source_path).toBe(p.path("real/checks/it.yaml"));
  });

  it("fails with a SyntaxError when it holds NUL bytes", async () => {
    const p = project({
      "eval_checks/it.yaml": fileCheck("it", "it.py"),
      "eval_checks/it.py": Buffer.from("x = 'a\0b'\n"),
    });
    await p.eb(["run"]);
    expect(p.result("it")).toMatchObject({ status: "failed", exit_code: 1 });
    expect(p.result("it").reason).toMatch(/^exit code 1: (SyntaxError|ValueError): source code .*null bytes$/);
  });

  it("has no directory on its path when Python is asked to be safe", async () => {
    const p = project({
      "eval_checks/it.yaml": fileCheck("it", "it.py"),
      "eval_checks/it.py": "import sys\nprint(sys.path)",
    });
    await p.eb(["run"], { env: { PYTHONSAFEPATH: "1" } });
    const script = p.path("eval_checks/it.py");
    const env = cleanEnv({ PYTHONSAFEPATH: "1" });
    expect(p.result("it").stdout).toBe(spawnSync(PYTHON, [script], { env, encoding: "utf8" }).stdout);
  });
});

function wholeStream(p: Project, details: Record<string, unknown> | undefined, name: string): string {
  const path = details?.[`${name}_path`];
  return typeof path === "string" ? masked(readFileSync(join(p.runDir(), path))) : "";
}

/** How Python itself runs the script. */
function direct(p: Project, script: string) {
  const env = cleanEnv({ PYTHONUTF8: "1", PYTHONUNBUFFERED: "1", PYTHONDONTWRITEBYTECODE: "1" });
  const { status, signal, stdout, stderr } = spawnSync(PYTHON, [script, "context.json"], { cwd: p.root, env });
  const end = status ?? `the script was killed by ${signal}`;
  return { end, stdout: masked(stdout), stderr: masked(stderr) };
}

/** Without what differs from one process to the next. */
function masked(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString("latin1")
    .replaceAll(/0x[0-9a-f]{6,}/g, "0x…")
    .replaceAll(/thread \d+/g, "thread …");
}
