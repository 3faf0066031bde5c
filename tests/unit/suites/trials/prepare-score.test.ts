import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Assertion } from "../../../../src/suites/format/assertion.js";
import { type LaidCase, prepareCase } from "../../../../src/suites/trials/prepare-case.js";
import { scoreWorkspace } from "../../../../src/suites/trials/score-workspace.js";
import type { Workspace } from "../../../../src/suites/workspace.js";
import { openWorkspace } from "../../../../src/suites/workspaces/open.js";
import { type Project, project, temporaryDirectory } from "../../../helpers/project.js";
import { git, trial, workspace } from "../../../helpers/trial.js";

function testCase(wanted: Partial<Workspace> | undefined, more: Partial<LaidCase> = {}): LaidCase {
  return {
    id: "it",
    input: "Fix the bug.",
    tags: [],
    mustSucceed: true,
    assertions: [],
    workspace: wanted === undefined ? undefined : workspace(wanted),
    source: { file: "suite.yaml", line: 1 },
    digest: "sha256:0",
    ...more,
  };
}

const surroundings = (root: Project) => ({ context: trial(root), suiteFolder: root.path("evals") });

describe("prepare", () => {
  it("lays out the workspace after its setup, and the task beside it", async () => {
    const root = project({ "t/a.txt": "a", "t/.gitignore": "b\n", "t/b": "" });
    const out = join(temporaryDirectory(), "deep", "out");
    const it = testCase({ from: { template: root.path("t") }, setup: ['echo "$EVAL_BANANA_WORKSPACE" > made'] });
    const prepared = await prepareCase(it, { ...surroundings(root), out });
    expect(prepared).toEqual({ task: join(out, "TASK.md"), workspace: join(out, "workspace"), warnings: [] });
    expect(readdirSync(out).sort()).toEqual(["TASK.md", "workspace"]);
    expect(readFileSync(prepared.task, "utf8")).toBe("Fix the bug.\n");
    expect(readdirSync(prepared.workspace).sort()).toEqual([".gitignore", "a.txt", "made"]);
    expect(readFileSync(join(out, "workspace/made"), "utf8")).toBe(`${prepared.workspace}\n`);
  });

  it("takes an empty directory, and a case without a workspace; a task that is no text is JSON", async () => {
    const root = project();
    const out = temporaryDirectory();
    await prepareCase(testCase(undefined, { input: { question: 1 } }), { ...surroundings(root), out });
    expect(readFileSync(join(out, "TASK.md"), "utf8")).toBe('{\n  "question": 1\n}\n');
    expect(readdirSync(join(out, "workspace"))).toEqual([]);
  });

  it("refuses a directory that is in use, and touches nothing in it", async () => {
    const root = project({ "out/mine": "mine", file: "" });
    const prepared = (out: string) => prepareCase(testCase({}), { ...surroundings(root), out: root.path(out) });
    await expect(prepared("out")).rejects.toMatchObject({ message: `--out is in use: ${root.path("out")}` });
    await expect(prepared("file")).rejects.toMatchObject({ message: `--out is in use: ${root.path("file")}` });
    await expect(prepared("file/x")).rejects.toMatchObject({ message: expect.stringContaining("ENOTDIR") });
    expect(readdirSync(root.path("out"))).toEqual(["mine"]);
  });

  it("leaves nothing behind when setup fails", async () => {
    const root = project();
    const out = join(temporaryDirectory(), "out");
    const failing = prepareCase(testCase({ setup: ["touch x; echo no >&2; exit 2"] }), { ...surroundings(root), out });
    await expect(failing).rejects.toMatchObject({
      message:
        "the workspace of 'it' can't be laid out: setup `touch x; echo no >&2; exit 2` ended with exit code 2: no",
    });
    expect(existsSync(out)).toBe(false);
  });

  it("warns where the suite can be found from the workspace", async () => {
    const root = project();
    const { warnings } = await prepareCase(testCase({}), { ...surroundings(root), out: root.path("out") });
    expect(warnings).toEqual([
      `${root.path("out")} is not apart: it lies in ${root.root}, where a target would find the suite`,
    ]);
  });
});

