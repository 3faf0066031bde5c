import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { agentTable, STAND_IN_HEAD } from "../helpers/agent.js";
import { PYTHON } from "../helpers/project.js";
import { caseOf, runSuite, suiteProject } from "../helpers/suite.js";

const TOKEN = "sk-very-secret-123";
const HANDED = "handed-out-4567";

/** A target that puts a secret wherever it can: names of fields and files, too. */
const LEAK = `const { writeFileSync } = require("node:fs");
const { X_TOKEN: token, GIVEN: given } = process.env;
console.error(token, given);
if (process.env.EVAL_BANANA_WORKSPACE) {
  writeFileSync("leak.txt", token);
  writeFileSync(given + ".txt", "x");
}
console.log(JSON.stringify({
  output: "hi " + token,
  messages: [{ role: "assistant", name: token, content: given }],
  tool_calls: [{ name: token, arguments: { [token]: given }, result: { [given]: [token] }, error: given }],
  retrieved: [{ id: token, text: given }],
  model: given,
}));
`;
const JUDGE = `${STAND_IN_HEAD}
verdict(1, "leak " + os.environ["X_TOKEN"] + " " + os.environ["HANDED"], token=token())
`;
const SUITE = `judge: { agent: stand-in }
cases:
  - { id: plain, task: "say ${TOKEN}", expect_keywords: [hi], checks: { rubric: "Is it?" } }
  - id: worked
    task: x
    workspace: { files: { a.txt: x }, setup: ["echo $X_TOKEN"], keep: never }
    checks: { files: { must_change: [leak.txt] }, rubric: "Is it?" }
  - { id: wrong, task: x, checks: { equals: "${TOKEN}x", trajectory: { must_not_call: [x], no_errors: true } } }
`;

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

it("masks a secret in all that a run writes: cache, journal, lines, prompts, verdicts", async () => {
  const p = suiteProject(SUITE, {
    "leak.cjs": LEAK,
    "judge.py": JUDGE,
    ".eval-banana/config.toml": agentTable("stand-in", { command: [PYTHON, "-S", "judge.py"] }),
    ".eval-banana/targets/default.yaml":
      'type: command\ncommand: [node, "{project_root}/leak.cjs"]\noutput: json\nenv: { GIVEN: "{env:HANDED}" }\n',
  });
  const args = ["-o", "out/cases.jsonl", "--verbose", "--reporter", "junit:out/j.xml", "--reporter", "console"];
  const first = await runSuite(p, args, { X_TOKEN: TOKEN, HANDED });
  expect(caseOf(p, "plain")).toMatchObject({ passed: true, judge: { asked: 1 } });
  expect(caseOf(p, "worked")).toMatchObject({ passed: true, judge: { asked: 1 } });
  const again = await runSuite(p, args, { X_TOKEN: TOKEN, HANDED });
  expect(caseOf(p, "worked")).toMatchObject({ passed: true, cached: 1 });

  for (const { stdout, stderr } of [first, again]) {
    expect(stdout + stderr).not.toContain(TOKEN);
    expect(stdout + stderr).not.toContain(HANDED);
  }
  const written = [".eval-banana/results", ".eval-banana/cache", "out"].flatMap((directory) =>
    filesBelow(p.path(directory)),
  );
  expect(written.length).toBeGreaterThan(15);
  for (const path of written) {
    const content = readFileSync(path, "utf8");
    expect([path, content.includes(TOKEN), content.includes(HANDED)]).toEqual([path, false, false]);
  }
});
