import { cpSync } from "node:fs";
import { resolve } from "node:path";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { linkPackage, runProgram } from "../helpers/library.js";
import { check, cleanEnv, oneCheck, type Project, project } from "../helpers/project.js";

const two = () => project({ ...oneCheck("print('hi')"), "eval_checks/bad.yaml": check("bad", "exit('no')") });

/** Runs a program, which must end well and say nothing on standard error; returns what it logged. */
async function logged(p: Project, body: string): Promise<unknown[]> {
  const { code, stderr, logged: values } = await runProgram(p, body);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return values;
}

describe("runChecks", () => {
  it("is awaited for the report, which is the one on disk", async () => {
    const p = two();
    const [report] = await logged(p, "log(await runChecks());");
    expect(report).toEqual(p.report());
    expect(report).toMatchObject({ run_passed: false, percentage: 50, project_root: p.root });
  });

  it("is iterated for the events, in order, with the report's results at the end", async () => {
    const p = two();
    const events = (await logged(
      p,
      `for await (const { results, ...event } of runChecks({ settings: { "core.max_parallel_checks": 1 } }))
         log({ ...event, ...(results && { checks: [...results()], again: [...results()].length }) });`,
    )) as Record<string, unknown>[];
    const { checks, ...summary } = p.report();
    expect(events).toMatchObject([
      { type: "run.start", run_id: summary.run_id, total: 2, pass_threshold: 1 },
      { type: "item.start", id: "bad" },
      { type: "item.end", result: checks[0] },
      { type: "item.start", id: "it" },
      { type: "item.end", result: checks[1] },
      { type: "run.end", summary, checks, again: 2 },
    ]);
  });

  it("is awaited while it is iterated, and raced and caught as a promise is", async () => {
    const values = await logged(
      two(),
      `const run = runChecks();
       let types = [];
       for await (const event of run) {
         types.push(event.type);
         if (event.type === "run.start") log((await run).total_checks);
       }
       log(types);
       log((await Promise.race([run, new Promise(() => {})])).total_checks);
       log(await run.finally(() => {}).then(({ run_passed }) => run_passed));
       log(run instanceof Promise);`,
    );
    expect(values).toEqual([2, expect.arrayContaining(["run.start", "run.end"]), 2, false, true]);
  });

  it("runs to its end when an iteration is left, and another one can begin", async () => {
    const p = two();
    const values = await logged(
      p,
      `const run = runChecks();
       for await (const event of run) { log(event.type); break; }
       for await (const event of run) if (event.type === "run.end") log("end");
       log((await run).total_checks);`,
    );
    expect(values).toEqual(["run.start", "end", 2]);
    expect(p.report().total_checks).toBe(2);
  });

  it("ends early by its signal, with a report that says so", async () => {
    const p = project({
      ...oneCheck("import time; time.sleep(30)"),
      "eval_checks/a.yaml": check("a", "pass"),
      "eval_checks/z.yaml": check("z", "pass"),
    });
    const [report] = await logged(
      p,
      `const stop = new AbortController();
       const run = runChecks({ settings: { "core.max_parallel_checks": 1 } }, { signal: stop.signal });
       for await (const event of run) if (event.type === "item.start" && event.id === "it") stop.abort();
       log(await run);`,
    );
    expect(report).toEqual(p.report());
    expect(p.report().checks.map((each) => [each.check_id, each.status, each.error_detail])).toEqual([
      ["a", "passed", null],
      ["it", "error", "interrupted"],
      ["z", "error", "interrupted"],
    ]);
  });

  it("runs nothing when its signal was aborted before", async () => {
    const p = project(oneCheck("open('ran', 'w')"));
    const [errored] = await logged(p, "log((await runChecks({}, { signal: AbortSignal.abort() })).errored_checks);");
    expect(errored).toBe(1);
    expect(() => p.read("ran")).toThrow();
  });

  it.each([
    ["invalid_checks", { "eval_checks/a.yaml": "id: 1" }, "{}"],
    ["no_checks", {}, "{}"],
    ["no_checks", oneCheck("pass"), "{ tags: [] }"],
    ["usage", oneCheck("pass"), '{ cwd: "missing" }'],
    ["usage", oneCheck("pass"), '{ settings: { "core.pass_threshold": 7 } }'],
    ["config", { ...oneCheck("pass"), ".eval-banana/config.toml": "x = 1" }, "{}"],
    ["io", { ...oneCheck("pass"), file: "" }, '{ settings: { "core.output_dir": "file/x" } }'],
  ] as const)(
    "throws a UserError with the code %s, to whoever awaits and whoever iterates",
    async (code, files, options) => {
      const values = await logged(
        project(files),
        `const run = runChecks(${options});
       const iterated = (async () => { for await (const _ of run); })();
       for (const result of await Promise.allSettled([run, iterated]))
         log([result.reason instanceof UserError, result.reason.code, result.reason.message !== ""]);`,
      );
      expect(values).toEqual([
        [true, code, true],
        [true, code, true],
      ]);
    },
  );

  it.each([
    ["awaits", "await run"],
    ["iterates", "for await (const _ of run);"],
  ])("raises no unhandled rejection for one who only %s", async (_, use) => {
    const values = await logged(
      project(),
      `process.on("unhandledRejection", () => log("unhandled"));
       const run = runChecks();
       try { ${use} } catch (error) { log(error.code); }
       await new Promise((resolve) => setTimeout(resolve, 50));`,
    );
    expect(values).toEqual(["no_checks"]);
  });

  it("goes on without a reporter that fails, and warns", async () => {
    const p = two();
    const values = await logged(
      p,
      `const seen = [];
       const broken = { name: "mine", on() { throw new Error("broken"); } };
       const late = { name: "late", async on(event) { if (event.type === "run.end") throw new Error("too late"); } };
       const good = { name: "good", on: (event) => void seen.push(event.type) };
       const run = runChecks({}, { reporters: [broken, late, good] });
       for await (const event of run) if (event.type === "warning") log(event.message);
       log(seen.filter((type) => type !== "warning"));
       log((await run).total_checks);`,
    );
    expect(values).toEqual([
      "the mine reporter failed: broken",
      "the late reporter failed: too late",
      expect.arrayContaining(["run.start", "item.start", "item.end", "run.end"]),
      2,
    ]);
    expect(p.report().total_checks).toBe(2);
  });

  it("makes two runs at once in one process, each with its own directory and events", async () => {
    const p = two();
    const values = (await logged(
      p,
      `const runs = [runChecks({ checkId: "it" }), runChecks({ checkId: "bad" })];
       await Promise.all(runs.map(async (run) => {
         const ids = [];
         for await (const event of run) if (event.type === "item.end") ids.push(event.result.check_id);
         log([ids, (await run).run_passed]);
       }));`,
    )) as unknown[];
    expect(values.sort()).toEqual([
      [["bad"], false],
      [["it"], true],
    ]);
    expect(p.runDirs()).toHaveLength(2);
  });

  it("leaves no listener on the process or on the signal, after success, abort and errors", async () => {
    const values = await logged(
      two(),
      `import { getEventListeners } from "node:events";
       const names = ["exit", "SIGINT", "SIGTERM", "SIGHUP", "unhandledRejection", "uncaughtException", "warning"];
       const count = (signal) => [...names.map((name) => process.listenerCount(name)), getEventListeners(signal, "abort").length];
       const stop = new AbortController();
       const before = count(stop.signal);
       for (let n = 0; n < 12; n++) await runChecks({ checkId: "it" }, { signal: stop.signal });
       await runChecks({ settings: { "core.output_dir": "program.mjs/x" } }, { signal: stop.signal }).catch(({ code }) => log(code));
       await runChecks({ checkId: "none" }, { signal: stop.signal }).catch(({ code }) => log(code));
       log(JSON.stringify(before) === JSON.stringify(count(stop.signal)));
       const run = runChecks({}, { signal: stop.signal });
       for await (const event of run) if (event.type === "item.start") stop.abort();
       log(JSON.stringify(before) === JSON.stringify(count(stop.signal)));`,
    );
    expect(values).toEqual(["io", "no_checks", true, true]);
  });
});

