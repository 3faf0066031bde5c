import { describe, expect, it } from "vitest";
import { suiteReportSchema } from "../../src/report/suite-schema.js";
import { runProgram } from "../helpers/library.js";
import { type Project, project } from "../helpers/project.js";
import { callsOf, caseLines, suiteProject, suiteReport } from "../helpers/suite.js";
import { git } from "../helpers/trial.js";

/** Runs a program, which must end well and say nothing on standard error; returns what it logged. */
async function logged(p: Project, body: string): Promise<unknown[]> {
  const { code, stderr, logged: values } = await runProgram(p, body);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return values;
}

/** A suite of two cases, of which `upper` passes where the target answers in capitals. */
const TWO = `const suite = { name: "two", cases: [
  { id: "upper", task: "abc", checks: { equals: "ABC" }, tags: ["a"] },
  { id: "other", input: { n: 1 }, expect_keywords: ["one"], tags: ["b"] },
] };
`;

describe("runSuite", () => {
  it("runs a suite and a target that are files, for the report on disk", async () => {
    const p = suiteProject("cases: [{ id: a, task: say hi, expect_keywords: [hi] }]");
    const env = `process.env.CALLS = ${JSON.stringify(p.path("calls.jsonl"))};`;
    const [report, named] = await logged(
      p,
      `${env} log(await runSuite());
       log((await runSuite({ suite: ".eval-banana/evals/suite.yaml", target: ".eval-banana/targets/default.yaml", cache: false })).run_passed);`,
    );
    expect(suiteReportSchema.parse(report)).toMatchObject({ run_passed: true, total_cases: 1, project_root: p.root });
    const { run_id } = suiteReport(p);
    expect(run_id).not.toBe((report as { run_id: string }).run_id);
    expect(named).toBe(true);
    expect(callsOf(p)).toEqual(["a 1", "a 1"]);
  });

  it("calls a function in the program itself, with the input and what it is a part of", async () => {
    const p = project();
    const [report, calls] = (await logged(
      p,
      `${TWO}
       const calls = [];
       const target = async (input, context) => {
         calls.push({ ...context, signal: context.signal.aborted });
         if (input.n) input.n = 2;
         return typeof input === "string" ? input.toUpperCase() : { output: "one", turns: 3, tool_calls: [{ name: "f" }], usage: { input_tokens: 7 }, cost_usd: 0.5 };
       };
       log(await runSuite({ suite, target, maxParallel: 1 }));
       log(calls);
       if (suite.cases[1].input.n !== 1) log("changed");`,
    )) as [ReturnType<typeof suiteReport>, unknown];
    expect(suiteReportSchema.parse(report)).toEqual(suiteReport(p));
    expect(report).toMatchObject({ name: "two", run_passed: true, cost_usd: 0.5, suite_path: p.path("two.yaml") });
    expect(report.cases[1]).toMatchObject({ case_id: "other", target: "target", target_type: "function" });
    expect(report.cases[1]?.trials[0]).toMatchObject({ turns: 3, input_tokens: 7, tool_calls: [{ name: "f" }] });
    const dir = expect.stringContaining(report.output_dir);
    expect(calls).toEqual([
      { case_id: "upper", run: 1, cwd: p.root, output_dir: dir, signal: false },
      { case_id: "other", run: 1, cwd: p.root, output_dir: dir, signal: false },
    ]);
  });

  it("calls a target that is an object, and takes what it answered from the cache", async () => {
    const p = suiteProject("[]");
    const suite = '{ cases: [{ id: "a", task: "say hi", expect_keywords: ["hi"] }] }';
    const target = `{ type: "command", command: ["node", "target.cjs"], input: "json-stdin", output: "json" }`;
    const values = await logged(
      p,
      `process.env.CALLS = ${JSON.stringify(p.path("calls.jsonl"))};
       for (const n of [1, 2]) log((await runSuite({ suite: ${suite}, target: ${target} })).cached_runs);
       log((await runSuite({ suite: ${suite}, target: ${target}, cache: false })).cases[0].target);`,
    );
    expect(values).toEqual([0, 1, "target"]);
    expect(callsOf(p)).toHaveLength(2);
  });

  it("sees files of the project change that are named as its objects might be", async () => {
    const p = project({ "two/a": "ABC", "target/b": "one", "two.yaml": "x" });
    git(p.root, "init", "-q");
    git(p.root, "add", ".");
    // Nothing of it tells a path.
    const target = '{ type: "command", command: ["sh", "-c", "cat tw*/a tar*/b two.y*"] }';
    const cached = async (change = {}) => {
      p.write(change);
      return (await logged(p, `${TWO} log((await runSuite({ suite, target: ${target} })).cached_runs);`))[0];
    };
    expect([await cached(), await cached()]).toEqual([0, 2]);
    expect(await cached({ "two/a": "abc" })).toBe(0);
    expect(await cached({ "target/b": "two" })).toBe(0);
    expect(await cached({ "two.yaml": "y" })).toBe(0);
  });

  it("takes nothing over of a function, whose code may have changed", async () => {
    const values = await logged(
      project(),
      `${TWO} let calls = 0; let answer = "ABC one";
       const target = () => { calls++; return answer; };
       await runSuite({ suite, target });
       answer = "no";
       const { run_passed, taken_over_runs } = await runSuite({ suite, target, resume: "latest" });
       log([calls, run_passed, taken_over_runs]);`,
    );
    expect(values).toEqual([[4, false, 0]]);
  });

  it("compares each suite with a baseline of its own, also where their names hold a dot", async () => {
    const p = project();
    const run = (name: string) =>
      logged(p, `${TWO} suite.name = "${name}"; log((await runSuite({ suite, target: () => "ABC one" })).run_id);`);
    for (const name of ["gpt-4.1", "gpt-4.5"]) {
      const [id] = await run(name);
      expect((await p.eb(["suite", "baseline", "update", String(id)])).code).toBe(0);
      expect(JSON.parse(p.read(`${name}.baseline.json`)).suite).toBe(name);
    }
  });

  it("never takes the answer of a function from the cache", async () => {
    const values = await logged(
      project(),
      `${TWO} let calls = 0;
       const target = () => { calls++; return "ABC one"; };
       await runSuite({ suite, target }); await runSuite({ suite, target });
       log(calls);`,
    );
    expect(values).toEqual([4]);
  });

  it.each([
    ["throws", "() => { throw new TypeError('no') }", "'target' threw TypeError: no"],
    ["rejects", "async () => { throw 'nothing' }", "'target' threw what is no error: nothing"],
    ["throws what is no text", "() => { throw Object.create(null) }", "threw what is no error: a value that can't be"],
    ["returns what throws", "() => ({ toJSON() { throw null } })", "'target' returned what is no JSON: "],
    ["returns undefined", "() => {}", "'target' returned undefined: an output is a text or another JSON value"],
    ["returns no JSON", "() => 1n", "'target' returned what is no JSON: "],
    ["returns a malformed answer", "() => ({ output: 'x', turns: -1 })", "malformed answer: turns: "],
    ["says so itself", "() => ({ error: 'not today' })", "not today"],
    ["takes too long", "() => new Promise(() => setTimeout(() => {}, 0))", "timed out after 0.2 s"],
  ])("a function that %s fails its case", async (_, target, message) => {
    const [errors] = await logged(
      project(),
      `${TWO} const target = ${target};
       const { cases } = await runSuite({ suite, target, timeout: 0.2 });
       log(cases.map((each) => [each.status, each.error_message]));`,
    );
    const one = ["failed", expect.stringContaining(message)];
    expect(errors).toEqual([one, one]);
  });

  it("tells a function when its time is over", async () => {
    const values = await logged(
      project(),
      `${TWO}
       const target = (_, { signal }) => new Promise((resolve) => signal.addEventListener("abort", () => { log("told"); resolve("late"); }));
       log((await runSuite({ suite, target, timeout: 0.1, caseIds: ["upper"] })).cases[0].error_message);`,
    );
    expect(values).toEqual(["told", "timed out after 0.1 s"]);
  });

  it("is iterated for the events, and told to reporters", async () => {
    const p = project();
    const [seen, events] = (await logged(
      p,
      `${TWO} const seen = [], events = [];
       const reporter = { name: "mine", on: (event) => void seen.push(event.type) };
       for await (const event of runSuite({ suite, target: () => "ABC" }, { reporters: [reporter] }))
         events.push(event.type === "item.end" ? event.result.case_id + " " + event.result.status : event.type);
       log(seen); log(events);`,
    )) as [string[], string[]];
    expect(seen).toEqual(expect.arrayContaining(["run.start", "item.start", "item.end", "run.end"]));
    expect(events).toEqual(expect.arrayContaining(["run.start", "upper passed", "other failed", "run.end"]));
  });

  it("ends early by its signal, with a report that says so, also where a function never answers", async () => {
    const p = project();
    const [report, told] = (await logged(
      p,
      `${TWO} const stop = new AbortController();
       let told = false;
       const target = (input, { signal }) => new Promise(() => { signal.addEventListener("abort", () => { told = true; }); stop.abort(); });
       log(await runSuite({ suite, target, maxParallel: 1 }, { signal: stop.signal }));
       log(told);`,
    )) as [ReturnType<typeof suiteReport>, boolean];
    expect(report).toEqual(suiteReport(p));
    expect(report).toMatchObject({ interrupted_cases: 2, run_passed: false });
    expect(told).toBe(true);
  });

  it("takes the options of the command", async () => {
    const p = project();
    const values = await logged(
      p,
      `${TWO} const target = (input, { run }) => (run % 2 ? (input.n ? "one" : "ABC") : "");
       const ids = async (options) => (await runSuite({ suite, target, ...options })).cases.map(({ case_id }) => case_id);
       log(await ids({ tags: ["b"] }));
       log(await ids({ filter: "UPP" }));
       log(await ids({ caseIds: ["other", "upper"] }));
       log((await ids({ sample: 1, seed: "x" })).length);
       const report = await runSuite({ suite, target, runs: 2, minPassRate: 0.5, output: "out.jsonl" });
       log([report.runs, report.score, report.run_passed, report.flaky]);
       log(await ids({ lastFailed: true }));
       log((await runSuite({ suite, target, runs: 2, resume: report.run_id })).runs);`,
    );
    expect(values).toEqual([
      ["other"],
      ["upper"],
      ["upper", "other"],
      1,
      [4, 0.5, true, ["upper", "other"]],
      ["upper", "other"],
      4,
    ]);
    expect(
      caseLines(p)
        .map(({ case_id }) => case_id)
        .sort(),
    ).toEqual(["other", "upper"]);
  });

  it("compares with a baseline", async () => {
    const p = project();
    const [id] = (await logged(
      p,
      `${TWO} log((await runSuite({ suite, target: () => "ABC one" })).run_id);`,
    )) as string[];
    expect((await p.eb(["suite", "baseline", "update", String(id)])).code).toBe(0);
    const values = (await logged(
      p,
      `${TWO} const worse = await runSuite({ suite, target: () => "ABC", maxDrop: 0 });
       log([worse.comparison.worse, worse.comparison.baseline, worse.gates.map(({ name }) => name)]);
       await runSuite({ suite, target: () => "", baseline: "nowhere.json" }).catch(({ code, message }) => log([code, message]));`,
    )) as unknown[];
    expect(values).toEqual([
      [["other"], p.path("two.baseline.json"), ["all_passed", "max_drop"]],
      ["usage", expect.stringContaining("nowhere.json")],
    ]);
  });

  const OK = 'cases: [{ id: "a", task: "t", expect_keywords: ["x"] }]';
  const f = "target: () => 'x'";
  it.each<[string, string, string, string | RegExp]>([
    [
      "invalid_suite",
      "an invalid object",
      `suite: { cases: [{ id: "a", task: "t", expect_keyword: ["x"] }] }, ${f}`,
      "a: expect_keyword: unknown field (did you mean 'expect_keywords'?)",
    ],
    [
      "invalid_suite",
      "a case without an id",
      `suite: [{ id: "b", task: "t", expect_keywords: ["x"] }, { task: "t", expect_keywords: ["x"] }], ${f}`,
      "[1].id: is required: a string",
    ],
    [
      "invalid_suite",
      "two cases of one id",
      `suite: { cases: [...suite.cases, ...suite.cases] }, ${f}`,
      "id: 'a' is the id of another case too",
    ],
    [
      "invalid_suite",
      "a function among the fields",
      `suite: { cases: [{ id: "a", task: "t", checks: { script: () => {} } }] }, ${f}`,
      /script: expected Python source, found/,
    ],
    ["invalid_suite", "a suite that holds itself", `suite: loop, ${f}`, /input: must be a JSON value/],
    ["invalid_suite", "no cases", `suite: [], ${f}`, "has no cases"],
    ["usage", "no suite", `suite: 7, ${f}`, /suite: expected a path, or an object/],
    ["usage", "a suite that is not there", `suite: "gone.yaml", ${f}`, /there is no suite: .*gone\.yaml/],
    ["usage", "a target that is not there", 'suite, target: "gone.yaml"', /there is no target: gone\.yaml/],
    [
      "usage",
      "an invalid target",
      'suite, target: { type: "comand" }',
      /type: expected one of .*, found "comand" \(did you mean 'command'\?\)/,
    ],
    ["usage", "a target that is none", "suite, target: 7", /target: expected a path, an object or a function/],
    ["usage", "an unknown option", `suite, ${f}, run: 2`, /run: unknown field \(did you mean 'runs'\?\)/],
    [
      "usage",
      "an option of another type",
      `suite, ${f}, runs: "2"`,
      /runs: expected a whole number from 1 to 10000, found/,
    ],
    ["usage", "an unknown case", `suite, ${f}, caseIds: ["b"]`, /no case has the id 'b'/],
    ["no_cases", "a selection of nothing", `suite, ${f}, tags: ["b"]`, /none of the 1 case/],
    ["no_cases", "an empty list of ids", `suite, ${f}, caseIds: []`, /none of the 1 case has one of no ids/],
    ["no_cases", "an empty list of tags", `suite, ${f}, tags: []`, /none of the 1 case has one of no tags/],
    [
      "usage",
      "a setting out of range",
      `suite, ${f}, settings: { "core.max_parallel_checks": 0 }`,
      /core.max_parallel_checks/,
    ],
    ["usage", "a run that is not there", `suite, ${f}, resume: "nope"`, /there is no run 'nope'/],
  ])(
    "throws a UserError with the code %s for %s, to whoever awaits and whoever iterates",
    async (code, _, options, words) => {
      const values = (await logged(
        project(),
        `const suite = { ${OK} };
       const loop = { cases: [{ id: "a", input: {}, expect_keywords: ["x"] }] }; loop.cases[0].input.self = loop;
       const run = runSuite({ ${options} });
       const iterated = (async () => { for await (const _ of run); })();
       for (const { reason } of await Promise.allSettled([run, iterated]))
         log([reason instanceof UserError, reason.code, [reason.message, ...reason.problems.map(({ field, message, file }) => [file, field, message].filter(Boolean).join(": "))]]);`,
      )) as [boolean, string, string[]][];
      const said = expect.arrayContaining([typeof words === "string" ? words : expect.stringMatching(words)]);
      expect(values).toEqual([
        [true, code, said],
        [true, code, said],
      ]);
    },
  );

  it("tells the first problem in the message, for who prints no more", async () => {
    const values = await logged(
      project(),
      `const suite = { cases: [{ id: "a", task: "t", expect_keyword: "x" }, { id: "b" }] };
       await runSuite({ suite, target: () => "x" }).catch(({ message, stack }) => log([message, stack.includes(message)]));
       await runChecks({ checkId: "x", tags: "a" }).catch(({ message }) => log(message));`,
    );
    expect(values).toEqual([
      [expect.stringMatching(/^the suite is not valid: .*expect_keyword: unknown field .*; and \d more$/), true],
      "the option 'tags' of runChecks takes a list",
    ]);
  });

  it("leaves no listener on the process or on the signal", async () => {
    const values = await logged(
      project(),
      `${TWO} import { getEventListeners } from "node:events";
       const names = ["exit", "SIGINT", "SIGTERM", "SIGHUP", "unhandledRejection", "uncaughtException", "warning"];
       const count = (signal) => JSON.stringify([...names.map((name) => process.listenerCount(name)), getEventListeners(signal, "abort").length]);
       const stop = new AbortController();
       const before = count(stop.signal);
       await runSuite({ suite, target: () => "x" }, { signal: stop.signal });
       await runSuite({ suite, target: () => new Promise(() => {}), timeout: 0.1 }, { signal: stop.signal });
       await runSuite({ suite, target: 1 }, { signal: stop.signal }).catch(() => {});
       log(count(stop.signal) === before);`,
    );
    expect(values).toEqual([true]);
  });

  it("lets a function work in the workspace of its run, and a script judge it", async () => {
    const [report] = (await logged(
      project(),
      `import { writeFileSync } from "node:fs"; import { join } from "node:path";
       const suite = { workspace: { files: { "a.txt": "old" } }, cases: [{ id: "w", task: "t", checks: { files: { must_change: ["a.txt"] }, script: "assert open('a.txt').read() == 'new'" } }] };
       log(await runSuite({ suite, target: (_, { cwd }) => { writeFileSync(join(cwd, "a.txt"), "new"); return "done"; } }));`,
    )) as [ReturnType<typeof suiteReport>];
    expect(report.cases[0]?.failure_reasons).toEqual([]);
    expect(report.run_passed).toBe(true);
  });
});
