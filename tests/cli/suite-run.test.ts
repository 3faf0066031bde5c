import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { suiteReportSchema } from "../../src/report/suite-schema.js";
import { callsOf, caseFiles, caseLines, caseOf, runSuite, suiteProject, suiteReport } from "../helpers/suite.js";

const SUITE = `name: My suite
cases:
  - { id: right, task: "say hello world", expect_keywords: [HELLO] }
  - { id: wrong, input: "say bye", checks: { must_contain: [hello] }, tags: [slow] }
  - { id: crashed, task: crash, expect_keywords: [x] }
`;

describe("eb suite run", () => {
  it("runs all cases, reports them, and ends with 0, with --ci with 1", async () => {
    const p = suiteProject(SUITE);
    const { code, stdout } = await runSuite(p, ["-o", "out.jsonl"]);
    expect(code).toBe(0);
    expect(stdout).toContain("✓ right");
    expect(stdout).toContain("✗ wrong failed");
    expect(stdout).toMatch(/NOT PASSED {2}score 33\.3% .* · 1 of 3 cases/);
    const report = suiteReportSchema.parse(suiteReport(p));
    expect(report).toMatchObject({
      kind: "suite",
      name: "My suite",
      total_cases: 3,
      passed_cases: 1,
      failed_cases: 2,
      errored_cases: 0,
      run_passed: false,
    });
    expect(report.cases.map(({ case_id }) => case_id)).toEqual(["right", "wrong", "crashed"]);
    expect(caseOf(p, "wrong").failure_reasons.join()).toContain("hello");
    expect(caseOf(p, "crashed").error_message).toContain("3");
    expect(caseFiles(p).filter((name) => name.endsWith(".json"))).toHaveLength(3);
    expect((await runSuite(p, ["--ci"])).code).toBe(1);
    expect((await runSuite(p, ["--ci", "--case", "right"])).code).toBe(0);
    expect((await runSuite(p, ["--ci", "--min-pass-rate", "0.3"])).code).toBe(0);
    expect((await runSuite(p, ["--ci", "--min-pass-rate", "0.34"])).code).toBe(1);
  });

  it("says a reason once that several runs have, with how many", async () => {
    const p = suiteProject('runs: 3\ncases: [{ id: a, task: "sometimes x", checks: { must_contain: [x, missing] } }]');
    await runSuite(p);
    expect(caseOf(p, "a").failure_reasons).toEqual([
      'in 3 of 3 runs: the output does not contain "missing"',
      'run 2: the output does not contain "x"',
    ]);
  });

  it("takes a target that says it was interrupted for one that failed", async () => {
    const suite =
      "cases: [{ id: a, task: t, expect_keywords: [x] }, { id: b, task: t, must_succeed: false, expect_keywords: [x] }]";
    const files = {
      "t.yaml": `type: command\ncommand: [node, -e, 'console.log(JSON.stringify({ error: "interrupted" }))']\noutput: json\n`,
    };
    const p = suiteProject(suite, files);
    const { stdout } = await runSuite(p, ["-c", "t.yaml", "-o", "out.jsonl"]);
    expect(suiteReport(p)).toMatchObject({ interrupted_cases: 0, failed_cases: 2, runs: 2 });
    expect(caseLines(p)).toHaveLength(2);
    expect(stdout).not.toContain("the run was stopped");
    expect((await runSuite(p, ["-c", "t.yaml", "--resume", "latest"])).stderr).toContain("2 of 2 runs taken over");
  });

  it("writes a line for each case with the fixed fields first", async () => {
    const p = suiteProject(SUITE);
    await runSuite(p, ["-o", "deep/out.jsonl", "--max-parallel", "1"]);
    const [first, second, third] = caseLines(p, "deep/out.jsonl");
    expect(Object.keys(first ?? {}).slice(0, 9)).toEqual([
      "case_id",
      "session_id",
      "passed",
      "failure_reasons",
      "total_turns",
      "duration_ms",
      "total_input_tokens",
      "total_output_tokens",
      "error_message",
    ]);
    expect(first).toMatchObject({
      case_id: "right",
      passed: true,
      failure_reasons: [],
      total_turns: 2,
      total_input_tokens: 10,
      total_output_tokens: 5,
      error_message: null,
      runs: 1,
      pass_rate: 1,
      cost_usd: 0.01,
      cached: 0,
      judge: null,
      tags: [],
    });
    expect(second).toMatchObject({ case_id: "wrong", passed: false, tags: ["slow"] });
    expect(third).toMatchObject({ case_id: "crashed", passed: false });
    const status = JSON.parse(p.read("deep/out.jsonl.status.json"));
    expect(status).toMatchObject({
      suite: "My suite",
      total: 3,
      completed: 3,
      passed: 1,
      failed: 2,
      current_case: null,
      running_cases: [],
      state: "completed",
    });
  });

  it("says before it begins what is run, as the command line has it", async () => {
    const p = suiteProject(`gates: { min_pass_rate: 1 }\n${SUITE}`);
    const { stderr } = await runSuite(p, ["--case", "right", "--runs", "2", "--min-pass-rate", "0.5"]);
    expect(stderr).toBe("My suite · 1 case · 2 runs · 50% needed\n");
    expect((await runSuite(p, ["--case", "right", "--no-banner"])).stderr).toBe("");
  });

  it("runs a case as often as is asked, and shows what is flaky", async () => {
    const p = suiteProject(`runs: 3
cases:
  - { id: steady, task: "say yes", expect_keywords: [yes] }
  - { id: shaky, task: "sometimes yes", expect_keywords: [yes] }
  - { id: once, task: "say yes", expect_keywords: [yes], runs: 1 }
`);
    const { stdout } = await runSuite(p);
    expect(callsOf(p)).toEqual(["once 1", "shaky 1", "shaky 2", "shaky 3", "steady 1", "steady 2", "steady 3"]);
    const report = suiteReport(p);
    expect(report).toMatchObject({ runs: 7, flaky: ["shaky"], passed_cases: 2, failed_cases: 1 });
    expect(report.score).toBeCloseTo((1 + 2 / 3 + 1) / 3, 12);
    expect(caseOf(p, "shaky")).toMatchObject({ runs: 3, passed: false, total_turns: 6, total_input_tokens: 30 });
    expect(caseOf(p, "shaky").failure_reasons.join()).toMatch(/^run 2: /);
    expect(stdout).toContain("flaky: shaky");
    // All cases have at least one run, not all have three.
    expect(Object.keys(report.pass_at_k)).toEqual(["1"]);
  });

  it("selects by text, tag, id and sample, and never passes when nothing is selected", async () => {
    const p = suiteProject(SUITE);
    await runSuite(p, ["--filter", "RIGHT"]);
    await runSuite(p, ["--tag", "slow"]);
    await runSuite(p, ["--sample", "1", "--seed", "7", "--no-cache"]);
    const sampled = suiteReport(p).cases.map(({ case_id }) => case_id);
    await runSuite(p, ["--sample", "1", "--seed", "7", "--no-cache"]);
    expect(suiteReport(p).cases.map(({ case_id }) => case_id)).toEqual(sampled);
    expect(callsOf(p).slice(0, 4)).toContain("right 1");
    expect(callsOf(p)).toContain("wrong 1");
    expect(await runSuite(p, ["--ci", "--filter", "nothing like it"])).toMatchObject({ code: 2, stdout: "" });
    const unknown = await runSuite(p, ["--ci", "--case", "righ"]);
    expect(unknown.code).toBe(2);
    expect(unknown.stderr).toContain("did you mean 'right'");
  });

  it("runs what did not pass in the latest run", async () => {
    const p = suiteProject(SUITE);
    await runSuite(p);
    await runSuite(p, ["--last-failed", "--no-cache"]);
    expect(suiteReport(p).cases.map(({ case_id }) => case_id)).toEqual(["wrong", "crashed"]);
    p.write({
      ".eval-banana/evals/suite.yaml": SUITE.replace("say bye", "say hello").replace("task: crash", "task: say x"),
    });
    await runSuite(p, ["--last-failed"]);
    const calls = callsOf(p).length;
    const { code, stdout } = await runSuite(p, ["--last-failed", "--ci"]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: "nothing to run: all cases passed when they last ran\n" });
    expect(JSON.parse((await runSuite(p, ["--last-failed", "--json"])).stdout)).toMatchObject({ cases: [] });
    expect(callsOf(p)).toHaveLength(calls);
  });

  it("knows what did not pass from before the latest run, which may have been one of a few cases", async () => {
    const p = suiteProject(SUITE);
    await runSuite(p);
    await runSuite(p, ["--case", "wrong"]);
    await runSuite(p, ["--last-failed"]);
    expect(suiteReport(p).cases.map(({ case_id }) => case_id)).toEqual(["wrong", "crashed"]);
  });

  it("draws a sample from those that did not pass", async () => {
    const p = suiteProject(SUITE);
    await runSuite(p);
    for (const seed of ["1", "2", "3", "4"]) {
      expect((await runSuite(p, ["--last-failed", "--sample", "1", "--seed", seed])).code).toBe(0);
      expect(suiteReport(p)).toMatchObject({ total_cases: 1, passed_cases: 0 });
    }
  });

  it("refuses to plan millions of runs", async () => {
    const p = suiteProject(SUITE);
    const { code, stderr } = await runSuite(p, ["--runs", "99999999"]);
    expect(code).toBe(2);
    expect(stderr).toContain("a whole number from 1 to 10000");
    expect(callsOf(p)).toEqual([]);
  });

  it("is an error when the suite is not valid or not there, and calls nothing", async () => {
    const p = suiteProject("cases:\n  - { id: a, task: say x, expect_keyword: [x] }\n");
    const { code, stderr } = await runSuite(p);
    expect(code).toBe(2);
    expect(stderr).toContain("suite.yaml:2:");
    expect(stderr).toContain("did you mean 'expect_keywords'");
    expect(callsOf(p)).toEqual([]);
    expect((await runSuite(p, ["missing.yaml"])).code).toBe(2);
  });

  it("fails a case whose target is not there, and goes on", async () => {
    const p = suiteProject(`cases:
  - { id: lost, task: say x, expect_keywords: [x], config: nowhere.yaml }
  - { id: found, task: say x, expect_keywords: [x] }
`);
    const { code } = await runSuite(p, ["--ci"]);
    expect(code).toBe(1);
    expect(caseOf(p, "lost")).toMatchObject({ passed: false });
    expect(caseOf(p, "lost").failure_reasons.join()).toContain("nowhere.yaml");
    expect(caseOf(p, "found").passed).toBe(true);
  });

  it("prints the report and nothing else with --json", async () => {
    const p = suiteProject(SUITE);
    const { code, stdout } = await runSuite(p, ["--json"]);
    expect(code).toBe(0);
    expect(suiteReportSchema.parse(JSON.parse(stdout)).total_cases).toBe(3);
  });

  it("keeps input, output, messages and tool calls of every run in the file of the case", async () => {
    const p = suiteProject("runs: 2\ncases:\n  - { id: a, task: say é, expect_keywords: [É] }\n");
    await runSuite(p);
    const [name = ""] = caseFiles(p).filter((file) => file.endsWith(".json"));
    const file = JSON.parse(readFileSync(join(p.runDir(), "cases", name), "utf8"));
    expect(file).toMatchObject({
      case_id: "a",
      input: "say é",
      trials: [
        { run: 1, output: "é" },
        { run: 2, output: "é" },
      ],
    });
  });

  it("writes into exactly the directory that is named, with --flat-output", async () => {
    const p = suiteProject(SUITE);
    expect((await runSuite(p, ["--output-dir", "exact", "--flat-output"])).code).toBe(0);
    expect(p.has("exact/report.json")).toBe(true);
    const again = await runSuite(p, ["--output-dir", "exact", "--flat-output"]);
    expect(again).toMatchObject({ code: 2 });
    expect(again.stderr).toContain("output directory is not empty");
  });

  it("writes JUnit and Markdown that name the cases", async () => {
    const p = suiteProject(SUITE);
    await runSuite(p, ["--reporter", "junit:j.xml", "--reporter", "markdown:m.md"]);
    expect(p.read("j.xml")).toContain('tests="4" failures="3" errors="0"');
    expect(p.read("m.md")).toContain("| case | type | status | pass rate | time | reason |");
  });

  it("tells what was retrieved from what was made of it", async () => {
    const checks = "{ must_contain: [yes], retrieval: { expect_ids: [d1], k: 2 } }";
    const p = suiteProject(
      `config: t.yaml\ncases:\n  - { id: a, task: x, checks: ${checks} }\n  - { id: b, task: x, checks: ${checks} }\n`,
      {
        "t.yaml": "type: replay\npath: said.jsonl\n",
        "said.jsonl": [
          { id: "a", output: "no", retrieved: [{ id: "d1" }] },
          { id: "b", output: "yes", retrieved: [{ id: "d2" }] },
        ]
          .map((line) => JSON.stringify(line))
          .join("\n"),
      },
    );
    const { stdout } = await runSuite(p);
    expect(stdout).toContain("retrieval 50% (recall 0.500, precision 0.250, mrr 0.500, ndcg 0.500); generation 50%");
    const markdown = readFileSync(join(p.runDir(), "report.md"), "utf8");
    expect(markdown).toContain("| case | type | status | pass rate | retrieval | generation | time | reason |");
    expect(markdown).toMatch(/^\| a \| replay \| ❌ failed \| 0\/1 \| 1\/1 \| 0\/1 \|/m);
    expect(markdown).toMatch(/^\| b \| replay \| ❌ failed \| 0\/1 \| 0\/1 \| 1\/1 \|/m);
  });
});
