import { once } from "node:events";
import { appendFileSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SuiteReport } from "../../src/report/suite-schema.js";
import { startEb, until } from "../helpers/processes.js";
import { check, type Project } from "../helpers/project.js";
import { callsOf, caseLines, runSuite, suiteProject, suiteReport } from "../helpers/suite.js";
import { git } from "../helpers/trial.js";

const CASES = Array.from(
  { length: 12 },
  (_, n) => `  - { id: c${n}, task: "say ${n}", expect_keywords: ["${n % 3}"] }`,
);
const SUITE = `runs: 2\ncases:\n${CASES.join("\n")}\n`;
/** One that holds the run up until it is killed. */
const WITH_STOP = SUITE.replace("say 7", "sleep 60000");

/** Starts the suite, waits until it has come to the case that takes long, and kills it. */
async function startAndKill(p: Project, signal: NodeJS.Signals) {
  const env = { CALLS: p.path("calls.jsonl") };
  const args = ["suite", "run", "-o", "out.jsonl", "--no-cache", "--max-parallel", "2"];
  const running = startEb(p, args, env);
  await until("the case that takes long", () => p.has("calls.jsonl") && callsOf(p).includes("c7 2"));
  running.kill(signal);
  await running;
}

function totals(report: SuiteReport) {
  const { passed_cases, failed_cases, runs, score, interval, cost_usd, flaky, gates } = report;
  const { total_input_tokens, total_output_tokens } = report;
  const cases = report.cases.map(({ case_id, pass_rate, total_turns }) => ({ case_id, pass_rate, total_turns }));
  return {
    passed_cases,
    failed_cases,
    runs,
    score,
    interval,
    cost_usd,
    flaky,
    gates,
    total_input_tokens,
    total_output_tokens,
    cases,
  };
}

async function uninterrupted(): Promise<SuiteReport> {
  const p = suiteProject(SUITE);
  await runSuite(p, ["--no-cache"]);
  return suiteReport(p);
}

it("that is not there is an error that names the newest ones, for --resume and baseline", async () => {
  const p = suiteProject(SUITE);
  const none = await runSuite(p, ["--resume", "nope"]);
  expect(none.stderr).toBe(
    "error: there is no run 'nope': no journal.jsonl in nope\nhint: name a run directory, a run id, or `latest`; .eval-banana/results holds none\n",
  );
  await runSuite(p, ["--case", "c0"]);
  const [id] = p.runDirs().map((path) => path.split("/").at(-1));
  for (const command of [
    ["run", "--resume", "nope"],
    ["baseline", "update", "nope"],
    ["baseline", "diff", "nope"],
  ]) {
    const { code, stderr } = await p.eb(["suite", ...command]);
    expect({ code, stderr }).toMatchObject({ code: 2, stderr: expect.stringContaining(`; the newest are ${id}\n`) });
  }
});

