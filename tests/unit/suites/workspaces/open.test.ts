import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { createRedactor } from "../../../../src/core/redact.js";
import { trialContext } from "../../../../src/suites/trial-context.js";
import type { Workspace } from "../../../../src/suites/workspace.js";
import { type OpenWorkspace, openWorkspace } from "../../../../src/suites/workspaces/open.js";
import { processState, until } from "../../../helpers/processes.js";
import { cleanEnv, Project, project, temporaryDirectory } from "../../../helpers/project.js";
import { git, suiteRun, trial, workspace } from "../../../helpers/trial.js";

/** Opens a workspace that must open. */
async function open(root: Project, wanted: Partial<Workspace>, context = trial(root)): Promise<OpenWorkspace> {
  const opened = await openWorkspace(workspace(wanted), { context, suiteFolder: root.path("evals") });
  if ("error" in opened) throw new Error(opened.error);
  return opened;
}

/** The reason why a workspace does not open. */
async function failure(root: Project, wanted: Partial<Workspace>, context = trial(root)) {
  const opened = await openWorkspace(workspace(wanted), { context, suiteFolder: root.path("evals") });
  if (!("error" in opened)) throw new Error("it was opened");
  return opened;
}

const read = ({ directory }: OpenWorkspace, path: string) => readFileSync(join(directory, path), "utf8");

