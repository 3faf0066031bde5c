import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { project, temporaryDirectory } from "../helpers/project.js";
import { caseOf } from "../helpers/suite.js";

const SUITE = `cases:
  - id: fix it
    task: Fix the bug.
    expect_keywords: [done]
    workspace: { template: ../t, teardown: [echo bye] }
    checks: { files: { must_change: [a.txt], contains: { a.txt: fixed } } }
`;
const FILES = { "evals/s.yaml": SUITE, "t/a.txt": "bug\n", ".eval-banana/config.toml": "" };

describe("eb suite prepare and score", () => {
  it("say where things are and what comes next, and give the verdict", async () => {
    const p = project(FILES);
    const out = join(temporaryDirectory(), "out");
    const prepared = await p.eb(["suite", "prepare", "evals/s.yaml", "--case", "fix it", "--out", out]);
    expect(prepared).toEqual({
      code: 0,
      stdout: `task:      ${out}/TASK.md
workspace: ${out}/workspace
next: do the task in the workspace, put the final answer into a file outside of it, and score both with
  eb suite score evals/s.yaml --case 'fix it' --workspace ${out}/workspace --output FILE
then end what its setup began; in the workspace:
  echo bye
`,
      stderr: "",
    });

    const score = ["suite", "score", "evals/s.yaml", "--case", "fix it", "--workspace", join(out, "workspace")];
    const nothingDone = await p.eb(score);
    expect(nothingDone.code).toBe(1);
    expect(nothingDone.stdout).toContain("changes: 0 files\nfailed: 1 of 3 assertions\n");
    expect(nothingDone.stdout).toContain("'a.txt' was not changed");
    expect(nothingDone.stderr).toBe("warning: no --output was given: the final answer counts as empty\n");

    appendFileSync(join(out, "workspace/a.txt"), "fixed\n");
    writeFileSync(join(out, "answer.txt"), "done\n");
    expect(await p.eb([...score, "--output", join(out, "answer.txt")])).toEqual({
      code: 0,
      stdout: "changes: 1 file\n  modified a.txt +1 −0\npassed: 3 of 3 assertions\n",
      stderr: "",
    });
    const { code, stdout } = await p.eb([...score, "--output", join(out, "answer.txt"), "--json"]);
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { case_id: "fix it", passed: true, changes: [{ path: "a.txt", added: 1 }], changes_error: null },
    ]);
  });

  it("take the workspace of the target that --config names", async () => {
    const p = project({
      "evals/s.yaml": "cases:\n  - { id: x, task: Go., checks: { files: { must_exist: [a.txt] } } }\n",
      "other.yaml": "type: command\ncommand: [cat]\nworkspace: { template: t }\n",
      "t/a.txt": "here\n",
      ".eval-banana/config.toml": "",
    });
    const out = join(temporaryDirectory(), "out");
    const case_ = ["evals/s.yaml", "--case", "x", "--cwd", p.root];
    const prepared = await p.eb(["suite", "prepare", ...case_, "-c", "other.yaml", "--out", out]);
    expect(prepared.code, prepared.stderr).toBe(0);
    const next = `eb suite score evals/s.yaml --case x --config other.yaml --cwd ${p.root} --workspace ${out}/workspace`;
    expect(prepared.stdout).toContain(`  ${next} --output FILE\n`);
    expect(await p.eb(next.split(" ").slice(1))).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^changes: 0/),
    });
  });

  it("give the verdict that a run gives, after the same edits", async () => {
    const edit = "echo fixed >> a.txt && echo done";
    const target = `type: command\ncommand: [sh, -c, ${JSON.stringify(edit)}]\n`;
    const p = project({ ...FILES, ".eval-banana/targets/default.yaml": target });
    await p.eb(["suite", "run", "evals/s.yaml"]);
    const inRun = caseOf(p, "fix it");
    expect(inRun).toMatchObject({ passed: true, trials: [{ changes: [{ path: "a.txt", status: "modified" }] }] });
    const out = join(temporaryDirectory(), "out");
    await p.eb(["suite", "prepare", "evals/s.yaml", "--case", "fix it", "--out", out]);
    appendFileSync(join(out, "workspace/a.txt"), "fixed\n");
    writeFileSync(join(out, "answer.txt"), "done\n");
    const args = ["--case", "fix it", "--workspace", out, "--output", join(out, "answer.txt"), "--json"];
    const scored = await p.eb(["suite", "score", "evals/s.yaml", ...args]);
    expect(JSON.parse(scored.stdout).scores).toEqual(inRun.trials[0]?.scores);
  });

  it("say what can't be done", async () => {
    const p = project(FILES);
    expect(await p.eb(["suite", "prepare", "evals/s.yaml", "--case", "fix it", "--out", p.root])).toEqual({
      code: 2,
      stdout: "",
      stderr: `error: --out is in use: ${p.root}\nhint: name a directory that is absent or empty\n`,
    });
    const unknown = await p.eb(["suite", "prepare", "evals/s.yaml", "--case", "fix that", "--out", "o"]);
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("no case has the id 'fix that'") });
    const args = ["--case", "fix it", "--workspace", p.root, "--output", "nowhere"];
    const scored = await p.eb(["suite", "score", "evals/s.yaml", ...args]);
    expect(scored).toMatchObject({ code: 2, stderr: expect.stringContaining("cannot read --output: no such file") });
    expect(await p.eb(["suite", "score", "evals/s.yaml", "--case", "fix it"])).toMatchObject({ code: 2, stdout: "" });
  });
});