describe("a suite that was killed", () => {
  it("keeps every finished case, and --resume completes it to the same totals", async () => {
    const p = suiteProject(WITH_STOP);
    await startAndKill(p, "SIGKILL");
    const before = caseLines(p).map(({ case_id }) => case_id);
    expect(before.slice(0, 6).sort()).toEqual(["c0", "c1", "c2", "c3", "c4", "c5"]);
    expect(JSON.parse(p.read("out.jsonl.status.json")).state).toBe("running");
    const calls = callsOf(p).length;

    p.write({ ".eval-banana/evals/suite.yaml": SUITE });
    appendFileSync(p.path("out.jsonl"), '{"case_id":"c9","se');
    const [killed = ""] = p.runDirs();
    appendFileSync(join(killed, "journal.jsonl"), '{"type":"item.end","result":{"case_');
    const { code, stdout, stderr } = await runSuite(p, ["-o", "out.jsonl", "--no-cache", "--resume", killed]);
    expect(code).toBe(0);
    expect(stderr).toContain("1 line of the journal could not be read");
    expect(totals(suiteReport(p))).toEqual(totals(await uninterrupted()));
    expect(
      caseLines(p)
        .map(({ case_id }) => case_id)
        .sort(),
    ).toEqual(CASES.map((_, n) => `c${n}`).sort());
    const { spent_usd, taken_over_usd, taken_over_runs } = suiteReport(p);
    expect(taken_over_runs).toBeGreaterThanOrEqual(12);
    expect(taken_over_usd).toBeCloseTo(taken_over_runs * 0.01);
    expect(spent_usd).toBeCloseTo((24 - taken_over_runs) * 0.01);
    expect(stdout).toContain(`${taken_over_runs} of 24 runs taken over from the run before`);
    // What had ended was not run again.
    expect(callsOf(p).length).toBe(24 + (calls - before.length * 2 - finishedTrials(killed)));
  });

  it("skips by content, not by position", async () => {
    const p = suiteProject(WITH_STOP);
    await startAndKill(p, "SIGKILL");
    const calls = callsOf(p).length;
    const edited = [...CASES].reverse().map((line) => line.replace('"say 2"', '"say two 2"'));
    p.write({ ".eval-banana/evals/suite.yaml": `runs: 2\ncases:\n${edited.join("\n")}\n` });
    const [killed = ""] = p.runDirs();
    await runSuite(p, ["--no-cache", "--resume", killed.split("/").at(-1) ?? ""]);
    const again = callsOf(p).filter((call, index, all) => all.indexOf(call) !== index);
    expect(again.filter((call) => call.startsWith("c2 "))).toEqual(["c2 1", "c2 2"]);
    expect(again.filter((call) => call.startsWith("c0 "))).toEqual([]);
    expect(callsOf(p).length).toBeGreaterThan(calls);
    expect(suiteReport(p)).toMatchObject({ total_cases: 12, runs: 24 });
  });

  it("by SIGINT is no verdict: what ended is scored and compared, and the command that completes it is told", async () => {
    const cases = CASES.map((line) => line.replace(/expect_keywords.*/, 'expect_regex: ["."] }'));
    const p = suiteProject(`runs: 2\ngates: { max_drop: 0.01 }\ncases:\n${cases.join("\n")}\n`);
    await runSuite(p);
    await p.eb(["suite", "baseline", "update", suiteReport(p).run_id]);
    const stops = p.read("target.cjs").replace('verb === "sleep"', 'case_id === "c7"').replace("Number(text)", "60000");
    p.write({ "target.cjs": stops, "calls.jsonl": "" });
    const env = { CALLS: p.path("calls.jsonl") };
    const running = startEb(p, ["suite", "run", "--no-cache", "--max-parallel", "1", "--ci"], env);
    await until("the case that takes long", () => callsOf(p).includes("c7 1"));
    running.kill("SIGINT");
    const { stdout } = await running;
    const { comparison, run_id, ...report } = suiteReport(p);
    expect(String(stdout)).toMatch(/^INTERRUPTED {2}14 of 24 runs · score 100% .* · 7 of 12 cases · 5 interrupted/m);
    expect(String(stdout)).toContain(`again: eb suite run --no-cache --max-parallel 1 --ci --resume ${run_id}\n`);
    expect(String(stdout)).not.toContain("worse:");
    expect(report).toMatchObject({ score: 1, runs: 14, runs_wanted: 24, run_passed: false });
    expect(comparison).toMatchObject({ compared: 7, drop: 0, worse: [], added: [], removed: [] });
  });

  it("by SIGINT writes its report, says what did not end, and can be resumed too", async () => {
    const p = suiteProject(WITH_STOP);
    await startAndKill(p, "SIGINT");
    const report = suiteReport(p);
    expect(report.interrupted_cases).toBeGreaterThan(0);
    expect(report.run_passed).toBe(false);
    expect(readFileSync(join(report.output_dir, "report.md"), "utf8")).toMatch(/^# ⚠️ Interrupted, not passed: /);
    expect(JSON.parse(p.read("out.jsonl.status.json"))).toMatchObject({ state: "interrupted", current_case: null });
    p.write({ ".eval-banana/evals/suite.yaml": SUITE });
    await runSuite(p, ["-o", "out.jsonl", "--no-cache", "--resume", p.runDirs()[0] ?? ""]);
    expect(totals(suiteReport(p))).toEqual(totals(await uninterrupted()));
    // What did not end had no line.
    const lines = caseLines(p).map(({ case_id }) => case_id);
    expect(lines.sort()).toEqual(CASES.map((_, n) => `c${n}`).sort());
  });

  it("leaves one line for each case that ended, however often it was stopped", async () => {
    const p = suiteProject(WITH_STOP);
    await startAndKill(p, "SIGINT");
    const ended = caseLines(p).map(({ case_id }) => case_id);
    expect(ended).not.toContain("c7");
    expect(new Set(ended).size).toBe(ended.length);
    // One that ended otherwise then than it does now.
    appendFileSync(p.path("out.jsonl"), `${JSON.stringify({ ...caseLines(p)[0], case_id: "c9", total_turns: 77 })}\n`);
    p.write({ ".eval-banana/evals/suite.yaml": SUITE });
    await runSuite(p, ["-o", "out.jsonl", "--no-cache", "--resume", p.runDirs()[0] ?? ""]);
    const lines = caseLines(p);
    expect(lines.map(({ case_id }) => case_id).sort()).toEqual(CASES.map((_, n) => `c${n}`).sort());
    expect(lines.find(({ case_id }) => case_id === "c9")?.total_turns).toBe(4);
  });

  it("hands on all that had ended when the run that resumes it is killed, too", async () => {
    const p = suiteProject(WITH_STOP);
    await startAndKill(p, "SIGKILL");
    const calls = callsOf(p);
    // What has to be run comes first in the suite now.
    const order = [7, 6, 5, 4, 3, 2, 1, 0].map((n) => CASES[n]?.replace("say 7", "sleep 60000"));
    p.write({ ".eval-banana/evals/suite.yaml": `runs: 2\ncases:\n${order.join("\n")}\n` });
    const args = ["suite", "run", "--no-cache", "--max-parallel", "2", "--resume", p.runDirs()[0] ?? ""];
    const running = startEb(p, args, { CALLS: p.path("calls.jsonl") });
    await until("the case that takes long", () => callsOf(p).filter((call) => call === "c7 2").length === 2);
    running.kill("SIGKILL");
    await running;
    p.write({ ".eval-banana/evals/suite.yaml": SUITE });
    await runSuite(p, ["--no-cache", "--resume", p.runDirs()[1] ?? ""]);
    const callsFor = (id: string) => callsOf(p).filter((call) => call.startsWith(`${id} `));
    for (const id of ["c0", "c1", "c2", "c3", "c4", "c5"]) {
      expect(callsFor(id)).toEqual(calls.filter((call) => call.startsWith(`${id} `)));
    }
  });

  it("never shows half a status file to a reader that polls", async () => {
    const p = suiteProject(SUITE);
    const running = startEb(p, ["suite", "run", "-o", "out.jsonl"], { CALLS: p.path("calls.jsonl") });
    let reads = 0;
    let done = false;
    const end = running.then(() => {
      done = true;
    });
    const states = new Set<string>();
    while (!done) {
      try {
        const { state, total, completed, passed, failed } = JSON.parse(p.read("out.jsonl.status.json"));
        states.add(state);
        expect(total).toBe(12);
        expect(completed).toBe(passed + failed);
        reads++;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    await end;
    expect(reads).toBeGreaterThan(20);
    expect(states).toContain("running");
  });

  it("runs again what was too slow when it is given more time", async () => {
    const p = suiteProject("cases:\n  - { id: slow, task: sleep 1500, expect_keywords: [slept] }\n");
    await runSuite(p, ["--no-cache", "--timeout", "0.3"]);
    expect(suiteReport(p).passed_cases).toBe(0);
    await runSuite(p, ["--no-cache", "--timeout", "60", "--resume", p.runDirs()[0] ?? ""]);
    expect(suiteReport(p).passed_cases).toBe(1);
  });

  it("is not taken for one of another suite, and is the latest where that is asked for", async () => {
    const p = suiteProject(SUITE);
    await runSuite(p, ["--case", "c1"]);
    p.write({ "other.yaml": SUITE });
    const other = await runSuite(p, ["other.yaml", "--resume", p.runDir()]);
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining("that run is of another suite") });
    const none = await runSuite(p, ["other.yaml", "--resume", "latest"]);
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining("there is no such run") });
    await runSuite(p, ["other.yaml", "--case", "c2"]);
    await p.write({ "eval_checks/x.yaml": check("x", "pass") }).eb(["run"]);
    const { stderr } = await runSuite(p, ["--case", "c1", "--case", "c3", "--resume", "latest"]);
    expect(stderr).toContain("2 cases · 2 runs · 2 of 4 runs taken over");
  });

  it("is told by name when there is no such run", async () => {
    const p = suiteProject(SUITE);
    const { code, stderr } = await runSuite(p, ["--resume", "20260101_000000_00000000"]);
    expect(code).toBe(2);
    expect(stderr).toContain("there is no run '20260101_000000_00000000'");
  });
});