describe("a workspace", () => {
  it("is empty where nothing is said, lies outside the project, is ours alone, and goes at the end", async () => {
    const root = project();
    const opened = await open(root, {});
    expect(readdirSync(opened.directory)).toEqual([]);
    expect(opened.directory.startsWith(root.root)).toBe(false);
    expect(statSync(dirname(opened.directory)).mode & 0o777).toBe(0o700);
    expect(await opened.finish({ passed: true })).toEqual({ kept: null, evidence: {}, warnings: [] });
    expect(existsSync(dirname(opened.directory))).toBe(false);
  });

  it("holds the files of the case, over those of the template", async () => {
    const root = project({ "t/a.txt": "old", "t/b.txt": "b", "evals/data.bin": Buffer.from([0, 255, 10]) });
    const opened = await open(root, {
      from: { template: root.path("t") },
      files: { "a.txt": { content: "new ✓" }, "deep/er/c.bin": { from: root.path("evals/data.bin") } },
    });
    expect(read(opened, "a.txt")).toBe("new ✓");
    expect(read(opened, "b.txt")).toBe("b");
    expect(readFileSync(join(opened.directory, "deep/er/c.bin"))).toEqual(Buffer.from([0, 255, 10]));
    expect(root.read("t/a.txt")).toBe("old");
  });

  it.each([
    ["../out.txt", "the path leads out of the workspace"],
    ["a/../../out.txt", "the path leads out of the workspace"],
    ["/tmp/out.txt", "the path must be relative to the workspace"],
    [".", "the path names no file"],
    ["a/", "the path names no file"],
    ["a\0b", "the path holds a NUL"],
    ["way/out.txt", "'way' is a link"],
    ["link", "'link' is a link"],
    ["x/y", "a part of the path is not a directory (ENOTDIR)"],
    ["folder", "it is a directory (EISDIR)"],
  ])("refuses to write the file %j", async (path, why) => {
    const root = project({ "t/folder/x": "", "t/x": "" });
    symlinkSync("folder", root.path("t/way"));
    symlinkSync("x", root.path("t/link"));
    const context = trial(root);
    const { error } = await failure(
      root,
      { from: { template: root.path("t") }, files: { [path]: { content: "" } } },
      context,
    );
    expect(error).toMatch(/^the file '.*' can't be put into the workspace: /);
    expect(error).toContain(why);
    expect(readdirSync(context.scratch).filter((name) => name.startsWith("eval-banana-workspace"))).toEqual([]);
  });

  it("says which file to copy is not there", async () => {
    const root = project();
    const { error } = await failure(root, { files: { "a.txt": { from: root.path("nowhere") } } });
    expect(error).toBe(
      `the file 'a.txt' can't be put into the workspace: no such file or directory (ENOENT): ${root.path("nowhere")}`,
    );
  });

  it("is a fresh one for each run: what one target edits the other does not see", async () => {
    const root = project({ "t/a.txt": "one\n" });
    const run = suiteRun(root);
    const wanted = { from: { template: root.path("t") } };
    const [first, second] = await Promise.all([
      open(root, wanted, trialContext(run, "it", 1)),
      open(root, wanted, trialContext(run, "it", 2)),
    ]);
    writeFileSync(join(first.directory, "a.txt"), "first\n");
    writeFileSync(join(first.directory, "b.txt"), "first\n");
    expect(read(second, "a.txt")).toBe("one\n");
    expect(readdirSync(second.directory)).toEqual(["a.txt"]);
    expect(await second.recordChanges()).toEqual({ files: [], patch: null, leftOut: [] });
    expect(await first.recordChanges()).toMatchObject({ files: [{ path: "a.txt" }, { path: "b.txt" }] });
    expect(root.read("t/a.txt")).toBe("one\n");
  });

  it("names no repository in the environment: none of the variables that git itself counts as such", async () => {
    const root = project();
    const local = git(root.root, "rev-parse", "--local-env-vars").split("\n");
    const names = local.filter((name) => name !== "GIT_CONFIG_COUNT");
    const env = { ...cleanEnv(), ...Object.fromEntries(names.map((name) => [name, "x"])), GIT_AUTHOR_NAME: "Ann" };
    const opened = await open(root, { setup: ["env > env.txt"] }, trial(root, { env }));
    const seen = read(opened, "env.txt").split("\n");
    expect(names).toContain("GIT_INDEX_FILE");
    expect(seen.filter((line) => names.includes(line.split("=")[0] ?? ""))).toEqual([]);
    expect(seen).toContain("GIT_AUTHOR_NAME=Ann");
    expect(seen).toContain(`GIT_CEILING_DIRECTORIES=${dirname(opened.directory)}`);
    expect(seen).toContain(`EVAL_BANANA_WORKSPACE=${opened.directory}`);
    expect(await opened.recordChanges()).toEqual({ files: [], patch: null, leftOut: [] });
  });

  it("is refused in the project, in the folder of the suite, and in the repository around them", async () => {
    const outer = temporaryDirectory();
    git(outer, "init", "--quiet");
    const root = project({ "evals/suite.yaml": "" });
    const inner = project({}).root;
    const within = (place: string) => ({ env: { ...cleanEnv(), EVAL_BANANA_WORKSPACES: place } });
    expect((await failure(root, {}, trial(root, within(root.path("tmp"))))).error).toBe(
      `workspaces can't be made in ${root.path("tmp")}: it lies in ${root.root}, where a target would find the suite; set EVAL_BANANA_WORKSPACES to a directory elsewhere`,
    );
    expect((await failure(root, {}, trial(root, within("relative")))).error).toContain("it lies in");
    expect([root.has("tmp"), root.has("relative")]).toEqual([false, false]);
    const link = join(outer, "link");
    symlinkSync(root.path("evals"), link);
    expect((await failure(root, {}, trial(root, within(link)))).error).toContain(`it lies in ${root.path("evals")}`);
    expect(inner).not.toBe(outer);
    const part = new Project(join(outer, "part"));
    part.write({ "evals/suite.yaml": "" });
    expect((await failure(part, {}, trial(part, within(join(outer, "tmp"))))).error).toContain(
      `the repository ${outer} is around it, in which a target would find the suite`,
    );
  });
});

describe("keep", () => {
  const place = () => {
    const base = temporaryDirectory();
    return { base, env: { ...cleanEnv(), EVAL_BANANA_WORKSPACES: base } };
  };

  it.each([
    ["never", true, false],
    ["never", false, false],
    ["on_failure", true, false],
    ["on_failure", false, true],
    ["always", true, true],
    ["always", false, true],
  ] as const)("%s, and the case passed: %s: it is kept: %s", async (keep, passed, kept) => {
    const root = project();
    const { base, env } = place();
    const opened = await open(root, { keep, files: { a: { content: "a" } } }, trial(root, { env }));
    expect(opened.directory.startsWith(base)).toBe(true);
    expect((await opened.finish({ passed })).kept).toBe(kept ? opened.directory : null);
    expect(existsSync(join(opened.directory, "a"))).toBe(kept);
    expect(readdirSync(base)).toHaveLength(kept ? 1 : 0);
  });

  it("what is never kept goes with the run, what may be kept outlives it", async () => {
    const root = project();
    const context = trial(root);
    expect((await open(root, { keep: "never" }, context)).directory.startsWith(context.scratch)).toBe(true);
    const kept = await open(root, { keep: "on_failure" }, context);
    expect(kept.directory.startsWith(context.scratch)).toBe(false);
    await kept.finish({ passed: true });
    expect(existsSync(kept.directory)).toBe(false);
  });

  it("keeps the workspace whose setup failed, and says where", async () => {
    const root = project();
    const { env } = place();
    const failed = await failure(root, { keep: "on_failure", setup: ["echo x > made; exit 3"] }, trial(root, { env }));
    expect(readFileSync(join(failed.kept ?? "", "made"), "utf8")).toBe("x\n");
  });

  it("removes directories that can't be written to, and follows no link out of the workspace", async () => {
    const root = project({ "precious/a": "a" });
    const opened = await open(root, {});
    mkdirSync(join(opened.directory, "closed", "deep"), { recursive: true });
    chmodSync(join(opened.directory, "closed", "deep"), 0o000);
    chmodSync(join(opened.directory, "closed"), 0o555);
    symlinkSync(root.path("precious"), join(opened.directory, "out"));
    expect((await opened.finish({ passed: true })).warnings).toEqual([]);
    expect(existsSync(opened.directory)).toBe(false);
    expect(root.read("precious/a")).toBe("a");
  });

  it("does not remove what was put in the place of its directory", async () => {
    const root = project({ "precious/a": "a" });
    const opened = await open(root, {});
    const room = dirname(opened.directory);
    renameSync(room, `${room}.moved`);
    symlinkSync(root.path("precious"), room);
    const { warnings } = await opened.finish({ passed: true });
    expect(warnings).toEqual([`the workspace ${room} can't be removed: it is not the directory that was made`]);
    expect(root.read("precious/a")).toBe("a");
  });
});

describe("setup and teardown", () => {
  it("run in the workspace, before and after; what they print is kept, and their work is part of the beginning", async () => {
    const root = project();
    const run = suiteRun(root);
    const opened = await open(
      root,
      {
        setup: ["echo one > made.txt; echo says", "cat made.txt >> twice.txt; echo err >&2"],
        teardown: [`cp made.txt "${root.path("torn.txt")}"; echo bye`],
      },
      trialContext(run, "it", 2),
    );
    expect(read(opened, "twice.txt")).toBe("one\n");
    expect(Object.keys(opened.evidence)).toEqual(["setup-1.stdout", "setup-2.stderr"]);
    expect(readFileSync(join(run.runDir, opened.evidence["setup-1.stdout"] ?? ""), "utf8")).toBe("says\n");
    expect(opened.evidence["setup-2.stderr"]).toMatch(/^cases\/it-[0-9a-f]+\/run-2\/setup-2\.stderr\.txt$/);
    expect(await opened.recordChanges()).toEqual({ files: [], patch: null, leftOut: [] });
    const { evidence } = await opened.finish({ passed: true });
    expect(Object.keys(evidence)).toEqual(["teardown-1.stdout"]);
    expect(root.read("torn.txt")).toBe("one\n");
  });

  it("a command that fails is the reason, with its exit code and what it said; the next ones don't run, teardown does", async () => {
    const root = project();
    const failed = await failure(root, {
      setup: ["true", "echo first >&2; echo broken >&2; exit 7", `touch "${root.path("never")}"`],
      teardown: [`touch "${root.path("torn")}"`],
    });
    expect(failed.error).toBe("setup `echo first >&2; echo broken >&2; exit 7` ended with exit code 7: first ⏎ broken");
    expect(Object.keys(failed.evidence)).toEqual(["setup-2.stderr"]);
    expect([root.has("never"), root.has("torn")]).toEqual([false, true]);
  });

  it("a command is ended at its limit, with its tree", async () => {
    const root = project();
    const context = trial(root);
    const failed = await openWorkspace(workspace({ setup: ["echo $$ > pid; sleep 60 & sleep 60"] }), {
      context,
      suiteFolder: root.path("evals"),
      setupTimeoutMs: 300,
    });
    expect(failed).toMatchObject({ error: expect.stringContaining("did not end within 0.3 s") });
  });

  it("an interrupt ends setup; teardown runs all the same", async () => {
    const root = project();
    const controller = new AbortController();
    const opening = openWorkspace(
      workspace({ setup: [`touch "${root.path("begun")}"; sleep 60`], teardown: [`touch "${root.path("torn")}"`] }),
      { context: trial(root, { signal: controller.signal }), suiteFolder: root.path("evals") },
    );
    await until("setup runs", () => root.has("begun"));
    controller.abort();
    expect(await opening).toMatchObject({ error: "interrupted", kept: null });
    expect(root.has("torn")).toBe(true);
  });

  it("a teardown that fails is a warning, and the next one runs", async () => {
    const root = project();
    const opened = await open(root, { teardown: ["echo no >&2; exit 1", `touch "${root.path("torn")}"`] });
    const { warnings } = await opened.finish({ passed: true });
    expect(warnings).toEqual(["teardown `echo no >&2; exit 1` ended with exit code 1: no"]);
    expect(root.has("torn")).toBe(true);
  });

  it.skipIf(process.platform !== "linux")(
    "a server that setup started lives until the end, and not longer",
    async () => {
      const root = project();
      const opened = await open(root, {
        setup: ["rm -f pid; mkfifo f; setsid sh -c 'echo $$ > pid; : < f' & until [ -s pid ]; do :; done"],
      });
      const pid = Number(read(opened, "pid"));
      expect(existsSync(`/proc/${pid}`)).toBe(true);
      await opened.finish({ passed: true });
      expect([undefined, "Z"]).toContain(processState(pid));
    },
  );

  it("secrets are masked in what they print, and in the reason", async () => {
    const root = project();
    const env = { ...cleanEnv(), MY_TOKEN: "hush-hush-1" };
    const redactor = createRedactor({ env, names: [] });
    const run = suiteRun(root, { env, redactor });
    const failed = await failure(root, { setup: ["echo $MY_TOKEN >&2; exit 1"] }, trialContext(run, "it", 1));
    expect(failed.error).toBe("setup `echo $MY_TOKEN >&2; exit 1` ended with exit code 1: ***MY_TOKEN***");
    expect(readFileSync(join(run.runDir, failed.evidence["setup-1.stderr"] ?? ""), "utf8")).toBe("***MY_TOKEN***\n");
  });
});

describe("without git", () => {
  const withoutGit = () => ({ env: { ...cleanEnv(), PATH: "/nowhere" } });

  it("a workspace works, and only its changes can't be told", async () => {
    const root = project({ "t/.gitignore": "*.log\n", "t/a.txt": "a", "t/b.log": "b" });
    const opened = await open(root, { from: { template: root.path("t") } }, trial(root, withoutGit()));
    expect(readdirSync(opened.directory).sort()).toEqual([".gitignore", "a.txt"]);
    expect(await opened.recordChanges()).toEqual({
      error: "changes of files: git was not found: install it, or put it on the PATH",
    });
    expect((await opened.finish({ passed: true })).warnings).toEqual([]);
  });

  it("a repository can't be checked out", async () => {
    const root = project();
    const { error } = await failure(root, { from: { repo: root.root, ref: "main" } }, trial(root, withoutGit()));
    expect(error).toBe("a workspace from a repository: git was not found: install it, or put it on the PATH");
  });
});
