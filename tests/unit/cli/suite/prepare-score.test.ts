import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { prepare } from "../../../../src/cli/commands/suite/prepare.js";
import { type ScoreParts, score } from "../../../../src/cli/commands/suite/score.js";
import { UserError } from "../../../../src/core/errors.js";
import type { TestCase } from "../../../../src/suites/test-case.js";
import { type Project, project, temporaryDirectory } from "../../../helpers/project.js";
import { workspace } from "../../../helpers/trial.js";

/** What a command printed, and how it ended. */
async function printed(command: () => Promise<number>) {
  const texts = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      texts[name] += String(text);
      return true;
    }),
  );
  try {
    return { code: await command(), ...texts };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

function partsFor(root: Project): ScoreParts {
  const testCase: TestCase = {
    id: "fix it",
    input: "Fix the bug.",
    tags: [],
    mustSucceed: true,
    assertions: [],
    workspace: workspace({ from: { template: root.path("t") }, teardown: ["echo bye"] }),
    source: { file: root.path("suite.yaml"), line: 1 },
    digest: "sha256:0",
  };
  return {
    findCase: (_, id) => {
      if (id !== testCase.id) throw new UserError(`no case '${id}'`, { code: "usage" });
      return { testCase, suiteFolder: root.path("evals") };
    },
    harnessFor: () => undefined,
    equip: async (context) => context,
    scoreSession: async ({ session, workspace: { directory } }) => {
      const fixed = readFileSync(join(directory, "a.txt"), "utf8").includes("fixed");
      return [
        { type: "files", status: fixed ? "passed" : "failed", reason: fixed ? "" : "a.txt is as it was" },
        { type: "contains", status: session.output === "done\n" ? "passed" : "failed", reason: "no 'done'" },
      ];
    },
  };
}

it("prepare says where things are and what comes next; score gives the verdict", async () => {
  const root = project({ "t/a.txt": "bug\n", ".eval-banana/config.toml": "" });
  const parts = partsFor(root);
  const out = join(temporaryDirectory(), "out");
  const prepared = await printed(() => prepare("s.yaml", { case: "fix it", cwd: root.root, out }, parts));
  expect(prepared).toEqual({
    code: 0,
    stdout: `task:      ${out}/TASK.md
workspace: ${out}/workspace
next: do the task in the workspace, put the final answer into a file outside of it, and score both with
  eb suite score s.yaml --case 'fix it' --workspace ${out}/workspace --output FILE
then end what its setup began; in the workspace:
  echo bye
`,
    stderr: "",
  });

  const options = { case: "fix it", cwd: root.root, workspace: join(out, "workspace") };
  expect(await printed(() => score("s.yaml", options, parts))).toEqual({
    code: 1,
    stdout:
      "changes: 0 files\nfailed: 0 of 2 assertions\n  failed: files: a.txt is as it was\n  failed: contains: no 'done'\n",
    stderr: "warning: no --output was given: the final answer counts as empty\n",
  });

  appendFileSync(join(out, "workspace/a.txt"), "fixed\n");
  writeFileSync(join(out, "answer.txt"), "done\n");
  const answered = { ...options, output: join(out, "answer.txt") };
  expect(await printed(() => score("s.yaml", answered, parts))).toEqual({
    code: 0,
    stdout: "changes: 1 file\n  modified a.txt +1 −0\npassed: 2 of 2 assertions\n",
    stderr: "",
  });
  const { code, stdout } = await printed(() => score("s.yaml", { ...answered, json: true }, parts));
  expect([code, JSON.parse(stdout)]).toMatchObject([
    0,
    { case_id: "fix it", passed: true, changes: [{ path: "a.txt", added: 1 }], changes_error: null },
  ]);
});

it("what can't be done is an error for people", async () => {
  const root = project({ "t/a.txt": "" });
  const parts = partsFor(root);
  const options = { case: "fix it", cwd: root.root, out: root.root };
  expect(await printed(() => prepare(undefined, options, parts))).toEqual({
    code: 2,
    stdout: "",
    stderr: `error: --out is in use: ${root.root}\nhint: name a directory that is absent or empty\n`,
  });
  await expect(prepare(undefined, { ...options, case: "x" }, parts)).rejects.toMatchObject({ message: "no case 'x'" });
  const scored = score(undefined, { ...options, workspace: root.root, output: root.path("nowhere") }, parts);
  await expect(scored).rejects.toMatchObject({
    message: `cannot read --output: no such file or directory (ENOENT): ${root.path("nowhere")}`,
  });
});