it("leaves to --last-failed what it had still to do, and nothing that it was not to run", async () => {
  const suite = "cases: [{ id: a, task: say a, expect_keywords: [a] }, { id: b, task: say b, expect_keywords: [b] }]";
  const path = ".eval-banana/evals/suite.yaml";
  const p = suiteProject(suite);
  await runSuite(p);
  p.write({ [path]: suite.replace("say b", "sleep 60000") });
  const running = startEb(p, ["suite", "run", "--case", "b"], { CALLS: p.path("calls.jsonl") });
  await until("the case that takes long", () => callsOf(p).filter((call) => call === "b 1").length === 2);
  running.kill("SIGKILL");
  await running;
  p.write({ [path]: suite });
  await runSuite(p, ["--last-failed"]);
  expect(suiteReport(p).cases.map(({ case_id }) => case_id)).toEqual(["b"]);
  expect((await runSuite(p, ["--last-failed"])).stdout).toContain("nothing to run");
});

describe("a run of a case that has ended", () => {
  /** Runs the suite, changes something, resumes; returns how many calls of the target that took. */
  async function callsAfter(p: Project, change: () => void, first: string[] = [], then: string[] = []) {
    await runSuite(p, ["--no-cache", ...first]);
    const before = callsOf(p).length;
    change();
    const { stderr } = await runSuite(p, ["--no-cache", "--resume", "latest", ...then]);
    return { calls: callsOf(p).length - before, stderr };
  }

  const WORKSPACES = `cases:
  - { id: a, task: say a, expect_keywords: [a], workspace: { template: shop } }
  - { id: b, task: say b, expect_keywords: [b], workspace: { files: { x.txt: { from: x.txt } } } }
  - { id: c, task: say c, expect_keywords: [c], workspace: { repo: ../../repo, ref: main } }
  - { id: d, task: say d, expect_keywords: [d], workspace: { files: { x.txt: same } } }
`;

  it("is run again when its template, its files or its repository were edited", async () => {
    const p = suiteProject(WORKSPACES, {
      ".eval-banana/evals/shop/deep/cart.txt": "1",
      ".eval-banana/evals/shop/.gitignore": "*.log",
      ".eval-banana/evals/x.txt": "1",
      "repo/y.txt": "1",
    });
    git(p.path("repo"), "init", "-qb", "main");
    git(p.path("repo"), "add", ".");
    git(p.path("repo"), "commit", "-qm", "one");
    const again = async (change: () => void) => {
      const before = callsOf(p);
      expect(await callsAfter(p, change)).toBeDefined();
      const more = callsOf(p).map((call) => call.slice(0, 1));
      const count = (id: string, calls: string[]) => calls.filter((call) => call.startsWith(id)).length;
      // Each was called once by the run itself.
      return ["a", "b", "c", "d"].filter((id) => count(id, more) - count(id, before) > 1);
    };
    expect(await again(() => p.write({ ".eval-banana/evals/shop/a.log": "ignored" }))).toEqual([]);
    expect(await again(() => p.write({ ".eval-banana/evals/shop/deep/cart.txt": "2" }))).toEqual(["a"]);
    expect(await again(() => p.write({ ".eval-banana/evals/x.txt": "2" }))).toEqual(["b"]);
    expect(await again(() => p.write({ "repo/y.txt": "2" }))).toEqual([]);
    expect(await again(() => git(p.path("repo"), "commit", "-qam", "two"))).toEqual(["c"]);
  });

  it("is run again when code of the project was edited, also that of its scripts", async () => {
    const suite = `cases:
  - { id: a, task: say a, expect_keywords: [a] }
  - { id: b, task: say b, checks: { script: "import helper" }, config: said.yaml }
`;
    const p = suiteProject(suite, {
      "said.yaml": "type: replay\npath: said.jsonl\n",
      "said.jsonl": '{"id":"b","output":"b"}\n',
      "helper.py": "x = 1",
      ".gitignore": "calls.jsonl\n.eval-banana/\n",
    });
    git(p.root, "init", "-q");
    git(p.root, "add", ".");
    const nothing = await callsAfter(p, () => {});
    expect(nothing).toMatchObject({ calls: 0, stderr: expect.stringContaining("2 of 2 runs taken over") });
    const edited = await callsAfter(p, () => p.write({ "helper.py": "x = 2" }));
    expect(edited).toMatchObject({ calls: 1, stderr: expect.stringContaining("0 of 2 runs taken over") });
  });

  it("is run again where it came to no verdict: a service that was not there", async () => {
    const server = createServer((_, response) => response.end("hello"));
    const listen = (port: number) => once(server.listen(port, "127.0.0.1"), "listening");
    await listen(0);
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const p = suiteProject("config: t.yaml\ncases: [{ id: a, task: x, expect_keywords: hello }]", {
      "t.yaml": `type: http\nurl: http://127.0.0.1:${port}/\n`,
    });
    await runSuite(p, []);
    expect(suiteReport(p).cases[0]).toMatchObject({ status: "error" });
    await listen(port);
    const { stderr } = await runSuite(p, ["--resume", "latest"]);
    server.close();
    expect(stderr).toContain("0 of 1 run taken over");
    expect(suiteReport(p).cases[0]).toMatchObject({ status: "passed" });
  });

  it("is taken over whatever the judge is now, unless it has a rubric", async () => {
    const suite = `judge: { agent: claude, when: never }
cases:
  - { id: a, task: say a, expect_keywords: [a] }
  - { id: b, task: say b, expect_keywords: [b], checks: { rubric: Is it b? } }
`;
    const p = suiteProject(suite);
    const { calls } = await callsAfter(p, () =>
      p.write({ ".eval-banana/evals/suite.yaml": suite.replace("when: never", "when: never, votes: 3") }),
    );
    expect(calls).toBe(1);
  });

  it("is taken over whatever its time limit is now, unless it took longer", async () => {
    const suite = `timeout_seconds: 1
cases:
  - { id: quick, task: say a, expect_keywords: [a] }
  - { id: own, task: say b, expect_keywords: [b], timeout_seconds: 20 }
  - { id: slow, task: sleep 1500, expect_keywords: [slept] }
`;
    const p = suiteProject(suite);
    const same = await callsAfter(p, () => {});
    expect(same.calls).toBe(0);
    const longer = suite.replace("timeout_seconds: 1\n", "timeout_seconds: 30\n").replace("20 }", "40 }");
    const { calls, stderr } = await callsAfter(p, () => p.write({ ".eval-banana/evals/suite.yaml": longer }));
    expect(stderr).toContain("2 of 3 runs taken over");
    expect(calls).toBe(1);
    expect(suiteReport(p).passed_cases).toBe(3);
  });

  it("can be taken over from where the hint of an interrupted run with --flat-output says", async () => {
    const p = suiteProject(WITH_STOP);
    const args = ["suite", "run", "--no-cache", "--flat-output", "--output-dir", "out/my run"];
    const running = startEb(p, args, { CALLS: p.path("calls.jsonl") });
    await until("the case that takes long", () => p.has("calls.jsonl") && callsOf(p).includes("c7 2"));
    running.kill("SIGINT");
    const { stdout } = await running;
    expect(String(stdout)).toContain("--resume 'out/my run' completes the run");
    p.write({ ".eval-banana/evals/suite.yaml": SUITE });
    const { stderr } = await runSuite(p, ["--no-cache", "--resume", "out/my run"]);
    expect(stderr).toMatch(/[1-9]\d* of 24 runs taken over/);
  });
});

/** Runs of cases that had not all ended. */
function finishedTrials(runDir: string): number {
  const lines = readFileSync(join(runDir, "journal.jsonl"), "utf8").split("\n");
  const recorded = lines.filter((line) => line.startsWith('{"type":"item.end"') && line.endsWith("}")).length;
  const noted = lines.filter((line) => line.startsWith('{"type":"trial.end"')).length;
  return noted - recorded;
}
