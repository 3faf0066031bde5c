import { describe, expect, it } from "vitest";
import type { Baseline } from "../../src/suites/results/baseline.js";
import { callsOf, runSuite, suiteProject, suiteReport } from "../helpers/suite.js";

/** `right` of `total` cases pass. */
function suite(right: number, total: number, gates = ""): string {
  const cases = Array.from({ length: total }, (_, n) => {
    return `  - { id: c${n}, task: "say ${n}-${n < right ? "good" : "bad"}", expect_keywords: [good] }`;
  });
  return `${gates}cases:\n${cases.join("\n")}\n`;
}

/** The same cases with answers that depend on the target: those below RIGHT are good. */
const CASES = (total: number, gates: string) =>
  `${gates}cases:\n${Array.from({ length: total }, (_, n) => `  - { id: c${n}, task: "${n}", expect_keywords: [good] }`).join("\n")}\n`;

function target(right: number, more = ""): string {
  const script = `const n = Number(require("fs").readFileSync(0, "utf8")); process.stdout.write(JSON.stringify({ output: n < ${right} ? "good" : "bad"${more} }))`;
  return `type: command\ncommand: [node, -e, ${JSON.stringify(script)}]\noutput: json\n`;
}

function project(right: number, gates: string, total = 20) {
  return suiteProject(CASES(total, gates), { ".eval-banana/targets/default.yaml": target(right) });
}