/** It passes where a.txt changed and the answer says that it is done. */
const assertions: Assertion[] = [
  { type: "contains", text: "done" },
  { type: "files", mustExist: [], mustNotExist: [], mustChange: ["a.txt"], mustNotChange: [], contains: {} },
];

const judge = { when: "never", votes: 1 } as const;

describe("score", () => {
  const edit = (directory: string) => {
    appendFileSync(join(directory, "a.txt"), "more\n");
    rmSync(join(directory, "b.txt"));
    mkdirSync(join(directory, "new"));
    writeFileSync(join(directory, "new/c.txt"), "c\n");
  };

  it.each(["template", "repository"])("finds what a run finds, after the same edits: %s", async (kind) => {
    const root = project({ "t/a.txt": "a\n", "t/b.txt": "b\n" });
    git(root.path("t"), "init", "--quiet", "--initial-branch=main");
    git(root.path("t"), "add", "--all");
    git(root.path("t"), "commit", "--quiet", "-m", "one");
    const from = kind === "template" ? { template: root.path("t") } : { repo: root.path("t"), ref: "main" };
    const it = testCase({ from, setup: ["echo made > made.txt"] }, { assertions });

    const opened = await openWorkspace(workspace({ ...it.workspace }), surroundings(root));
    if ("error" in opened) throw new Error(opened.error);
    edit(opened.directory);
    const inRun = await opened.recordChanges();

    const out = join(temporaryDirectory(), "out");
    const prepared = await prepareCase(it, { ...surroundings(root), out });
    edit(prepared.workspace);
    if (kind === "repository") {
      git(prepared.workspace, "add", "--all");
      git(prepared.workspace, "commit", "--quiet", "-m", "done");
    }
    for (const directory of [prepared.workspace, out]) {
      const options = { ...surroundings(root), directory, output: "done", judge };
      const verdict = await scoreWorkspace(it, options);
      expect(verdict).toMatchObject({ passed: true, warnings: [] });
      expect(verdict.changes).toMatchObject({ files: "files" in inRun ? inRun.files : [] });
    }
    expect("files" in inRun && inRun.files.map(({ path }) => path)).toEqual(["a.txt", "b.txt", "new/c.txt"]);
  });

  it("does not pass what did nothing, and leaves the directory as it is", async () => {
    const root = project({ "t/a.txt": "a\n" });
    const it = testCase({ from: { template: root.path("t") }, teardown: ["echo bad >&2; exit 1"] }, { assertions });
    const out = join(temporaryDirectory(), "out");
    const prepared = await prepareCase(it, { ...surroundings(root), out });
    const options = { ...surroundings(root), directory: out, output: "done", judge };
    expect(await scoreWorkspace(it, options)).toMatchObject({
      passed: false,
      changes: { files: [], patch: null, leftOut: [] },
      warnings: ["teardown `echo bad >&2; exit 1` ended with exit code 1: bad"],
    });
    expect(readdirSync(prepared.workspace)).toEqual(["a.txt"]);
  });

  it("says what it can't score", async () => {
    const root = project();
    const scored = (it: LaidCase, directory: string) =>
      scoreWorkspace(it, { ...surroundings(root), directory, output: "", judge });
    await expect(scored(testCase({}), root.path("nowhere"))).rejects.toMatchObject({
      message: `there is no such directory: ${root.path("nowhere")}`,
    });
    await expect(scored(testCase(undefined), root.root)).rejects.toMatchObject({
      message: "the case 'it' has no workspace",
    });
    await expect(scored(testCase({ setup: ["exit 4"] }), root.root)).rejects.toMatchObject({
      message: "the workspace of 'it' can't be laid out anew: setup `exit 4` ended with exit code 4",
    });
  });
});
