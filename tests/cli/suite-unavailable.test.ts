import { describe, expect, it } from "vitest";
import { caseOf, runSuite, suiteProject, suiteReport } from "../helpers/suite.js";

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
