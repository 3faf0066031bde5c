import { existsSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { computeCheckDefinitionSha256 } from "../../src/index.js";
import { check, fileCheck, oneCheck, project, temporaryDirectory } from "../helpers/project.js";

describe("how a script ends", () => {
  const p = () =>
    project({
      "eval_checks/zero.yaml": check("zero", "import sys; sys.exit(0)"),
      "eval_checks/three.yaml": check("three", "import sys; sys.exit(3)"),
      "eval_checks/words.yaml": check("words", "raise SystemExit('not good')"),
      "eval_checks/os-exit.yaml": check("os-exit", "import os; os._exit(9)"),
      "eval_checks/big.yaml": check("big", "raise SystemExit(300)"),
      "eval_checks/killed.yaml": check("killed", "import os; print('so far', flush=True); os.kill(os.getpid(), 9)"),
      "eval_checks/missing.yaml": fileCheck("missing", "nowhere.py"),
      "eval_checks/directory.yaml": fileCheck("directory", "."),
      "eval_checks/loop.yaml": fileCheck("loop", "loop.py"),
      "eval_checks/nul.yaml": fileCheck("nul", "a\0b"),
    });

  it("is passed, failed or an error, with what is known of it", async () => {
    const it = p();
    symlinkSync("loop.py", it.path("eval_checks/loop.py"));
    const { code, stderr } = await it.eb(["run"]);
    expect(stderr).toBe("");
    expect(code).toBe(1);
    const passed = { status: "passed", score: 1, exit_code: 0, reason: null, error_detail: null };
    expect(it.result("zero")).toMatchObject(passed);
    const failed = { status: "failed", score: 0, error_detail: null };
    expect(it.result("three")).toMatchObject({ ...failed, exit_code: 3, reason: "exit code 3" });
    expect(it.result("words")).toMatchObject({ ...failed, exit_code: 1, reason: "exit code 1: not good" });
    expect(it.result("os-exit")).toMatchObject({ ...failed, exit_code: 9 });
    expect(it.result("big")).toMatchObject({ ...failed, exit_code: 300 % 256 });
    const error = { status: "error", score: 0, exit_code: null, reason: null };
    expect(it.result("killed")).toMatchObject({
      ...error,
      error_detail: "the script was killed by SIGKILL",
      stdout: "so far\n",
    });
    const unreadable = (id: string) => it.result(id).error_detail;
    expect(it.result("missing")).toMatchObject(error);
    expect(unreadable("missing")).toContain("the script cannot be read: no such file or directory (ENOENT)");
    expect(unreadable("missing")).toContain(it.path("eval_checks/nowhere.py"));
    expect(unreadable("directory")).toContain("it is a directory");
    expect(unreadable("loop")).toContain("too many symbolic links");
    expect(it.result("nul")).toMatchObject(error);
    expect(unreadable("nul")).toContain("the script cannot be read");
  });

  it("is digested with the script, or with the fact that there is none", async () => {
    const it = p();
    await it.eb(["run", "--check-id", "missing"]);
    const sha256 = it.result("missing").check_definition_sha256;
    expect(sha256).toBe(computeCheckDefinitionSha256({ sourcePath: it.path("eval_checks/missing.yaml") }));
  });
});

describe("what a script gets", () => {
  const dump = `import json, os, stat, sys
json.dump({
    "argv": sys.argv, "context": json.load(open(sys.argv[1])), "cwd": os.getcwd(), "stdin": sys.stdin.read(),
    "env": {k: v for k, v in os.environ.items() if k.startswith(("EVAL_BANANA_", "PYTHON"))},
    "out": os.path.isdir(os.environ["EVAL_BANANA_OUTPUT_DIR"]), "file": __file__,
    "mode": stat.S_IMODE(os.stat(os.path.dirname(os.path.dirname(__file__))).st_mode),
}, open(os.environ["EVAL_BANANA_OUTPUT_DIR"] + "/seen.json", "w"))`;
  const seen = (directory: string) => JSON.parse(readFileSync(join(directory, "seen.json"), "utf8"));

  it("is its context and its variables, with absolute paths", async () => {
    const p = project({
      "eval_checks/sub/it.yaml": check("it", dump),
      ".eval-banana/config.toml": "",
      "sub/dir/x": "",
    });
    const { code } = await p.eb(["run"], { cwd: p.path("sub/dir"), input: "not for the script", stdin: "pipe" });
    expect(code).toBe(0);
    const { check_id, ...result } = p.result("it");
    const evidence = join(
      p.runDir(),
      "checks",
      readdirSync(join(p.runDir(), "checks")).find((n) => !n.includes(".")) ?? "",
    );
    const found = seen(evidence);
    expect(found.context).toEqual({
      check_id,
      description: result.description,
      project_root: p.root,
      source_path: p.path("eval_checks/sub/it.yaml"),
      output_dir: evidence,
    });
    expect(found.argv).toHaveLength(2);
    expect(found.argv[1]).toMatch(/^\/.*\/context\.json$/);
    expect(found).toMatchObject({ cwd: p.root, stdin: "", out: true, mode: 0o700 });
    expect(found.env).toMatchObject({
      EVAL_BANANA_PROJECT_ROOT: p.root,
      EVAL_BANANA_RUN_ID: p.report().run_id,
      EVAL_BANANA_CHECK_ID: "it",
      EVAL_BANANA_RUN_OUTPUT_DIR: p.runDir(),
      EVAL_BANANA_OUTPUT_DIR: evidence,
      PYTHONUNBUFFERED: "1",
      PYTHONUTF8: "1",
    });
    expect(existsSync(found.argv[1])).toBe(false);
    expect(existsSync(dirname(dirname(found.file)))).toBe(false);
  });

  it("is the parent's PYTHONUTF8 where it sets one, and its own PYTHONUNBUFFERED always", async () => {
    const p = project(oneCheck(dump));
    await p.eb(["run"], { env: { PYTHONUTF8: "0", PYTHONUNBUFFERED: "", EVAL_BANANA_CHECK_ID: "outer" } });
    const [evidence = ""] = readdirSync(join(p.runDir(), "checks")).filter((name) => !name.includes("."));
    expect(seen(join(p.runDir(), "checks", evidence)).env).toMatchObject({
      PYTHONUTF8: "0",
      PYTHONUNBUFFERED: "1",
      EVAL_BANANA_CHECK_ID: "it",
    });
  });

  it("is a temporary directory that does not depend on where eb stands", async () => {
    const p = project({ ...oneCheck("import os, sys; assert os.path.isabs(sys.argv[1]); open(sys.argv[1])") });
    p.write({ "below/tmp/x": "" });
    const { code } = await p.eb(["run", "--cwd", ".."], { cwd: p.path("below"), env: { TMPDIR: "tmp" } });
    expect(code).toBe(0);
    expect(readdirSync(p.path("below/tmp"))).toEqual(["x"]);
  });

  it("is a directory of its own: no file of eb hides a module of the project", async () => {
    const files = ["launcher", "script", "context", "frozen"].map((name) => [`lib/${name}.py`, "OURS = True"]);
    const p = project({
      ...Object.fromEntries(files),
      "eval_checks/inline.yaml": check("inline", "import launcher, script, context, frozen\nassert launcher.OURS"),
      "eval_checks/file.yaml": fileCheck("file", "file.py"),
      "eval_checks/file.py": "import launcher, script, context, frozen\nassert launcher.OURS",
    });
    const { code, stdout } = await p.eb(["run", "--max-parallel-checks", "1"], { env: { PYTHONPATH: p.path("lib") } });
    expect(stdout).toContain("2 of 2");
    expect(code).toBe(0);
  });
});

describe("a private directory", () => {
  it("is shared by checks that run one after the other, but nothing that one left there", async () => {
    const look = "import os\nhere = os.path.dirname(__file__)\nprint(here, sorted(os.listdir(here)))";
    const p = project({
      "eval_checks/a.yaml": check("a", look),
      "eval_checks/b.yaml": check("b", `${look}\nopen(here + "/helper.py", "w")`),
      "eval_checks/c.yaml": check(
        "c",
        `${look}\nos.remove(here + "/context.json")\nos.symlink("/dev/null", here + "/context.json")`,
      ),
      "eval_checks/d.yaml": check(
        "d",
        `${look}\nimport sys, json\nassert json.load(open(sys.argv[1]))["check_id"] == "d"`,
      ),
    });
    const { code } = await p.eb(["run", "--max-parallel-checks", "1"]);
    expect(code).toBe(0);
    const printed = p.report().checks.map(({ stdout }) => stdout.trim().split(/ (?=\[)/));
    expect(printed.map(([, files]) => files)).toEqual(Array(4).fill("['check-script.py', 'context.json']"));
    const [a, b, c, d] = printed.map(([directory]) => directory);
    expect(b).toBe(a);
    expect(new Set([a, c, d]).size).toBe(3);
  });
});

describe("evidence", () => {
  it("is kept, and an empty directory is not", async () => {
    const write = `import json, sys
open(json.load(open(sys.argv[1]))["output_dir"] + "/shot.bin", "wb").write(bytes(range(256)))`;
    const p = project({ "eval_checks/a.yaml": check("a", write), "eval_checks/b.yaml": check("b", "pass") });
    await p.eb(["run"]);
    const checks = join(p.runDir(), "checks");
    const directories = readdirSync(checks).filter((name) => statSync(join(checks, name)).isDirectory());
    expect(directories).toHaveLength(1);
    expect(readFileSync(join(checks, directories[0] ?? "", "shot.bin"))).toEqual(Buffer.from([...Array(256).keys()]));
  });

  it("of a later check that an earlier one made does not stop the run", async () => {
    const meddle = `import os
from pathlib import Path
checks = Path(os.environ["EVAL_BANANA_OUTPUT_DIR"]).parent
import hashlib
(checks / ("b-" + hashlib.sha256(b"b").hexdigest())).mkdir()`;
    const p = project({ "eval_checks/a.yaml": check("a", meddle), "eval_checks/b.yaml": check("b", "pass") });
    const { code } = await p.eb(["run", "--max-parallel-checks", "1"]);
    expect(code).toBe(0);
  });
});

describe("the bytes of a script", () => {
  it("are those that were read, whatever happens to the file while it runs", async () => {
    const script = `import os
with open(__file__, "w") as f: f.write("# changed\\n" * 9)
def broken():
    raise ValueError("this line ran")  # of the frozen bytes
broken()
`;
    const p = project({ "eval_checks/a.yaml": fileCheck("a", "a.py"), "eval_checks/a.py": script });
    const before = computeCheckDefinitionSha256({ sourcePath: p.path("eval_checks/a.yaml") });
    await p.eb(["run"]);
    const result = p.result("a");
    expect(p.read("eval_checks/a.py")).toContain("# changed");
    expect(result.check_definition_sha256).toBe(before);
    expect(result.stderr).toContain(`File "${p.path("eval_checks/a.py")}", line 4, in broken`);
    expect(result.stderr).toContain('raise ValueError("this line ran")  # of the frozen bytes');
    expect(result.reason).toBe("exit code 1: ValueError: this line ran");
  });

  it("are read when the check starts: the digest is of what ran", async () => {
    const p = project({
      "eval_checks/a.yaml": check("a", "open('eval_checks/b.py', 'w').write('print(\"second\")')"),
      "eval_checks/b.yaml": fileCheck("b", "b.py"),
      "eval_checks/b.py": "print('first')",
    });
    const { code } = await p.eb(["run", "--max-parallel-checks", "1"]);
    expect(code).toBe(0);
    expect(p.result("b").stdout).toBe("second\n");
    expect(p.result("b").check_definition_sha256).toBe(
      computeCheckDefinitionSha256({ sourcePath: p.path("eval_checks/b.yaml") }),
    );
  });
});

it("an output directory that cannot be made is an error for people", async () => {
  const p = project({ ...oneCheck("pass"), "a-file": "" });
  for (const directory of ["a-file", "a-file/below"]) {
    const { code, stderr } = await p.eb(["run", "--output-dir", directory]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: cannot make the run directory: .*a-file/);
    expect(stderr).not.toContain("    at ");
  }
});

it("a temporary directory that is not there is an error that says how to set it", async () => {
  const { code, stderr } = await project(oneCheck("pass")).eb(["run"], {
    env: { TMPDIR: `${temporaryDirectory()}/no` },
  });
  expect(code).toBe(2);
  expect(stderr).toMatch(/^error: cannot make a temporary directory: .*\nhint: set TMPDIR/);
});