describe("the baseline of a suite", () => {
  it("is written only by `baseline update`, and holds rates, tokens, cost and digests", async () => {
    const p = suiteProject(suite(2, 3));
    await runSuite(p);
    expect(p.has(".eval-banana/evals/suite.baseline.json")).toBe(false);
    const { code, stdout } = await p.eb(["suite", "baseline", "update", p.runDir()]);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("score 66.7% over 3 cases") });
    const baseline: Baseline = JSON.parse(p.read(".eval-banana/evals/suite.baseline.json"));
    expect(baseline).toMatchObject({ score: 2 / 3, total_input_tokens: 30, cost_usd: expect.closeTo(0.03) });
    expect(baseline.cases["c2"]).toMatchObject({ runs: 1, passed: 0, case_sha256: expect.stringMatching(/^sha256:/) });
    expect((await p.eb(["suite", "baseline", "show", ".eval-banana/evals/suite.baseline.json"])).stdout).toContain(
      "0/1\tc2",
    );
  });

  it("fails a run that got worse by more than is allowed, and names what did", async () => {
    const p = project(18, "gates: { min_pass_rate: 0.1, max_drop: 0.03 }\n");
    expect((await runSuite(p, ["--ci"])).code).toBe(0);
    await p.eb(["suite", "baseline", "update", p.runDir()]);
    p.write({ ".eval-banana/targets/default.yaml": target(9) });
    const { code, stdout } = await runSuite(p, ["--ci"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ drop 45 points \(90% to 45% over 20 cases\), at most 3 points allowed, p = 0\.00/);
    expect(suiteReport(p).comparison).toMatchObject({
      compared: 20,
      worse: ["c9", "c10", "c11", "c12", "c13", "c14", "c15", "c16", "c17"],
      better: [],
      same: 11,
      method: "exact McNemar",
    });
    const diff = await p.eb(["suite", "baseline", "diff", p.runDirs()[1] ?? ""]);
    expect(diff.stdout).toContain("worse\tc9\n");
  });

  it("takes a small drop for noise, and says so", async () => {
    const p = project(18, "gates: { min_pass_rate: 0.1, max_drop: 0.03 }\n");
    await runSuite(p);
    await p.eb(["suite", "baseline", "update", p.runDir()]);
    p.write({ ".eval-banana/targets/default.yaml": target(17) });
    const { code, stdout } = await runSuite(p, ["--ci"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/✓ drop 5 points .* p = 1.0: may be noise/);
  });

  it("lists cases that were edited or are new, and leaves them out", async () => {
    const p = project(20, "gates: { max_drop: 0 }\n", 3);
    await runSuite(p);
    await p.eb(["suite", "baseline", "update", p.runDir()]);
    const edited = CASES(4, "gates: { max_drop: 0 }\n").replace('{ id: c1, task: "1"', '{ id: c1, task: "100"');
    p.write({ ".eval-banana/evals/suite.yaml": edited.replace(/.*id: c0.*\n/, "") });
    const { stdout } = await runSuite(p);
    expect(stdout).toContain("not compared: c1 (changed), c3 (new)");
    expect(stdout).toContain("only in the baseline: c0\n");
    // Not those that this run did not select.
    expect((await runSuite(p, ["--case", "c1"])).stdout).toContain("only in the baseline: c0\n");
    await runSuite(p);
    expect(suiteReport(p).comparison).toMatchObject({ compared: 1, drop: 0, changed: ["c1"], added: ["c3"] });
  });

  it("compares the cost of the runs that say it", async () => {
    const saying = (cost: string) => {
      const script = `const { run, case_id } = JSON.parse(require("fs").readFileSync(0, "utf8")); process.stdout.write(JSON.stringify({ output: "good", cost_usd: ${cost} }))`;
      return `type: command\ncommand: [node, -e, ${JSON.stringify(script)}]\ninput: json-stdin\noutput: json\n`;
    };
    const path = ".eval-banana/targets/default.yaml";
    const gates = "runs: 3\ngates: { max_cost_increase: 0.5 }\n";
    const p = suiteProject(CASES(2, gates), { [path]: saying("0.01") });
    await runSuite(p);
    await p.eb(["suite", "baseline", "update", p.runDir()]);
    p.write({ [path]: saying("run === 1 ? 0.016 : null") });
    const { stdout } = await runSuite(p, ["--ci"]);
    expect(stdout).toContain("✗ cost of a run $0.0100 to $0.0160 (+60%), at most +50% allowed");
    expect(stdout).toContain("cost: targets (2 of 6 runs say it) $0.0320");
    expect(suiteReport(p)).toMatchObject({ cost_runs: 2, comparison: { cost_cases: 2 } });
    p.write({ [path]: saying('case_id === "c0" ? 0.01 : null') });
    expect((await runSuite(p, ["--ci"])).stdout).toContain(
      "✓ cost of a run over 1 of 2 cases $0.0100 to $0.0100 (+0%)",
    );
  });

  it("fails a run that costs or takes too much more", async () => {
    const p = suiteProject(CASES(4, "gates: { max_cost_increase: 0.5, max_latency_increase: 1000 }\n"), {
      ".eval-banana/targets/default.yaml": target(9, ", cost_usd: 0.01"),
    });
    await runSuite(p);
    await p.eb(["suite", "baseline", "update", p.runDir()]);
    p.write({ ".eval-banana/targets/default.yaml": target(9, ", cost_usd: 0.016") });
    const { code, stdout } = await runSuite(p, ["--ci"]);
    expect(code).toBe(1);
    expect(stdout).toContain("✗ cost of a run $0.0100 to $0.0160 (+60%), at most +50% allowed");
    expect(stdout).toMatch(/✓ median latency \d+ ms to \d+ ms/);
  });

  it("that is cut off is told of, and the run goes on", async () => {
    const p = project(20, "gates: { max_drop: 0.1 }\n", 2);
    p.write({ ".eval-banana/evals/suite.baseline.json": '{"schema_version": 1, "cases": {' });
    const { code, stderr, stdout } = await runSuite(p, ["--ci"]);
    expect(code).toBe(0);
    expect(stderr).toContain("warning: nothing is compared with a baseline");
    expect(stdout).toContain("drop: no baseline to compare with");
    expect((await p.eb(["suite", "baseline", "show", ".eval-banana/evals/suite.baseline.json"])).code).toBe(2);
  });

  it("that is named and can't be used is an error: its gates would never be missed", async () => {
    const p = project(20, "gates: { max_drop: 0.1 }\n", 2);
    const { code, stderr } = await runSuite(p, ["--ci", "--baseline", "nowhere.json"]);
    expect(code).toBe(2);
    expect(stderr).toContain("error: the baseline cannot be used: no such file or directory (ENOENT)");
    expect(callsOf(p)).toEqual([]);
  });

  it("that shares no case with the run is an error where it is named, and is told of elsewhere", async () => {
    const p = project(20, "gates: { max_drop: 0.1 }\n", 2);
    await runSuite(p);
    await p.eb(["suite", "baseline", "update", p.runDir()]);
    const path = ".eval-banana/evals/suite.baseline.json";
    // One of another name, and one that was edited.
    const renamed = p
      .read(".eval-banana/evals/suite.yaml")
      .replace("id: c0", "id: d0")
      .replace('task: "1"', 'task: "7"');
    p.write({ ".eval-banana/evals/suite.yaml": renamed });
    const before = callsOf(p).length;
    const named = await runSuite(p, ["--ci", "--baseline", path]);
    expect(named.code).toBe(2);
    expect(named.stderr).toContain("error: the baseline cannot be used: no case is in both the run and the baseline");
    expect(callsOf(p)).toHaveLength(before);
    const { stderr, stdout } = await runSuite(p);
    expect(stderr).toContain("warning: nothing is compared: no case is in both the run and the baseline");
    expect(stdout).toContain("drop: no case is in both the run and the baseline");
  });

  it("is updated case by case by a run of some of them, and loses cases only by a run of all", async () => {
    const p = project(3, "", 4);
    const path = ".eval-banana/evals/suite.baseline.json";
    const baseline = (): Baseline => JSON.parse(p.read(path));
    const update = async (args: string[]) => {
      await runSuite(p, ["--no-cache", ...args]);
      return (await p.eb(["suite", "baseline", "update", "latest"])).stdout;
    };
    expect(await update([])).toContain("4 cases updated\n");
    const first = baseline();
    expect(first).toMatchObject({ score: 3 / 4, total_input_tokens: 0, cost_usd: null });

    p.write({ ".eval-banana/targets/default.yaml": target(9, ", cost_usd: 0.01, usage: { input_tokens: 7 }") });
    expect(await update(["--case", "c3"])).toContain("1 case updated, 3 kept\n");
    expect(baseline()).toMatchObject({ score: 1, total_input_tokens: 7, cost_usd: 0.01 });
    expect(baseline().cases["c0"]).toEqual(first.cases["c0"]);
    expect(baseline().cases["c3"]).toMatchObject({ passed: 1 });

    // One that is gone from the suite stays until all of the suite has run.
    p.write({ ".eval-banana/evals/suite.yaml": CASES(3, "") });
    expect(await update(["--sample", "1"])).toContain("1 case updated, 3 kept\n");
    expect(await update([])).toContain("3 cases updated, 1 removed that is no longer in the suite\n");
    expect(Object.keys(baseline().cases)).toEqual(["c0", "c1", "c2"]);

    // One without a verdict is what it was.
    const unjudged = CASES(3, "").replace("id: c1,", "id: c1, config: gone.yaml,");
    p.write({ ".eval-banana/evals/suite.yaml": unjudged });
    expect(await update([])).toContain("2 cases updated, 1 kept since it ended in an error\n");
    expect(Object.keys(baseline().cases).sort()).toEqual(["c0", "c1", "c2"]);
  });

  it("that can't be read is told of when it is replaced", async () => {
    const p = project(3, "", 2);
    p.write({ ".eval-banana/evals/suite.baseline.json": "{" });
    await runSuite(p);
    const { code, stderr } = await p.eb(["suite", "baseline", "update", "latest"]);
    expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("is replaced") });
  });

  it("is not made of a run of something else, or of none", async () => {
    const p = suiteProject(suite(1, 1));
    const { code, stderr } = await p.eb(["suite", "baseline", "update", "nowhere"]);
    expect(code).toBe(2);
    expect(stderr).toContain("there is no run 'nowhere'");
  });
});
