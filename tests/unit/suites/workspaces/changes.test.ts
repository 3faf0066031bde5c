import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createRedactor } from "../../../../src/core/redact.js";
import type { TrialContext } from "../../../../src/suites/trial-context.js";
import { trialContext } from "../../../../src/suites/trial-context.js";
import { type Changes, isRecorded, parseChanges } from "../../../../src/suites/workspaces/changes.js";
import { type OpenWorkspace, openWorkspace } from "../../../../src/suites/workspaces/open.js";
import { eventually } from "../../../helpers/eventually.js";
import { cleanEnv, type Project, project, temporaryDirectory } from "../../../helpers/project.js";
import { git, suiteRun, trial, workspace } from "../../../helpers/trial.js";

async function open(root: Project, template: string, context = trial(root)): Promise<OpenWorkspace> {
  const wanted = workspace({ from: { template: root.path(template) } });
  const opened = await openWorkspace(wanted, { context, suiteFolder: root.path("evals") });
  if ("error" in opened) throw new Error(opened.error);
  return opened;
}

async function changesOf(opened: OpenWorkspace): Promise<Changes> {
  const changes = await opened.recordChanges();
  if ("error" in changes) throw new Error(changes.error);
  return changes;
}

/** What a tree holds: kind, executable or not, content; by path. */
function contentOf(directory: string, path = ""): Record<string, string> {
  return Object.assign(
    {},
    ...readdirSync(Buffer.from(join(directory, path), "latin1"), { withFileTypes: true, encoding: "latin1" }).map(
      (entry) => {
        const name = path === "" ? entry.name : `${path}/${entry.name}`;
        const file = Buffer.from(join(directory, name), "latin1");
        if (entry.isDirectory()) return contentOf(directory, name);
        if (entry.isSymbolicLink()) return { [name]: `link ${readlinkSync(file)}` };
        const mode = statSync(file).mode & 0o100 ? "program" : "file";
        return { [name]: `${mode} ${readFileSync(file).toString("latin1")}` };
      },
    ),
  );
}

/** Applies the patch to a fresh copy of the template; returns what is there then. */
function applied(root: Project, template: string, { patch }: Changes, { runDir }: TrialContext) {
  const copy = temporaryDirectory();
  cpSync(root.path(template), copy, { recursive: true, verbatimSymlinks: true });
  git(copy, "apply", "--whitespace=nowarn", join(runDir, patch ?? "no patch"));
  return contentOf(copy);
}

const lines = (count: number, word = "line") => Array.from({ length: count }, (_, at) => `${word} ${at}\n`).join("");

