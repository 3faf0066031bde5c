import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { runReportSchema } from "../../src/index.js";
import { eventually } from "../helpers/eventually.js";
import { HOSTILE } from "../helpers/hostile.js";
import { describedCheck, hostileProject } from "../helpers/hostile-project.js";
import { check, cleanEnv, EB, oneCheck, type Project, project } from "../helpers/project.js";

const RUN_FIELDS = [
  ...["schema_version", "run_id", "project_root", "output_dir", "started_at", "completed_at", "duration_ms"],
  ...["total_checks", "passed_checks", "failed_checks", "errored_checks", "points_earned", "total_points"],
  ...["percentage", "pass_threshold", "meets_threshold", "run_passed", "checks"],
];
const CHECK_FIELDS = [
  ...["check_id", "check_type", "check_definition_sha256", "description", "source_path", "tags", "status", "score"],
  ...[
    "started_at",
    "completed_at",
    "duration_ms",
    "reason",
    "error_detail",
    "stdout",
    "stderr",
    "exit_code",
    "details",
  ],
];

const shippedSchema = () =>
  new Ajv2020({ strict: false }).compile(JSON.parse(readFileSync("dist/schema/report.json", "utf8")));

const SUICIDE = "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)";

function mixed(): Project {
  return project({
    "eval_checks/1.yaml": check("good", "print('ü')", "tags: [a, b]\n"),
    "eval_checks/2.yaml": check("bad", "raise SystemExit('no')"),
    "eval_checks/3.yaml": check("broken", SUICIDE),
  });
}

