import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { check, EB, type Project, project } from "../helpers/project.js";

/** The ids that `eb list` prints, in its order. */
async function idsIn(p: Project, ...args: string[]): Promise<string[]> {
  const { code, stdout, stderr } = await p.eb(["list", "--json", ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout).checks.map(({ check_id }: { check_id: string }) => check_id);
}

/** Project files by their paths, each a check with the id given. */
function checks(ids: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(ids).map(([path, id]) => [path, check(id, "pass")]));
}

describe("checks are found", () => {
  it("in every eval_checks/ at any depth, in order of their paths", async () => {
    const deep = `${"d/".repeat(200)}eval_checks/x.yaml`;
    const p = project({
      ...checks({
        "eval_checks/b.yaml": "b",
        "eval_checks/a.yml": "a",
        "eval_checks/sub/deep/c.yaml": "c",
        "eval_checks/sub/eval_checks/inner.yaml": "inner",
        "eval_checks/dir.yaml/d.yaml": "d",
        "eval_checks/.hidden/.e.yaml": "e",
        "pkg/eval_checks/f.yaml": "f",
        ".hidden/eval_checks/g.yaml": "g",
        [deep]: "deep",
        "eval_checks.yaml": "not-below",
        "other/x.yaml": "not-below-either",
        "eval_checks2/x.yaml": "another-name",
      }),
      "eval_checks/readme.md": "no check",
      "eval_checks/x.yaml.txt": "no check",
    });
    expect(await idsIn(p)).toEqual(["g", "deep", "e", "a", "b", "d", "c", "inner", "f"]);
  });

  it("whatever the names of files and directories are", async () => {
    const names = ["a b", "c:d", "#e", "f%20g", "-h", "ümläut 你", "[i]{j,k}(l)*?", "!m", "n\\o", "'p\"`q", "$t"];
    const files = names.flatMap((name, index) => [
      [`${name}/eval_checks/it.yaml`, `outer-${index}`],
      [`eval_checks/${name}/${name}.yaml`, `inner-${index}`],
    ]);
    const p = project(checks(Object.fromEntries(files)));
    const expected = files.map(([, id]) => id);
    expect((await idsIn(p)).sort()).toEqual(expected.sort());
    // They also run, and their names stay on one line.
    const { code, stdout } = await p.eb(["run", "--check-id", "inner-8"]);
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("PASSED  1 of 1 point") });
    expect(p.result("inner-8").source_path).toBe(p.path("eval_checks/n\\o/n\\o.yaml"));
    const list = await p.eb(["list"]);
    expect(list.stdout.trimEnd().split("\n")).toHaveLength(names.length * 2);
  });

  it("but not in directories that are excluded, nor in those of earlier runs", async () => {
    const excluded = [".git", ".hg", ".svn", ".venv", "venv", "node_modules", "__pycache__", "dist", "build"];
    const files = excluded.flatMap((name) => [
      [`${name}/eval_checks/a.yaml`, `above-${name.replace(".", "dot-")}`],
      [`eval_checks/sub/${name}/a.yaml`, `below-${name.replace(".", "dot-")}`],
    ]);
    const p = project({
      ...checks({
        "eval_checks/build.yaml": "kept",
        "my-dist/eval_checks/a.yaml": "kept-too",
        ".eval-banana/results/20240102_030405_0123abcd/checks/x/eval_checks/a.yaml": "evidence",
      }),
      ...checks(Object.fromEntries(files)),
    });
    expect(await idsIn(p)).toEqual(["kept", "kept-too"]);
    // Asked for by name, one is looked at.
    expect(await idsIn(p, "--check-dir", "dist")).toEqual(["above-dist"]);

    p.write({ ".eval-banana/config.toml": '[discovery]\nexclude_dirs = ["my-dist", "{sub,x}", "s*"]\n' });
    const ids = await idsIn(p);
    expect(ids).toHaveLength(1 + files.length);
    expect(ids).not.toContain("kept-too");
  });

  it("through links to files, once, and not through links to directories", async () => {
    const p = project(
      checks({ "things/real.yaml": "real", "things/eval_checks.d/x.yaml": "x", "eval_checks/own.yaml": "own" }),
    );
    p.write({ "things/by-path.txt": check("by-path", "pass").replace(/script: .*/s, "script_path: beside.py\n") });
    p.write({ "things/beside.py": "pass\n" });
    symlinkSync("../things/real.yaml", p.path("eval_checks/one.yaml"));
    symlinkSync("../things/real.yaml", p.path("eval_checks/two.yaml"));
    symlinkSync("own.yaml", p.path("eval_checks/three.yaml"));
    // What the link leads to is what counts: its name and its directory.
    symlinkSync("../things/by-path.txt", p.path("eval_checks/four.yaml"));
    symlinkSync("../things/eval_checks.d", p.path("eval_checks/linked"));
    symlinkSync("../things/eval_checks.d", p.path("eval_checks/linked.yaml"));
    symlinkSync(p.path("things/eval_checks.d"), p.path("things/eval_checks"));
    expect(await idsIn(p)).toEqual(["own", "by-path", "real"]);
    expect(await p.eb(["validate"])).toMatchObject({ code: 0, stdout: "3 checks valid\n" });
    // A link that is named is followed.
    expect(await idsIn(p, "--check-dir", "things/eval_checks")).toEqual(["x"]);
  });

  it("or named as what can't be read, each of them", async () => {
    const p = project(checks({ "eval_checks/ok.yaml": "ok" }));
    symlinkSync("nowhere", p.path("eval_checks/dangling.yaml"));
    symlinkSync("loop.yaml", p.path("eval_checks/loop.yaml"));
    execFileSync("mkfifo", [p.path("eval_checks/pipe.yaml")]);
    p.write(checks({ "eval_checks/r\ns/t.yaml": "t", "eval_checks/u\nv.yaml": "u" }));
    const { code, stdout, stderr } = await p.eb(["list"]);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^ok\t[^\n]*\nt\t[^\n]*r ⏎ s\/t\.yaml\nu\t[^\n]*u ⏎ v\.yaml\n$/);
    expect(stderr.split("\n").slice(1)).toEqual([
      expect.stringMatching(/^ {2}eval_checks\/dangling\.yaml: cannot be read: no such file or directory/),
      expect.stringMatching(/^ {2}eval_checks\/loop\.yaml: cannot be read: too many symbolic links/),
      "  eval_checks/pipe.yaml: cannot be read: it is not a regular file",
      "  3 problems in 3 files",
      "",
    ]);
  });
});