describe("examples/library", () => {
  const example = () => {
    const p = project();
    cpSync("examples/library", p.root, { recursive: true });
    linkPackage(p);
    return p;
  };

  it("uses the package by its name", async () => {
    const p = example();
    const { exitCode, stdout, stderr } = await execa(process.execPath, ["run.mjs"], {
      ...{ cwd: p.root, extendEnv: false, env: cleanEnv(), stdin: "ignore", reject: false },
    });
    expect(stderr).toBe("");
    expect(stdout.split("\n")).toEqual([
      "2 checks",
      expect.stringMatching(/^(passed|failed) [a-z-]+$/),
      expect.stringMatching(/^(passed|failed) [a-z-]+$/),
      "example-is-short: exit code 1: 22 lines, 10 fit",
      `50% of 2 points; ${p.runDir()}`,
    ]);
    expect(exitCode).toBe(0);
  });

  it("runs a suite against a function", async () => {
    const p = example();
    const { exitCode, stdout, stderr } = await execa(process.execPath, ["suite.mjs"], {
      ...{ cwd: p.root, extendEnv: false, env: cleanEnv(), stdin: "ignore", reject: false },
    });
    expect(stderr).toBe("");
    expect(stdout.split("\n")).toEqual([
      "passed price",
      "passed looks-it-up",
      "passed unknown",
      expect.stringMatching(/^failed polite .*please/),
      "met: pass rate 75%, at least 70% needed",
    ]);
    expect(exitCode).toBe(0);
  });

  it("is right by the types of the package, which refuse what is wrong", async () => {
    const p = example();
    p.write({
      "package.json": '{ "type": "module" }',
      "wrong.ts": `import { type Reporter, type SuiteReport, type Suites, type TargetFunction, runChecks, runSuite } from "eval-banana";
const reporter: Reporter = { name: "x", on: (event) => { if (event.type === "item.end") event.result.score satisfies 0 | 1; } };
const report = await runChecks({}, { reporters: [reporter] });
report.checks[0]?.status satisfies "passed" | "failed" | "error" | undefined;
// @ts-expect-error there is no such option
runChecks({ nope: 1 });
// @ts-expect-error a threshold is a number
runChecks({ settings: { "core.pass_threshold": "1" } });
// @ts-expect-error there is no such event
for await (const event of runChecks()) event.type === "run.begin";

const target: TargetFunction = (input, { run, signal }) => ({ output: [input, run, signal.aborted], turns: 2 });
const cases = [{ id: "a", input: { x: 1 }, checks: { files: { must_exist: ["a"] } } }];
const suite: SuiteReport = await runSuite({ suite: { cases }, target }, { reporters: [{ name: "x", on: () => {} } satisfies Reporter<Suites>] });
suite.cases[0]?.trials[0]?.tool_calls[0]?.name satisfies string | undefined;
await runSuite({ suite: cases, target: { type: "http", url: "http://127.0.0.1" } });
// @ts-expect-error there is no such field
runSuite({ suite: { cases: [{ id: "a", task: "t", expect_keyword: ["x"] }] } });
// @ts-expect-error there is no such type of target
runSuite({ target: { type: "htp", url: "http://127.0.0.1" } });
// @ts-expect-error undefined is no answer
runSuite({ target: () => undefined });
for await (const event of runSuite({ suite: "s.yaml" })) if (event.type === "item.end") event.result.case_id satisfies string;
`,
    });
    const options = "--noEmit --strict --allowJs --module nodenext --target es2023 --skipLibCheck".split(" ");
    const tsc = resolve("node_modules/.bin/tsc");
    const types = ["--types", "node", "--typeRoots", resolve("node_modules/@types")];
    const { exitCode, stdout } = await execa(tsc, [...options, ...types, "run.mjs", "suite.mjs", "wrong.ts"], {
      cwd: p.root,
      reject: false,
    });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "" });
  });
});
