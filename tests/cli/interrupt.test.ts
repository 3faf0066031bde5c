import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runReportSchema } from "../../src/index.js";
import { processMark, startEb, until } from "../helpers/processes.js";
import { check, type Project, project } from "../helpers/project.js";

const SLEEP = "import time; time.sleep(60)";
const STUBBORN = `import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
subprocess.Popen([sys.executable, "-c", "import time; open('started', 'w'); time.sleep(60)"], start_new_session=True)
time.sleep(60)`;

/** One check that ends, two that do not, and one that is never begun. */
const FILES = {
  "eval_checks/a.yaml": check("a", "print('done')"),
  "eval_checks/b.yaml": check("b", STUBBORN),
  "eval_checks/c.yaml": check("c", `print('so far', flush=True)\n${SLEEP}`),
  "eval_checks/d.yaml": check("d", "open('never', 'w')"),
};

/** Starts a run; not awaited itself, since a promise of a running program waits for its end. */
async function startAndWait(p: Project, env: NodeJS.ProcessEnv) {
  p.write({ "tmp/keep": "" });
  const running = startEb(p, ["run", "--max-parallel-checks", "2"], { ...env, TMPDIR: p.path("tmp") });
  await until("all three ran", () => p.has("started") && journal(p).some(({ result }) => result?.check_id === "a"));
  await until("c printed", () => {
    const name = readdirSync(checksDir(p)).find((file) => file.startsWith("c-") && file.endsWith(".stdout.txt"));
    return name !== undefined && statSync(join(checksDir(p), name)).size > 0;
  });
  return { running };
}

function checksDir(p: Project): string {
  return join(p.runDir(), "checks");
}

function journal(p: Project) {
  const [directory] = p.runDirs();
  if (directory === undefined) return [];
  try {
    const lines = readFileSync(join(directory, "journal.jsonl"), "utf8").trimEnd().split("\n");
    return lines.filter(Boolean).map((line) => JSON.parse(line));
  } catch {
    return [];
  }
}

describe.each(["fork", "spawn"])("an interrupted run under %s", (launcher) => {
  const LAUNCHER = { EVAL_BANANA_DETERMINISTIC_LAUNCHER: launcher };

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("by %s ends its children, reports all checks and ends with %d", async (signal, exitCode) => {
    const mark = processMark();
    const p = project(FILES);
    const { running } = await startAndWait(p, { ...mark.env, ...LAUNCHER });
    running.kill(signal);
    const result = await running;
    expect(mark.survivors()).toEqual([]);
    expect(result.exitCode).toBe(exitCode);
    expect(result.stderr).toContain(`${signal}: ending what runs`);
    expect(result.stderr).not.toContain("    at ");
    const report = runReportSchema.parse(p.report());
    expect(report).toMatchObject({ total_checks: 4, passed_checks: 1, errored_checks: 3, run_passed: false });
    const ended = report.checks.map(({ check_id, status, error_detail }) => [check_id, status, error_detail]);
    expect(ended).toEqual([
      ["a", "passed", null],
      ["b", "error", "interrupted"],
      ["c", "error", "interrupted"],
      ["d", "error", "interrupted"],
    ]);
    expect(p.result("c").stdout).toBe("so far\n");
    expect(p.has("never")).toBe(false);
    expect(result.stdout).toContain("1 of 4 points");
    expect(readdirSync(p.path("tmp"))).toEqual(["keep"]);
  });

  it("ends at once when it is asked twice, and takes its children along", async () => {
    const mark = processMark();
    const p = project(FILES);
    const { running } = await startAndWait(p, { ...mark.env, ...LAUNCHER });
    running.stderr?.once("data", () => running.kill("SIGINT"));
    running.kill("SIGINT");
    expect((await running).exitCode).toBe(130);
    await until("all are gone", () => mark.survivors().length === 0, 2);
    // c may have ended between the two.
    const ended = journal(p).flatMap(({ result }) => result?.check_id ?? []);
    expect(ended.filter((id) => id !== "c")).toEqual(["a"]);
    expect(readdirSync(p.runDir()).sort()).toEqual(["checks", "journal.jsonl"]);
    expect(readdirSync(p.path("tmp"))).toEqual(["keep"]);
  });

  it("that is killed leaves what had ended on disk, and whole", async () => {
    const mark = processMark();
    const p = project(FILES);
    const { running } = await startAndWait(p, { ...mark.env, ...LAUNCHER });
    running.kill("SIGKILL");
    await running;
    const entries = journal(p);
    expect(entries.map(({ type, result }) => [type, result?.check_id])).toEqual([
      ["run.start", undefined],
      ["item.end", "a"],
    ]);
    const files = readdirSync(checksDir(p)).filter((name) => name.endsWith(".json"));
    expect(files.map((name) => JSON.parse(readFileSync(join(checksDir(p), name), "utf8")))).toEqual([
      entries[1].result,
    ]);
    expect(readdirSync(p.runDir()).sort()).toEqual(["checks", "journal.jsonl"]);
  });
});