// Permissions don't bind root: as root, the program is run by an unprivileged user.
const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
const canDrop = spawnSync(process.execPath, [EB, "--version"], nobody).status === 0;

describe.skipIf(!canDrop)("without the right to read", () => {
  it("a directory or file among the checks is an error beside all others; one elsewhere is a warning", async () => {
    const p = project({
      ...checks({
        "eval_checks/a.yaml": "a",
        "eval_checks/closed/b.yaml": "b",
        "eval_checks/closed-too/b.yaml": "b2",
        "eval_checks/secret.yaml": "secret",
        "elsewhere/x": "x",
      }),
      "eval_checks/zz/bad.yaml": check("b d", "pass"),
    });
    chmodSync(p.root, 0o755);
    const closed = ["eval_checks/closed", "eval_checks/closed-too", "eval_checks/secret.yaml", "elsewhere"];
    for (const path of closed) chmodSync(p.path(path), 0);
    const { code, stdout, stderr } = await p.eb(["list"], nobody);
    for (const path of closed) chmodSync(p.path(path), 0o755);
    expect(code).toBe(2);
    expect(stdout).toMatch(/^a\t[^\n]*\n$/);
    expect(stderr.trimEnd().split("\n")).toEqual([
      expect.stringMatching(/^warning: no checks were looked for in a directory .*permission denied .*\/elsewhere$/),
      "error: some checks are not valid",
      expect.stringMatching(/^ {2}eval_checks\/closed: cannot be read: permission denied/),
      expect.stringMatching(/^ {2}eval_checks\/closed-too: cannot be read: permission denied/),
      expect.stringMatching(/^ {2}eval_checks\/secret\.yaml: cannot be read: permission denied/),
      expect.stringMatching(/^ {2}eval_checks\/zz\/bad\.yaml:2:5: id: expected letters/),
      "  4 problems in 4 files",
    ]);
  });

  it("the configuration is an error", async () => {
    const p = project({ ...checks({ "eval_checks/a.yaml": "a" }), ".eval-banana/config.toml": "" });
    chmodSync(p.root, 0o755);
    chmodSync(p.path(".eval-banana/config.toml"), 0);
    const { code, stderr } = await p.eb(["list"], nobody);
    expect(code).toBe(2);
    expect(stderr).toMatch(/\.eval-banana\/config\.toml: cannot be read: permission denied/);
  });
});

describe("--check-dir", () => {
  it("looks only there, whatever the directory is called, relative to the root", async () => {
    const p = project({
      ...checks({ "eval_checks/a.yaml": "a", "more/b.yaml": "b", "more/sub/c.yml": "c" }),
      ".eval-banana/config.toml": "",
    });
    mkdirSync(p.path("sub"));
    expect(await idsIn(p, "--check-dir", "more")).toEqual(["b", "c"]);
    expect(await idsIn(p, "--check-dir", p.path("more"))).toEqual(["b", "c"]);
    expect(await idsIn(p, "--check-dir", "more", "--cwd", "sub")).toEqual(["b", "c"]);
    const empty = await p.eb(["run", "--check-dir", "sub"]);
    expect(empty).toMatchObject({ code: 2, stdout: "" });
    expect(empty.stderr).toContain("error: no checks found: there is no *.yaml or *.yml in sub\n");
    const none = await p.eb(["list", "--check-dir", "more/b.yaml"]);
    expect(none).toMatchObject({ code: 2, stdout: "" });
    expect(none.stderr).toBe(`error: --check-dir is not a directory: ${p.path("more/b.yaml")}\n`);
  });
});
