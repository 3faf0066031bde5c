import { describe, expect, it } from "vitest";
import { callsOf, caseOf, runSuite, suiteProject, suiteReport } from "../helpers/suite.js";

const SUITE =
  "cases:\n  - { id: a, input: x, must_succeed: false, checks: { must_not_contain: [bad] } }\n  - { id: b, input: x, checks: { must_contain: [x] } }\n";
const at = ".eval-banana/targets/default.yaml";
/** A port that nobody listens on: dynamic ones begin above. */
const CLOSED = "http://127.0.0.1:4/";

describe("a target that can't be asked gives no verdict", () => {
  it.each<[string, string, RegExp, Record<string, string>?]>([
    ["a service that is down", `type: http\nurl: ${CLOSED}\n`, /ECONNREFUSED/],
    ["a host without an address", "type: http\nurl: http://nobody.invalid/\n", /ENOTFOUND|EAI_AGAIN/],
    ["a variable of the address", "type: http\nurl: '{env:NOWHERE}/x'\n", /variable NOWHERE is not set/],
    ["a variable of a program", "type: command\ncommand: [echo]\nenv: { A: '{env:NOWHERE}' }\n", /variable NOWHERE/],
    ["a program that is not there", "type: command\ncommand: [python33, x.py]\n", /could not be run/],
    [
      "a module without the export",
      "type: module\npath: m.mjs\n",
      /has no function 'default'/,
      { "m.mjs": "export const a = 1;" },
    ],
    [
      "a module that does not load",
      "type: module\npath: m.mjs\n",
      /could not be loaded: .*gone/,
      { "m.mjs": "import './gone.mjs';" },
    ],
    [
      "a model without its key",
      "type: model\nmodel: m\nurl: http://127.0.0.1:9\napi_key_env: NOWHERE\n",
      /variable NOWHERE/,
    ],
    ["a model that is down", "type: model\nmodel: m\nurl: http://127.0.0.1:4/\n", /ECONNREFUSED/],
    [
      "an agent that is not there",
      "type: agent\nagent: gone\n",
      /could not be started/,
      { ".eval-banana/config.toml": '[agents.gone]\ncommand = ["nobody-home"]\n' },
    ],
    ["a member of a team", "type: team\nagents: [{ name: one, command: [nobody-home] }]\n", /^one: .*could not be run/],
  ])("%s", async (_, target, reason, files = {}) => {
    const p = suiteProject(SUITE, { [at]: target, ...files });
    const { code } = await runSuite(p, ["--ci"]);
    expect(code).toBe(1);
    for (const id of ["a", "b"]) {
      const found = caseOf(p, id);
      expect({ status: found.status, why: found.error_detail }).toEqual({
        status: "error",
        why: expect.stringMatching(reason),
      });
    }
    expect(suiteReport(p)).toMatchObject({ errored_cases: 2, failed_cases: 0, run_passed: false });
  });

  it("and does not become the baseline", async () => {
    const p = suiteProject(SUITE, { [at]: "type: command\ncommand: [python33]\n" });
    await runSuite(p);
    const { code, stderr } = await p.eb(["suite", "baseline", "update", suiteReport(p).run_id]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("no case") });
    expect(p.has(".eval-banana/evals/suite.baseline.json")).toBe(false);
  });

  it.each([
    ["an exit code", "type: command\ncommand: [node, -e, process.exit(127)]\n"],
    ["what a module throws", "type: module\npath: m.mjs\n"],
  ])("but %s is a verdict", async (_, target) => {
    const p = suiteProject(SUITE, { [at]: target, "m.mjs": "export default () => { throw new Error('no') };" });
    await runSuite(p);
    expect(caseOf(p, "b").status).toBe("failed");
  });
});

describe("a suite of which nothing can be called or judged does not run", () => {
  const RUBRIC =
    "cases:\n  - { id: a, input: say x, checks: { must_contain: [x] } }\n  - { id: r, input: say x, checks: { rubric: Is it x? } }\n";

  it.each<[string, string, Record<string, string>, string]>([
    ["a target that is not there", `config: gone.yaml\n${SUITE}`, {}, "the target 'gone.yaml' does not exist"],
    ["one that is not valid", SUITE, { [at]: "type: comand\n" }, "did you mean 'command'?"],
    ["a module that is not there", SUITE, { [at]: "type: module\npath: gone.mjs\n" }, "there is no such file"],
    ["rubrics without a judge", RUBRIC, {}, "a judge is needed and no agent is configured: 'r' has a rubric"],
  ])("%s", async (_, suite, files, message) => {
    const p = suiteProject(suite, files);
    const { code, stdout, stderr } = await runSuite(p);
    expect({ code, stdout, runs: p.runDirs(), calls: callsOf(p) }).toEqual({
      code: 2,
      stdout: "",
      runs: [],
      calls: [],
    });
    expect(stderr.split(message)).toHaveLength(2);
    expect(stderr).toContain("\nhint: ");
  });

  it("but goes on where single cases have no target, or no judge is to be asked", async () => {
    const p = suiteProject(`${RUBRIC}  - { id: c, config: gone.yaml, input: say x, checks: { must_contain: [x] } }\n`);
    expect((await runSuite(p, ["--judge", "never"])).code).toBe(0);
    expect(caseOf(p, "a").status).toBe("passed");
    expect(caseOf(p, "c")).toMatchObject({ status: "error", error_detail: expect.stringContaining("gone.yaml") });
  });
});
