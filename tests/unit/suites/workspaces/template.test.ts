import { execFileSync } from "node:child_process";
import {
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { copyTemplate } from "../../../../src/suites/workspaces/template.js";
import { cleanEnv, type Project, project, temporaryDirectory } from "../../../helpers/project.js";
import { git, trial } from "../../../helpers/trial.js";

const PATH = { git: {}, "no git": { env: { ...cleanEnv(), PATH: "/nowhere" } } };

/** Copies a template of a project; returns where to, or why not. */
async function copy(root: Project, template: string, more: Parameters<typeof trial>[1] = {}) {
  const to = temporaryDirectory();
  const context = trial(root, more);
  const why = await copyTemplate(root.path(template), { to, context, suiteFolder: root.path("evals") });
  return why ?? { to };
}

/** All below a directory, `name/` for a directory, sorted. */
function list(directory: string, path = ""): string[] {
  return readdirSync(join(directory, path), { withFileTypes: true })
    .flatMap((entry) => {
      const name = path === "" ? entry.name : `${path}/${entry.name}`;
      return entry.isDirectory() ? [`${name}/`, ...list(directory, name)] : [name];
    })
    .sort();
}

async function copied(root: Project, template: string, more: Parameters<typeof trial>[1] = {}): Promise<string[]> {
  const result = await copy(root, template, more);
  if (typeof result === "string") throw new Error(result);
  return list(result.to);
}

describe("a template", () => {
  it("is copied with executable bits, empty directories, links, and names of any bytes", async () => {
    const names = ["ä b.txt", "new\nline", 'quo"te', "-dash", "tab\t", "#hash", "%20", " "];
    const root = project(Object.fromEntries(names.map((name) => [`t/${name}`, name])));
    root.writeProgram("t/run.sh", "#!/bin/sh\n");
    mkdirSync(root.path("t/empty/deeper"), { recursive: true });
    const odd = Buffer.concat([Buffer.from(`${root.path("t")}/`), Buffer.from([0xff, 0xfe, 0x61])]);
    writeFileSync(odd, "odd");
    symlinkSync("run.sh", root.path("t/link"));
    symlinkSync("nowhere", root.path("t/dangling"));
    symlinkSync("../run.sh", root.path("t/empty/up"));
    execFileSync("mkfifo", [root.path("t/pipe")]);

    const result = await copy(root, "t");
    if (typeof result === "string") throw new Error(result);
    const { to } = result;
    expect(list(to)).toEqual(list(root.path("t")).filter((name) => name !== "pipe"));
    expect(statSync(join(to, "run.sh")).mode & 0o777).toBe(0o755);
    expect(readFileSync(Buffer.concat([Buffer.from(`${to}/`), Buffer.from([0xff, 0xfe, 0x61])]), "utf8")).toBe("odd");
    const links = ["link", "dangling", "empty/up"].map((name) => readlinkSync(join(to, name)));
    expect(links).toEqual(["run.sh", "nowhere", "../run.sh"]);
  });

  it.each([
    ["/etc/passwd", "/etc/passwd"],
    ["../outside", "../outside"],
    ["folder/../../outside", "folder/../../outside"],
    // By its words it stays inside; by way of another link it does not.
    ["deep/way/../../../x", "deep/way/../../../x"],
  ])("is refused with a link to %s", async (target, leads) => {
    const root = project({ "outside/secret": "s", x: "", "t/folder/a": "", "t/deep/one": "" });
    symlinkSync("../folder", root.path("t/deep/way"));
    symlinkSync(target, root.path("t/link"));
    expect(await copy(root, "t")).toMatch(`the link 'link' in the template leads out of it, to '${leads}'`);
  });

  it("is refused where it is not there, is a file, or is the folder of the suite", async () => {
    const root = project({ file: "", "evals/suite.yaml": "" });
    expect(await copy(root, "nowhere")).toBe(`the template is not a directory: ${root.path("nowhere")}`);
    expect(await copy(root, "file")).toBe(`the template is not a directory: ${root.path("file")}`);
    expect(await copy(root, "evals")).toMatch(/^the template is the folder of the suite itself/);
  });

  it("that is the whole project comes without the suite, eb's own directory and the repository", async () => {
    const root = project({ "a.txt": "", "evals/suite.yaml": "", ".eval-banana/config.toml": "", "src/evals/b": "" });
    git(root.root, "init", "--quiet");
    expect(await copied(root, ".")).toEqual(["a.txt", "src/", "src/evals/", "src/evals/b"]);
  });

  it("keeps a repository in it whole", async () => {
    const root = project({ "t/a": "", "t/inner/b": "" });
    git(root.path("t/inner"), "init", "--quiet");
    expect(await copied(root, "t")).toContain("inner/.git/HEAD");
  });

  it("of 2,000 files is copied whole", async () => {
    const root = project({ "t/.gitignore": "*.log\n" });
    for (let folder = 0; folder < 20; folder++) {
      mkdirSync(root.path(`t/${folder}`));
      for (let file = 0; file < 100; file++) writeFileSync(root.path(`t/${folder}/${file}.txt`), `${file}`);
    }
    expect(await copied(root, "t")).toHaveLength(2021);
  });
});

describe.each(Object.entries(PATH))(".gitignore, with %s", (_, more) => {
  it("counts in every directory, the nearest last, with negation", async () => {
    const root = project({
      "t/.gitignore": "*.log\n/only-here\nbuild/\n!keep.log\n",
      "t/a.log": "",
      "t/keep.log": "",
      "t/only-here": "",
      "t/sub/only-here": "",
      "t/build/x": "",
      "t/sub/build/x": "",
      "t/sub/.gitignore": "!b.log\n*.tmp\nsecret/*\n!secret/open\n",
      "t/sub/a.log": "",
      "t/sub/b.log": "",
      "t/sub/c.tmp": "",
      "t/sub/secret/closed": "",
      "t/sub/secret/open": "",
      "t/c.tmp": "",
    });
    expect(await copied(root, "t", more)).toEqual([
      ".gitignore",
      "c.tmp",
      "keep.log",
      "sub/",
      "sub/.gitignore",
      "sub/b.log",
      "sub/only-here",
      "sub/secret/",
      "sub/secret/open",
    ]);
  });

  it("of the repository around counts, too, unless it ignores the template itself", async () => {
    const files = { "t/node_modules/x/y": "", "t/a.log": "", "t/.gitignore": "b\n", "t/a": "", "t/b": "" };
    const root = project({ ...files, ".gitignore": "node_modules/\n/t/*.log\n" });
    git(root.root, "init", "--quiet");
    expect(await copied(root, "t", more)).toEqual([".gitignore", "a"]);
    root.write({ ".gitignore": "node_modules/\n/t/\n" });
    root.write({ "t/sub/c": "" });
    expect(await copied(root, "t/sub", more)).toEqual(["c"]);
    expect(await copied(root, "t", more)).toEqual([
      ".gitignore",
      "a",
      "a.log",
      "node_modules/",
      "node_modules/x/",
      "node_modules/x/y",
      "sub/",
      "sub/c",
    ]);
  });

  it("keeps a directory of which all is ignored, empty", async () => {
    const root = project({ "t/.gitignore": "*.log\n", "t/logs/a.log": "" });
    expect(await copied(root, "t", more)).toEqual([".gitignore", "logs/"]);
  });
});

describe("a template in a repository", () => {
  it("comes as it is on the disk: with what is tracked though ignored, without what was deleted", async () => {
    const root = project({ "t/.gitignore": "*.log\n", "t/forced.log": "", "t/other.log": "", "t/gone": "" });
    git(root.root, "init", "--quiet");
    git(root.root, "add", "--force", "t/forced.log", "t/gone");
    execFileSync("rm", [root.path("t/gone")]);
    expect(await copied(root, "t")).toEqual([".gitignore", "forced.log"]);
  });

  it.skipIf(process.getuid?.() !== 0)("that belongs to someone else is copied by the same patterns", async () => {
    const root = project({ ".gitignore": "*.log\n", "t/a.log": "", "t/a.txt": "" });
    git(root.root, "init", "--quiet");
    for (const path of [root.root, root.path(".git")]) chownSync(path, 65534, 65534);
    expect(() => git(root.path("t"), "ls-files")).toThrow();
    expect(await copied(root, "t")).toEqual(["a.txt"]);
  });

  it("that the user ignores for all repositories counts nothing", async () => {
    const root = project({ "t/a.log": "", "home/.config/git/ignore": "*.log\n" });
    git(root.root, "init", "--quiet");
    const env = { ...cleanEnv(), HOME: root.path("home"), XDG_CONFIG_HOME: root.path("home/.config") };
    expect(await copied(root, "t", { env })).toEqual(["a.log"]);
    execFileSync("rm", ["-r", root.path(".git")]);
    expect(await copied(root, "t", { env })).toEqual(["a.log"]);
  });
});

describe("without git the same is left out as with it:", () => {
  const paths =
    "a/b/z,a/z,a/b/keep.o,k.o,keep.o,b/q/r,q,ab,cd,#x,!y,d e,xzy,xy,B,\u00e4,t.l,deep/a/b/q,deep/.hidden".split(",");

  it.each([
    [["*.o", "!keep.o"]],
    [["/a/**/z", "**/q", "b/**"]],
    [["a/", "!a/b"]],
    [["[a-c]?", "\\#x", "\\!y", "d e", "trailing\\ "]],
    [["# comment", "", "   ", "x*y", "!xzy"]],
    [["/*", "!/a", "/a/*", "!/a/b"]],
    [["a\r", "B", "\u00e4", "[!x]?.l", "t?l"]],
    [["deep/*", "!deep/a", "**/.hidden", "a/b/"]],
    [["*", "!*/", "!*.o", "!.gitignore"]],
  ])("%j", async (lines) => {
    const root = project(Object.fromEntries(paths.map((path) => [`t/${path}`, ""])));
    root.write({ "t/.gitignore": `${lines.join("\n")}\n` });
    const withGit = await copied(root, "t");
    expect(withGit.length).toBeLessThan(paths.length + 9);
    expect(await copied(root, "t", PATH["no git"])).toEqual(withGit);
  });
});
