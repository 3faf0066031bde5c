import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { check, cleanEnv, EB, oneCheck, type Project, PYTHON, project } from "../helpers/project.js";

function lines(path: string) {
  return readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Runs a bash command in which `"$0" "$1"` is eb. */
function shell(p: Project, command: string) {
  return execa("bash", ["-c", command, process.execPath, EB], {
    cwd: p.root,
    reject: false,
    extendEnv: false,
    env: cleanEnv(),
  });
}

const canMount = spawnSync("unshare", ["-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0;

describe("what has ended", () => {
  it("is in the journal, in a file of its own, and in the report", async () => {
    const p = project({ "eval_checks/b.yaml": check("b", "pass"), "eval_checks/a.yaml": check("a", "exit(1)") });
    await p.eb(["run", "--max-parallel-checks", "1"]);
    const [start, ...items] = lines(join(p.runDir(), "journal.jsonl"));
    expect(start).toMatchObject({ type: "run.start", run_id: p.report().run_id, total: 2 });
    expect(items.map(({ result }) => result)).toEqual(p.report().checks);
    const files = readdirSync(join(p.runDir(), "checks")).sort();
    expect(files.map((name) => JSON.parse(readFileSync(join(p.runDir(), "checks", name), "utf8")))).toEqual(
      p.report().checks,
    );
  });

  it("is whole for those who look while the run goes on", async () => {
    const look = `import glob, json, os
run = os.environ["EVAL_BANANA_RUN_OUTPUT_DIR"]
ended = [json.loads(line)["result"] for line in open(run + "/journal.jsonl").read().splitlines()[1:]]
files = [json.load(open(name)) for name in glob.glob(run + "/checks/*.json")]
assert [r["check_id"] for r in ended] == ["a"] and files == ended, (ended, files)`;
    const p = project({
      "eval_checks/a.yaml": check("a", "print('x' * 5000)"),
      "eval_checks/b.yaml": check("b", look),
    });
    await p.eb(["run", "--max-parallel-checks", "1"]);
    expect(p.result("b")).toMatchObject({ status: "passed", stderr: "" });
  });

  it.skipIf(!canMount)("is on the disk or printed when the disk is full (needs unshare and tmpfs)", async () => {
    const ids = ["a", "b", "c", "d", "e"];
    const p = project(
      Object.fromEntries(ids.map((id) => [`eval_checks/${id}.yaml`, check(id, "print('x' * 20_000)")])),
    );
    p.write({ "out/x": "", "kept/x": "" });
    const command = `mount -t tmpfs -o size=64k tmpfs out
"$0" "$1" run --output-dir out --max-parallel-checks 1; code=$?
cp -r out/. kept; exit $code`;
    const result = await execa("unshare", ["-rm", "sh", "-c", command, process.execPath, EB], {
      cwd: p.root,
      reject: false,
      extendEnv: false,
      env: cleanEnv(),
    });
    expect(result.exitCode).toBe(2);
    expect(result.stderr).toContain("error: the run was stopped: no space left on the disk (ENOSPC)");
    expect(result.stderr).not.toContain("    at ");
    const [directory = ""] = readdirSync(p.path("kept")).filter((name) => name !== "x");
    const noted = lines(p.path("kept", directory, "journal.jsonl")).slice(1);
    expect(noted[0].result).toMatchObject({ check_id: "a", status: "passed" });
    const printed = [...result.stdout.matchAll(/^[✓✗!] [a-e] .*\d m?s$/gm)].length;
    const unfinished = Number(/^! (\d) checks? did not end/m.exec(result.stdout)?.[1] ?? 0);
    expect(printed + unfinished).toBe(ids.length);
    expect(printed).toBeGreaterThan(1);
    const files = readdirSync(p.path("kept", directory, "checks"));
    expect(files.filter((name) => name.includes(".tmp"))).toEqual([]);
    for (const name of files.filter((file) => file.endsWith(".json")))
      JSON.parse(p.read(join("kept", directory, "checks", name)));
  });

  it("is kept when a check throws the directory of the run away", async () => {
    const p = project({
      "eval_checks/a.yaml": check("a", "import os, shutil; shutil.rmtree(os.environ['EVAL_BANANA_RUN_OUTPUT_DIR'])"),
      "eval_checks/b.yaml": check("b", "pass"),
    });
    const { code, stdout, stderr } = await p.eb(["run", "--max-parallel-checks", "1"]);
    expect(code).toBe(2);
    expect(stderr).toContain("warning: the files reporter failed: no such file or directory (ENOENT)");
    expect(stderr).not.toContain("    at ");
    expect(stdout).toContain("2 of 2 points");
    expect(p.report().checks.map(({ status }) => status)).toEqual(["passed", "passed"]);
  });
});

describe("standard output", () => {
  it("that is full is an error, and the report is there", async () => {
    const p = project(oneCheck("pass"));
    const { exitCode, stderr } = await shell(p, '"$0" "$1" run > /dev/full');
    expect(stderr).toBe("error: cannot write to standard output (ENOSPC)");
    expect(exitCode).toBe(2);
    expect(p.report().run_passed).toBe(true);
  });

  it("and standard error that nobody reads do not stop the run", async () => {
    const p = project({ ...oneCheck("pass"), ".eval-banana/config.toml": '[harness]\nskills_dir = "x"\n' });
    const { stdout } = await shell(p, '"$0" "$1" run > >(exec true) 2> >(exec true); echo "code $?"');
    expect(stdout).toBe("code 0");
    expect(p.report().run_passed).toBe(true);
  });

  it("of a terminal that is closed ends the run in order", async () => {
    // eb leads the session of a terminal of its own; when the other side goes away it gets SIGHUP, and its output EIO.
    const script = `import os, pty, sys, time
pid, terminal = pty.fork()
if pid == 0: os.execv(sys.argv[1], sys.argv[1:])
while not os.path.exists("started"): os.read(terminal, 1000)
os.close(terminal)
print(os.waitpid(pid, 0)[1])`;
    const p = project(oneCheck("import time; open('started', 'w'); time.sleep(60)"));
    const { stdout } = await execa(PYTHON, ["-c", script, process.execPath, EB, "run"], {
      cwd: p.root,
      extendEnv: false,
      env: cleanEnv(),
      reject: false,
    });
    // What a shell calls 129: ended by the signal, without a core dump.
    expect(stdout).toBe(String(constants.signals.SIGHUP));
    expect(p.result("it")).toMatchObject({ status: "error", error_detail: "interrupted" });
  });
});
