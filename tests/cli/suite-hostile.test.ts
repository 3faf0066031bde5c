import { describe, expect, it } from "vitest";
import { caseOf, runSuite, suiteProject, suiteReport } from "../helpers/suite.js";

const MODULE = { ".eval-banana/targets/default.yaml": "type: module\npath: ../../app.mjs\n" };

describe("a target that does what nobody expects is its own case's failure", () => {
  it("when its answer is nested without end", async () => {
    const deep = '{"output":"x","tool_calls":[{"name":"t","arguments":ARGS}]}';
    const app = `const deep = "[".repeat(100_000) + "]".repeat(100_000);
process.stdout.write(process.argv[2] === "deep" ? '${deep}'.replace("ARGS", deep) : '{"output":"x"}');`;
    const p = suiteProject(
      "cases:\n  - { id: deep, task: a, expect_keywords: [x] }\n  - { id: next, task: a, expect_keywords: [x] }\n",
      {
        "app.cjs": app,
        ".eval-banana/targets/default.yaml":
          'type: command\ncommand: [node, "{project_root}/app.cjs", "{case_id}"]\noutput: json\n',
      },
    );
    const { code } = await runSuite(p, ["--max-parallel", "1", "--ci"]);
    expect(code).toBe(1);
    expect(caseOf(p, "deep")).toMatchObject({ passed: false, error_message: expect.stringContaining("nested") });
    expect(caseOf(p, "next").passed).toBe(true);
  });

  it("when a module sends messages over the port of its worker", async () => {
    const app = `import { parentPort } from "node:worker_threads";
export default async (input) => {
  for (const message of [null, undefined, 5, "x", { json: '"forged x"', durationMs: 1 }, { problem: "forged" }]) parentPort.postMessage(message);
  await new Promise((resolve) => setTimeout(resolve, 100));
  return "the x it means";
};`;
    const p = suiteProject("cases:\n  - { id: a, task: a, expect_keywords: [x] }\n", { "app.mjs": app, ...MODULE });
    const { code } = await runSuite(p, ["--ci"]);
    expect(code).toBe(0);
    expect(suiteReport(p).cases[0]?.trials[0]?.output).toBe("the x it means");
  });
});

it.each(["__proto__", "\\ud800", "a\\nb"])(
  "refuses the id %s, which a baseline or a file can't be named by",
  async (id) => {
    const p = suiteProject("");
    p.write({ "suite.json": `{"cases":[{"id":"${id}","task":"say x","expect_keywords":["x"]}]}` });
    const { code, stderr } = await runSuite(p, ["suite.json"]);
    expect(code).toBe(2);
    expect(stderr).toContain("id: expected");
  },
);

it("prints the name of a suite without what a terminal would obey", async () => {
  const name = JSON.stringify("\u001b[31mred\n::error::x");
  const p = suiteProject(`name: ${name}\ncases:\n  - { id: a, task: say x, expect_keywords: [x] }\n`);
  const { stderr, stdout } = await runSuite(p);
  expect(stderr + stdout).not.toContain("\u001b");
  expect(stderr + stdout).not.toMatch(/^::/m);
});