describe("changes of files", () => {
  it("are told for files of every kind, and the patch makes the same tree of a fresh copy", async () => {
    const root = project({
      "t/text.txt": lines(10),
      "t/deleted.txt": "a\nb\n",
      "t/renamed.txt": lines(20, "moved"),
      "t/rewritten.txt": lines(20, "kept"),
      "t/mode.sh": "#!/bin/sh\n",
      "t/binary.bin": Buffer.from([0, 1, 2, 255, 254]),
      "t/to-link": "x\n",
      "t/to-folder": "y\n",
      "t/folder/to-file": "z\n",
      "t/empty-deleted": "",
      "t/no-newline": "end",
      "t/crlf.txt": "a\r\nb\r\n",
      "t/same.txt": "same\n",
    });
    symlinkSync("same.txt", root.path("t/link"));
    const context = trial(root);
    const opened = await open(root, "t", context);
    const at = (path: string) => join(opened.directory, path);
    writeFileSync(at("text.txt"), lines(10).replace("line 4\n", "new\nand new\n"));
    rmSync(at("deleted.txt"));
    renameSync(at("renamed.txt"), at("ünder a name.txt"));
    rmSync(at("rewritten.txt"));
    mkdirSync(at("new"));
    writeFileSync(at("new/rewritten.txt"), `${lines(20, "kept")}and more\n`);
    chmodSync(at("mode.sh"), 0o755);
    writeFileSync(at("binary.bin"), Buffer.from([0, 1, 3, 255, 254, 0]));
    writeFileSync(at("added.bin"), Buffer.from([0, 0xff]));
    for (const path of ["to-link", "to-folder", "empty-deleted"]) rmSync(at(path));
    symlinkSync("text.txt", at("to-link"));
    mkdirSync(at("to-folder"));
    writeFileSync(at("to-folder/inside"), "i\n");
    rmSync(at("folder"), { recursive: true });
    writeFileSync(at("folder"), "now a file\n");
    rmSync(at("link"));
    symlinkSync("text.txt", at("link"));
    writeFileSync(at("empty-added"), "");
    writeFileSync(at("no-newline"), "end\n");
    writeFileSync(at("crlf.txt"), "a\nb\r\n");
    writeFileSync(at('quo"te\nnew line\t'), "odd\n");

    const changes = await changesOf(opened);
    expect([...changes.files].sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: "added.bin", status: "added", added: null, removed: null },
      { path: "binary.bin", status: "modified", added: null, removed: null },
      { path: "crlf.txt", status: "modified", added: 1, removed: 1 },
      { path: "deleted.txt", status: "deleted", added: 0, removed: 2 },
      { path: "empty-added", status: "added", added: 0, removed: 0 },
      { path: "empty-deleted", status: "deleted", added: 0, removed: 0 },
      { path: "folder", status: "added", added: 1, removed: 0 },
      { path: "folder/to-file", status: "deleted", added: 0, removed: 1 },
      { path: "link", status: "modified", added: 1, removed: 1 },
      { path: "mode.sh", status: "modified", added: 0, removed: 0 },
      { path: "new/rewritten.txt", from: "rewritten.txt", status: "renamed", added: 1, removed: 0 },
      { path: "no-newline", status: "modified", added: 1, removed: 1 },
      { path: 'quo"te\nnew line\t', status: "added", added: 1, removed: 0 },
      { path: "text.txt", status: "modified", added: 2, removed: 1 },
      { path: "to-folder", status: "deleted", added: 0, removed: 1 },
      { path: "to-folder/inside", status: "added", added: 1, removed: 0 },
      { path: "to-link", status: "modified", added: 1, removed: 1 },
      { path: "ünder a name.txt", from: "renamed.txt", status: "renamed", added: 0, removed: 0 },
    ]);
    expect(changes.patch).toBe(`${context.prefix}/changes.patch`);
    const now = contentOf(opened.directory);
    expect(applied(root, "t", changes, context)).toEqual(now);
    expect(Object.keys(now)).toContain("to-folder/inside");
  });

  it("are none where nothing changed, and no patch is written; time stamps are no change", async () => {
    const root = project({ "t/a.txt": "a\n" });
    const context = trial(root);
    const opened = await open(root, "t", context);
    utimesSync(join(opened.directory, "a.txt"), 1, 1);
    mkdirSync(join(opened.directory, "empty"));
    expect(await opened.recordChanges()).toEqual({ files: [], patch: null, leftOut: [] });
    expect(readdirSync(join(context.runDir, "cases"))).toEqual([]);
  });

  it("are found where size and time stamp are the same", async () => {
    const root = project({ "t/a.txt": "old\n" });
    const opened = await open(root, "t");
    const path = join(opened.directory, "a.txt");
    const { atime, mtime } = statSync(path);
    writeFileSync(path, "new\n");
    utimesSync(path, atime, mtime);
    expect((await changesOf(opened)).files).toMatchObject([{ path: "a.txt", status: "modified" }]);
  });

  it("are found where a file was written in the second in which it was laid out, and the target went on for longer", async () => {
    const root = project({ "t/a.txt": "old\n" });
    const second = (path: string) => Math.floor(statSync(path).ctimeMs / 1000);
    const opened = await eventually(async () => {
      const each = await open(root, "t");
      const path = join(each.directory, "a.txt");
      const before = second(path);
      writeFileSync(path, "new\n");
      return second(path) === before && each;
    }, "a workspace that is laid out within a second");
    const written = second(join(opened.directory, "a.txt"));
    await eventually(() => Date.now() >= (written + 1) * 1000 + 50, "the next second");
    expect((await changesOf(opened)).files).toMatchObject([{ path: "a.txt", status: "modified" }]);
  });

  it("begin from nothing in an empty workspace, and may leave nothing", async () => {
    const root = project({ "t/a.txt": "a\n" });
    mkdirSync(root.path("empty"));
    const opened = await open(root, "empty");
    writeFileSync(join(opened.directory, "b.txt"), "b\n");
    expect((await changesOf(opened)).files).toEqual([{ path: "b.txt", status: "added", added: 1, removed: 0 }]);
    const other = await open(root, "t");
    rmSync(join(other.directory, "a.txt"));
    expect((await changesOf(other)).files).toEqual([{ path: "a.txt", status: "deleted", added: 0, removed: 1 }]);
  });

  it("hold what .gitignore ignores, and what .gitattributes would hide or convert", async () => {
    const root = project({
      "t/.gitignore": "*.log\n",
      "t/.gitattributes": "*.txt text eol=crlf -diff\n*.id ident\n*.f filter=evil\n",
      "t/a.txt": "one\ntwo\n",
      "t/b.id": "$Id$\n",
    });
    const context = trial(root);
    const opened = await open(root, "t", context);
    writeFileSync(join(opened.directory, "out.log"), "log\n");
    writeFileSync(join(opened.directory, "a.txt"), "one\r\ntwo\n");
    writeFileSync(join(opened.directory, "b.id"), "$Id: changed $\n");
    const changes = await changesOf(opened);
    expect(changes.files).toEqual([
      { path: "a.txt", status: "modified", added: 1, removed: 1 },
      { path: "b.id", status: "modified", added: 1, removed: 1 },
      { path: "out.log", status: "added", added: 1, removed: 0 },
    ]);
    expect(applied(root, "t", changes, context)).toEqual(contentOf(opened.directory));
  });

  it("hold the files of a repository inside, but not what is git's own, nor what is made again", async () => {
    const root = project({ "t/a.txt": "", "t/inner/b.txt": "b\n" });
    git(root.path("t/inner"), "init", "--quiet");
    git(root.path("t/inner"), "add", "--all");
    git(root.path("t/inner"), "commit", "--quiet", "-m", "one");
    const opened = await open(root, "t");
    const at = (path: string) => join(opened.directory, path);
    writeFileSync(at("inner/b.txt"), "changed\n");
    git(at("inner"), "commit", "--quiet", "--all", "-m", "two");
    git(opened.directory, "init", "--quiet");
    for (const folder of ["node_modules/x", "pkg/__pycache__", ".venv/bin"]) {
      mkdirSync(at(folder), { recursive: true });
      writeFileSync(at(`${folder}/made`), "");
    }
    writeFileSync(at("pkg/node_modules"), "a file of that name\n");
    expect((await changesOf(opened)).files).toEqual([
      { path: "inner/b.txt", status: "modified", added: 1, removed: 1 },
      { path: "pkg/node_modules", status: "added", added: 1, removed: 0 },
    ]);
  });

  it("survive what git itself refuses, and what is no file", async () => {
    const root = project({ "t/a.txt": "a\n" });
    const opened = await open(root, "t");
    const at = (path: string) => join(opened.directory, path);
    mkdirSync(at("sub/.GIT"), { recursive: true });
    writeFileSync(at("sub/.GIT/x"), "");
    symlinkSync("a.txt", at(".gitmodules"));
    symlinkSync("/etc", at("etc"));
    writeFileSync(at("git~1"), "g\n");
    writeFileSync(at("back\\slash"), "b\n");
    writeFileSync(Buffer.concat([Buffer.from(`${opened.directory}/`), Buffer.from([0x61, 0xff])]), "odd\n");
    execFileSync("mkfifo", [at("pipe")]);
    expect((await changesOf(opened)).files.map(({ path }) => path)).toEqual(["a\ufffd", "back\\slash", "etc", "git~1"]);
  });

  it("are found in what the target closed to its owner", async () => {
    const root = project({ "t/a.txt": "a\n", "t/sub/b.txt": "b\n" });
    const opened = await open(root, "t");
    writeFileSync(join(opened.directory, "a.txt"), "secret\n");
    chmodSync(join(opened.directory, "a.txt"), 0o000);
    writeFileSync(join(opened.directory, "sub/c.txt"), "c\n");
    chmodSync(join(opened.directory, "sub"), 0o000);
    expect((await changesOf(opened)).files.map(({ path }) => path)).toEqual(["a.txt", "sub/c.txt"]);
    expect(await opened.finish({ passed: true })).toMatchObject({ kept: null, warnings: [] });
  });

  it("a folder replaced by a link is deleted files, and the link", async () => {
    const root = project({ "t/src/a.txt": "a\n", "elsewhere/a.txt": "not ours\n" });
    const context = trial(root);
    const opened = await open(root, "t", context);
    rmSync(join(opened.directory, "src"), { recursive: true });
    symlinkSync(root.path("elsewhere"), join(opened.directory, "src"));
    const changes = await changesOf(opened);
    expect(changes.files).toMatchObject([
      { path: "src", status: "added" },
      { path: "src/a.txt", status: "deleted" },
    ]);
    expect(readFileSync(join(context.runDir, changes.patch ?? ""), "utf8")).not.toContain("not ours");
  });

  it("can't be told of a workspace that was replaced by a link, or is gone", async () => {
    const root = project({ "t/a.txt": "a\n", "elsewhere/b.txt": "" });
    const opened = await open(root, "t");
    rmSync(opened.directory, { recursive: true });
    const gone = { error: `the workspace is gone, or no directory any more: ${opened.directory}` };
    expect(await opened.recordChanges()).toEqual(gone);
    symlinkSync(root.path("elsewhere"), opened.directory);
    expect(await opened.recordChanges()).toEqual(gone);
  });

  it("do not depend on what the user has configured for git", async () => {
    const root = project({ "t/a.txt": "a\n", "t/b.txt": lines(9) });
    root.write({
      ".gitconfig":
        "[core]\n\tautocrlf = true\n\tquotePath = false\n[diff]\n\tnoprefix = true\n\trenames = false\n\texternal = false\n[color]\n\tui = always\n",
      ".config/git/attributes": "*.txt binary\n",
    });
    const env = { ...cleanEnv(), HOME: root.root, XDG_CONFIG_HOME: root.path(".config"), GIT_EXTERNAL_DIFF: "false" };
    const context = trial(root, { env });
    const opened = await open(root, "t", context);
    writeFileSync(join(opened.directory, "a.txt"), "a\r\n");
    renameSync(join(opened.directory, "b.txt"), join(opened.directory, "c.txt"));
    const changes = await changesOf(opened);
    expect(changes.files).toEqual([
      { path: "a.txt", status: "modified", added: 1, removed: 1 },
      { path: "c.txt", from: "b.txt", status: "renamed", added: 0, removed: 0 },
    ]);
    expect(readFileSync(join(context.runDir, changes.patch ?? ""), "utf8")).toMatch(
      /^diff --git a\/a\.txt b\/a\.txt\n/,
    );
  });

  it("are kept without secrets", async () => {
    const root = project({ "t/a.txt": "a\n" });
    const env = { ...cleanEnv(), MY_TOKEN: "hush-hush-1" };
    const run = suiteRun(root, { env, redactor: createRedactor({ env, names: [] }) });
    const opened = await open(root, "t", trialContext(run, "it", 1));
    writeFileSync(join(opened.directory, "a.txt"), "token=hush-hush-1\n");
    const { patch } = await changesOf(opened);
    const text = readFileSync(join(run.runDir, patch ?? ""), "utf8");
    expect(text).toContain("+token=***MY_TOKEN***\n");
  });

  it("are listed for a file that is too large for the patch", async () => {
    const root = project({ "t/a.txt": "a\n" });
    const context = trial(root);
    const opened = await open(root, "t", context);
    const name = "big [1]*.bin";
    writeFileSync(join(opened.directory, name), Buffer.alloc(20_000_001));
    const large = { path: name, status: "added", added: null, removed: null };
    expect(await changesOf(opened)).toEqual({ files: [large], patch: null, leftOut: [name] });
    writeFileSync(join(opened.directory, "a.txt"), "b\n");
    writeFileSync(join(opened.directory, "big 1.bin"), "small\n");
    const changes = await changesOf(opened);
    expect(changes).toMatchObject({ files: [{ path: "a.txt" }, { path: "big 1.bin" }, large], leftOut: [name] });
    rmSync(join(opened.directory, name));
    expect(applied(root, "t", changes, context)).toEqual(contentOf(opened.directory));
  });

  it("can be taken again, and of another directory", async () => {
    const root = project({ "t/a.txt": "a\n", "other/a.txt": "b\n", "other/c.txt": "" });
    const opened = await open(root, "t");
    writeFileSync(join(opened.directory, "x"), "");
    expect((await changesOf(opened)).files.map(({ path }) => path)).toEqual(["x"]);
    rmSync(join(opened.directory, "x"));
    expect((await changesOf(opened)).files).toEqual([]);
    expect(await opened.compareWith(root.path("other"))).toMatchObject({
      files: [{ path: "a.txt" }, { path: "c.txt", status: "added" }],
    });
  });
});

describe("parseChanges", () => {
  it("reads records that git 2.39 wrote", () => {
    const raw =
      ":100644 100644 aaaa bbbb M\0a.txt\0:100644 100644 aaaa cccc R087\0b\0c\0:000000 100644 0000 dddd A\0d\0";
    const numbers = "2\t1\ta.txt\0" + "1\t0\t\0b\0c\0" + "-\t-\td\0";
    expect(parseChanges(Buffer.from(raw + numbers))).toEqual([
      { path: "a.txt", status: "modified", added: 2, removed: 1 },
      { path: "c", from: "b", status: "renamed", added: 1, removed: 0 },
      { path: "d", status: "added", added: null, removed: null },
    ]);
    expect(parseChanges(Buffer.alloc(0))).toEqual([]);
  });
});

it.each([
  ["src/a.ts", true],
  [".github/x", true],
  ["node_modules/x/y", false],
  ["pkg/.venv/x", false],
  [".git/config", false],
])("isRecorded(%j) is %s", (path, recorded) => {
  expect(isRecorded(path)).toBe(recorded);
});