describe("report.json", () => {
  it("has exactly the fields of the contract, in their order", async () => {
    const p = mixed();
    await p.eb(["run"]);
    const report = p.report();
    expect(Object.keys(report)).toEqual(RUN_FIELDS);
    for (const each of report.checks) expect(Object.keys(each)).toEqual(CHECK_FIELDS);
  });

  it("is valid by the exported schema and by the JSON Schema that is shipped", async () => {
    const p = mixed();
    await p.eb(["run"]);
    const report = p.report();
    expect(runReportSchema.parse(report)).toEqual(report);
    const valid = shippedSchema();
    expect([valid(report), valid.errors]).toEqual([true, null]);
    expect(valid({ ...report, more: 1 })).toBe(false);
    expect(valid({ ...report, percentage: "100" })).toBe(false);
  });

  it("says what ran, when, and how it ended", async () => {
    const p = mixed();
    const before = Date.now();
    expect((await p.eb(["run"])).code).toBe(1);
    const report = p.report();
    expect(report).toMatchObject({
      ...{ schema_version: 1, run_id: basename(p.runDir()), project_root: p.root, output_dir: p.runDir() },
      ...{ total_checks: 3, passed_checks: 1, failed_checks: 1, errored_checks: 1, points_earned: 1, total_points: 3 },
      ...{ percentage: 33.3, pass_threshold: 1, meets_threshold: false, run_passed: false },
    });
    const [good, bad, broken] = report.checks;
    expect(good).toMatchObject({ check_id: "good", tags: ["a", "b"], status: "passed", score: 1, stdout: "ü\n" });
    expect(good).toMatchObject({ reason: null, error_detail: null, exit_code: 0, stderr: "" });
    expect(bad).toMatchObject({
      status: "failed",
      score: 0,
      exit_code: 1,
      reason: "exit code 1: no",
      error_detail: null,
    });
    expect(broken).toMatchObject({ status: "error", score: 0, exit_code: null, reason: null });
    expect(broken?.error_detail).toContain("SIGKILL");
    for (const { started_at, completed_at, duration_ms } of [report, ...report.checks]) {
      expect(started_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(Date.parse(started_at)).toBeGreaterThanOrEqual(before - 1);
      expect(Math.abs(Date.parse(completed_at) - Date.parse(started_at) - duration_ms)).toBeLessThanOrEqual(1);
    }
  });

  it("lists the checks by path, however they end", async () => {
    const p = project({
      "b/eval_checks/x.yaml": check("quick", "pass"),
      "a/eval_checks/z.yaml": check("slow", "import time; time.sleep(0.4)"),
      "a/eval_checks/sub/y.yml": check("other", "pass"),
    });
    await p.eb(["run"]);
    expect(p.report().checks.map(({ check_id }) => check_id)).toEqual(["other", "slow", "quick"]);
  });

  it("is valid JSON with the text as it was, whatever a check prints or is called", async () => {
    const p = hostileProject();
    await p.eb(["run"]);
    const { description, stdout } = p.result("it");
    expect(description).toBe(HOSTILE);
    expect(stdout.startsWith(HOSTILE)).toBe(true);
    expect(shippedSchema()(p.report())).toBe(true);
    expect(p.report()).toEqual(runReportSchema.parse(p.report()));
  });

  it("keeps its words where one of them is the value of a secret", async () => {
    const p = project(oneCheck("print('passed it')"));
    const { code, stderr } = await p.eb(["run"], { env: { SOME_TOKEN: "passed" } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(p.result("it")).toMatchObject({ status: "passed", score: 1, stdout: "***SOME_TOKEN*** it\n" });
  });

  it("takes half a surrogate pair in a description", async () => {
    const p = project({ "eval_checks/it.yaml": describedCheck("it", "half \ud800 pair", "pass") });
    expect((await p.eb(["run"])).code).toBe(0);
    expect(p.result("it").description).toMatch(/^half . pair$/u);
  });
});

describe("the threshold", () => {
  const ten = project7of10;

  it.each([
    { threshold: "0.7", code: 0 },
    { threshold: "0.70001", code: 1 },
  ])("$threshold: a run with 7 of 10 ends with $code", async ({ threshold, code }) => {
    const p = ten();
    expect((await p.eb(["run", "--pass-threshold", threshold])).code).toBe(code);
    expect(p.report()).toMatchObject({ percentage: 70, pass_threshold: Number(threshold), run_passed: code === 0 });
  });

  it("of 0 passes a run in which everything failed, but none with an error", async () => {
    const failing = project(oneCheck("exit(1)"));
    expect((await failing.eb(["run", "--pass-threshold", "0"])).code).toBe(0);
    expect(failing.report()).toMatchObject({ percentage: 0, meets_threshold: true, run_passed: true });

    const erring = project({ ...oneCheck(SUICIDE), "eval_checks/ok.yaml": check("ok", "pass") });
    expect((await erring.eb(["run", "--pass-threshold", "0"])).code).toBe(1);
    expect(erring.report()).toMatchObject({ percentage: 50, meets_threshold: true, run_passed: false });
  });
});

function project7of10(): Project {
  const files = Array.from({ length: 10 }, (_, n) => [
    `eval_checks/${n}.yaml`,
    check(`c${n}`, n < 7 ? "pass" : "exit(1)"),
  ]);
  return project(Object.fromEntries(files));
}

describe("checks/<stem>.json", () => {
  it("has a name of its own for ids that differ by case, by underscores, or after 600 letters", async () => {
    const ids = ["judge", "Judge", "_judge_", "x".repeat(600), `${"x".repeat(600)}y`];
    const p = project(Object.fromEntries(ids.map((id, n) => [`eval_checks/${n}.yaml`, check(id, "print(1)")])));
    expect((await p.eb(["run"])).code).toBe(0);
    const names = readdirSync(join(p.runDir(), "checks")).filter((name) => name.endsWith(".json"));
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(ids.length);
    for (const name of names) expect(name.replace(/\.json$/, "").length).toBeLessThanOrEqual(105);
    const results = names.map((name) => JSON.parse(readFileSync(join(p.runDir(), "checks", name), "utf8")));
    const byId = (a: { check_id: string }, b: { check_id: string }) => (a.check_id < b.check_id ? -1 : 1);
    expect(results.sort(byId)).toEqual([...p.report().checks].sort(byId));
  });

  it("is written for the other checks when one stands in the way of its own", async () => {
    const inTheWay = "import os; os.mkdir(os.environ['EVAL_BANANA_OUTPUT_DIR'] + '.json')";
    const p = project({ "eval_checks/a.yaml": check("odd", inTheWay), "eval_checks/b.yaml": check("b", "pass") });
    const { code, stderr } = await p.eb(["run", "--max-parallel-checks", "1"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^warning: the files reporter failed: it is a directory \(EISDIR\): .*\/odd-.*\.json\n$/);
    const files = readdirSync(join(p.runDir(), "checks"), { withFileTypes: true });
    expect(files.filter((file) => file.isFile()).map(({ name }) => name)).toEqual([
      expect.stringMatching(/^b-.*\.json$/),
    ]);
    expect(p.report()).toMatchObject({ run_passed: true, total_checks: 2 });
  });

  it("is there as soon as its check ends, and never half", async () => {
    const wait = "import os, time\nfor _ in range(1000):\n  if os.path.exists('go'): break\n  time.sleep(0.02)";
    const quick = Array.from({ length: 12 }, (_, n) => [`eval_checks/q${n}.yaml`, check(`q${n}`, "print('x' * 1900)")]);
    const p = project({ ...Object.fromEntries(quick), "eval_checks/wait.yaml": check("wait", wait) });
    const run = execa(process.execPath, [EB, "run"], {
      cwd: p.root,
      extendEnv: false,
      env: cleanEnv(),
      stdin: "ignore",
    });
    const seen = new Set<string>();
    await eventually(() => {
      const directory = p.runDirs()[0];
      if (directory === undefined || !existsSync(join(directory, "checks"))) return false;
      for (const name of readdirSync(join(directory, "checks"))) {
        if (!name.endsWith(".json") || name.startsWith(".")) continue;
        seen.add(JSON.parse(readFileSync(join(directory, "checks", name), "utf8")).check_id);
      }
      return seen.size === 12;
    }, "twelve results while the last check runs");
    expect(existsSync(join(p.runDir(), "report.json"))).toBe(false);
    p.write({ go: "" });
    expect((await run).exitCode).toBe(0);
    expect(p.report().checks).toHaveLength(13);
    expect(readdirSync(p.runDir(), { recursive: true }).filter((name) => String(name).includes(".tmp"))).toEqual([]);
  });
});
