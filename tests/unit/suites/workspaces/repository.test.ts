import { chownSync, existsSync, readdirSync, readFileSync, readlinkSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import type { RunContext } from "../../../../src/run/context.js";
import { trialContext } from "../../../../src/suites/trial-context.js";
import { checkOut, refuseSource } from "../../../../src/suites/workspaces/repository.js";
import { cleanEnv, type Project, project, temporaryDirectory } from "../../../helpers/project.js";
import { git, suiteRun } from "../../../helpers/trial.js";

/** A repository with a commit for each set of files, the first of them tagged v1; `next` is a later branch. */
function repository(...commits: Record<string, string>[]): Project {
  const root = project();
  git(root.root, "init", "--quiet", "--initial-branch=main");
  commits.forEach((files, index) => {
    root.write(files);
    git(root.root, "add", "--all");
    git(root.root, "commit", "--quiet", "-m", `commit ${index + 1}`);
    if (index === 0) git(root.root, "tag", "-a", "-m", "one", "v1");
  });
  return root;
}

interface Out {
  root: Project;
  run?: RunContext;
}

async function out(repo: string, ref: string, { root, run = suiteRun(root) }: Out): Promise<string> {
  const to = temporaryDirectory();
  const context = trialContext(run, "it", 1);
  const why = await checkOut({ repo, ref }, { to, context, suiteFolder: root.path("evals") });
  if (why !== undefined) throw new Error(why);
  return to;
}

/** Everything in a directory of files that is not the repository itself, so that it can be compared. */
function state(root: Project) {
  return {
    head: git(root.root, "rev-parse", "HEAD"),
    status: git(root.root, "--no-optional-locks", "status", "--porcelain"),
    refs: git(root.root, "for-each-ref"),
    worktrees: git(root.root, "worktree", "list"),
    index: statSync(root.path(".git/index")).mtimeMs,
    entries: readdirSync(root.path(".git")).sort(),
    config: root.read(".git/config"),
  };
}

describe("a commit", () => {
  it.each([
    ["a branch", () => "main", "two"],
    ["a tag", () => "v1", "one"],
    ["a full id", (root: Project) => git(root.root, "rev-parse", "v1^{commit}"), "one"],
    ["a short id", (root: Project) => git(root.root, "rev-parse", "--short", "v1^{commit}"), "one"],
    ["one before another", () => "main~1", "one"],
  ])("is checked out by %s, detached and clean", async (_, ref, content) => {
    const repo = repository({ "a.txt": "one" }, { "a.txt": "two" });
    const to = await out(repo.root, ref(repo), { root: project() });
    expect(readFileSync(join(to, "a.txt"), "utf8")).toBe(content);
    expect(git(to, "status", "--porcelain", "--branch")).toBe("## HEAD (no branch)");
    // Without a refresh before it: what scripts use to ask.
    expect(git(to, "diff-files", "--name-only")).toBe("");
  });

  it("comes with its history and nothing later, without a remote, a hook, or a word of where it came from", async () => {
    const repo = repository({ "a.txt": "one" }, { "a.txt": "two" }, { "a.txt": "three, the solution" });
    repo.writeProgram(".git/hooks/post-checkout", `#!/bin/sh\ntouch ${repo.path("hooked")}\n`);
    const later = git(repo.root, "rev-parse", "HEAD");
    const to = await out(repo.root, "main~1", { root: project() });
    expect(git(to, "log", "--all", "--format=%s", "HEAD")).toBe("commit 2\ncommit 1");
    expect(() => git(to, "cat-file", "-e", later)).toThrow();
    expect(git(to, "remote")).toBe("");
    expect(existsSync(join(to, ".git/hooks"))).toBe(false);
    expect(repo.has("hooked")).toBe(false);
    for (const file of ["config", "HEAD", "FETCH_HEAD", "logs/HEAD", "objects/info/alternates"]) {
      const path = join(to, ".git", file);
      if (existsSync(path)) expect(readFileSync(path, "utf8")).not.toContain(repo.root);
    }
  });

  it("leaves the repository as it is, and what is not committed out", async () => {
    const repo = repository({ "a.txt": "one" });
    repo.write({ "a.txt": "edited", "new.txt": "" });
    const before = state(repo);
    const to = await out(repo.root, "main", { root: project() });
    expect(readFileSync(join(to, "a.txt"), "utf8")).toBe("one");
    expect(readdirSync(to).sort()).toEqual([".git", "a.txt"]);
    expect(state(repo)).toEqual(before);
  });

  it("can be had from a shallow clone", async () => {
    const repo = repository({ "a.txt": "one" }, { "a.txt": "two" });
    const shallow = project();
    git(shallow.root, "clone", "--quiet", "--depth=1", pathToFileURL(repo.root).href, "clone");
    const to = await out(shallow.path("clone"), "main", { root: project() });
    expect(git(to, "log", "--format=%s")).toBe("commit 2");
  });

  it("can be had from a repository with other hashes", async () => {
    const repo = project({ "a.txt": "one" });
    git(repo.root, "init", "--quiet", "--initial-branch=main", "--object-format=sha256");
    git(repo.root, "add", "--all");
    git(repo.root, "commit", "--quiet", "-m", "one");
    expect(readFileSync(join(await out(repo.root, "main", { root: project() }), "a.txt"), "utf8")).toBe("one");
  });

  it("brings links as links, line ends as they are, no filter and no submodule", async () => {
    const inner = repository({ "inner.txt": "" });
    const repo = repository({ "crlf.txt": "a\r\nb\r\n", ".gitattributes": "*.txt filter=evil\n" });
    symlinkSync("/etc/passwd", repo.path("link"));
    git(repo.root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner.root, "sub");
    git(repo.root, "add", "--all");
    git(repo.root, "commit", "--quiet", "-m", "more");
    const home = project({ home: "" }).write({
      "h/.gitconfig":
        '[core]\n\tautocrlf = true\n[filter "evil"]\n\tsmudge = sed s/a/evil/\n[submodule]\n\trecurse = true\n',
    });
    const env = { ...cleanEnv(), HOME: home.path("h") };
    const root = project();
    const to = await out(repo.root, "main", { root, run: suiteRun(root, { env }) });
    expect(readFileSync(join(to, "crlf.txt"), "utf8")).toBe("a\r\nb\r\n");
    expect(readlinkSync(join(to, "link"))).toBe("/etc/passwd");
    expect(readdirSync(join(to, "sub"))).toEqual([]);
  });

  it("runs no hook that the user has for all repositories, and none that git gives to new ones", async () => {
    const repo = repository({ "a.txt": "one" });
    const home = project();
    for (const name of ["post-checkout", "reference-transaction", "post-index-change"]) {
      for (const folder of ["hooks", "template/hooks"]) {
        home.writeProgram(`${folder}/${name}`, `#!/bin/sh\ntouch ${home.path("hooked")}\n`);
      }
    }
    home.write({
      ".gitconfig": `[core]\n\thooksPath = ${home.path("hooks")}\n[init]\n\ttemplateDir = ${home.path("template")}\n`,
    });
    const root = project();
    const env = { ...cleanEnv(), HOME: home.root };
    await out(repo.root, "main", { root, run: suiteRun(root, { env }) });
    expect(home.has("hooked")).toBe(false);
  });

  it("that no branch ends with can be had, whatever protocol the user prefers", async () => {
    const repo = repository({ "a.txt": "one" }, { "a.txt": "two" }, { "a.txt": "three" });
    const root = project({ "home/.gitconfig": "[protocol]\n\tversion = 0\n" });
    const env = { ...cleanEnv(), HOME: root.path("home") };
    const to = await out(repo.root, "main~1", { root, run: suiteRun(root, { env }) });
    expect(readFileSync(join(to, "a.txt"), "utf8")).toBe("two");
  });

  it.skipIf(process.getuid?.() !== 0)("of someone else's repository needs the user's trust, as for git", async () => {
    const repo = repository({ "a.txt": "one" });
    for (const path of [repo.root, repo.path(".git")]) chownSync(path, 65534, 65534);
    const root = project({ "home/.gitconfig": "[safe]\n\tdirectory = *\n", "bare/x": "" });
    const as = (home: string) => ({ root, run: suiteRun(root, { env: { ...cleanEnv(), HOME: root.path(home) } }) });
    await expect(out(repo.root, "main", as("bare"))).rejects.toThrow("detected dubious ownership");
    expect(readdirSync(await out(repo.root, "main", as("home"))).sort()).toEqual([".git", "a.txt"]);
  });

  it("of a URL is a branch, a tag or a full id, and is fetched once in a run", async () => {
    const repo = repository({ "a.txt": "one" }, { "a.txt": "two" });
    const root = project();
    const run = suiteRun(root);
    const url = pathToFileURL(repo.root).href;
    const id = git(repo.root, "rev-parse", "main");
    const first = await Promise.all([1, 2, 3].map(() => out(url, "main", { root, run })));
    expect(first.map((to) => readFileSync(join(to, "a.txt"), "utf8"))).toEqual(["two", "two", "two"]);
    repo.write({ "a.txt": "three" });
    git(repo.root, "commit", "--quiet", "--all", "-m", "three");
    const contents = async (ref: string, more: Out) => readFileSync(join(await out(url, ref, more), "a.txt"), "utf8");
    expect(await contents("main", { root, run })).toBe("two");
    expect(await contents("main", { root })).toBe("three");
    expect(await contents("v1", { root })).toBe("one");
    expect(await contents(id, { root })).toBe("two");
  });

  it("of the repository that holds the suite comes alone, without the suite and without history", async () => {
    const root = repository(
      { "src/a.txt": "one", "evals/suite.yaml": "expected: 42", ".eval-banana/config.toml": "" },
      { "src/a.txt": "two" },
    );
    const to = await out(root.root, "main", { root });
    expect(readdirSync(to).sort()).toEqual([".git", "src"]);
    expect(git(to, "status", "--porcelain")).toBe("");
    expect(git(to, "log", "--all", "--format=%s", "HEAD")).toBe("The state of main");
    const objects = git(to, "cat-file", "--batch-check", "--batch-all-objects").split("\n");
    const blobs = objects.filter((line) => line.includes(" blob ")).map((line) => line.split(" ")[0] ?? "");
    expect(blobs.map((blob) => git(to, "cat-file", "blob", blob))).toEqual(["two"]);
  });
});

describe("a reason", () => {
  const reason = async (repo: string, ref: string) => {
    const root = project();
    return out(repo, ref, { root }).catch((error: Error) => error.message);
  };

  it("names a ref that does not exist, and the repository", async () => {
    const repo = repository({ "a.txt": "one" });
    expect(await reason(repo.root, "nowhere")).toBe(
      `'nowhere' of the repository ${repo.root} can't be had: Needed a single revision`,
    );
    const url = pathToFileURL(repo.root).href;
    expect(await reason(url, "nowhere")).toBe(
      `'nowhere' of the repository ${url} can't be had: couldn't find remote ref nowhere; of a URL, ref must be a branch, a tag or a full commit id`,
    );
  });

  it("says that there is no repository, also where one is further up", async () => {
    const repo = repository({ "sub/a.txt": "one" });
    expect(await reason(repo.path("nowhere"), "main")).toContain("there is no such directory");
    expect(await reason(repo.path("sub"), "main")).toContain("not a git repository");
    expect(await reason("file:///nowhere/at/all", "main")).toContain("can't be had: '/nowhere/at/all' does not appear");
  });

  it("does not show a password", async () => {
    const why = await reason("https://ann:hush@127.0.0.1:1/x.git", "main");
    expect(why).toContain("https://***@127.0.0.1:1/x.git");
    expect(why).not.toContain("hush");
  });
});

describe("what is never handed to git", () => {
  it.each([
    ["-upload-pack=touch x", "main"],
    ["--upload-pack=touch x", "main"],
    ["ext::sh -c touch% x", "main"],
    ["fd::17", "main"],
    ["::x", "main"],
    ["http://example.org/x.git", "main"],
    ["ftp://example.org/x.git", "main"],
    ["ssh://-oProxyCommand=touch/x", "main"],
    ["ssh://user@-oProxyCommand=touch/x", "main"],
    ["git@-oProxyCommand=touch:x", "main"],
    ["relative/path", "main"],
    ["/path", "-upload-pack=touch"],
    ["/path", "--all"],
    ["/path", ""],
    ["/path", "+main:refs/heads/x"],
    ["/path", "main:dir"],
    ["/path", "a..b"],
    ["/path", "refs/*"],
    ["/path", "main\nx"],
    ["/pa\0th", "main"],
  ])("repo %j with ref %j", (repo, ref) => {
    expect(refuseSource({ repo, ref })).toMatch(/^(repo|ref|the host in repo) .*must/);
  });

  it.each([
    "/path/to a/repo",
    "file:///path",
    "https://example.org/x.git",
    "https://user:x@example.org:8443/x.git",
    "ssh://git@example.org:22/x.git",
    "git://example.org/x.git",
    "git@example.org:team/x.git",
    "host:x.git",
  ])("but %j is", (repo) => {
    expect(refuseSource({ repo, ref: "feature/x@2" })).toBeUndefined();
  });
});
