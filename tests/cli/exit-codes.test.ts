import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { check, cleanEnv, EB, eb, oneCheck, project, temporaryDirectory } from "../helpers/project.js";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const good = oneCheck("pass");
const half = { "eval_checks/a.yaml": check("a", "pass"), "eval_checks/b.yaml": check("b", "raise SystemExit(3)") };
const killed = { ...good, "eval_checks/b.yaml": check("b", "import os; os.kill(os.getpid(), 9)") };
const tenAndOneBroken = Object.fromEntries(
  Array.from({ length: 11 }, (_, n) => [`eval_checks/${n}.yaml`, n === 5 ? "id: [" : check(`c${n}`, "pass")]),
);

describe("the exit code", () => {
  it.each<[number, string, Record<string, string>, string[]]>([
    [0, "all pass", good, ["run"]],
    [0, "the threshold is met exactly", half, ["run", "--pass-threshold", "0.5"]],
    [
      0,
      "nothing needs to pass",
      { "eval_checks/b.yaml": check("b", "raise SystemExit(3)") },
      ["run", "--pass-threshold", "0"],
    ],
    [1, "the threshold is not met", half, ["run", "--pass-threshold", "0.51"]],
    [1, "one fails", half, ["run"]],
    [1, "one ends in an error, whatever the threshold", killed, ["run", "--pass-threshold", "0"]],
    [1, "validate finds fault", tenAndOneBroken, ["validate"]],
    [2, "one of eleven files is broken", tenAndOneBroken, ["run"]],
    [2, "all files are broken", { "eval_checks/a.yaml": "id: [", "eval_checks/b.yaml": "" }, ["run"]],
    [2, "a directory of checks is empty", { "eval_checks/readme.md": "" }, ["run"]],
    [2, "there is nothing to validate", {}, ["validate"]],
    [2, "the configuration is wrong", { ...good, ".eval-banana/config.toml": "[core]\nx = 1\n" }, ["validate"]],
    [2, "the output directory can't be made", good, ["run", "--output-dir", "eval_checks/it.yaml/x"]],
    [2, "the output directory is a file", good, ["run", "--output-dir", "eval_checks/it.yaml"]],
    [
      2,
      "a check file changes while the run goes on",
      {
        "eval_checks/a.yaml": check(
          "a",
          "import pathlib; p = pathlib.Path('eval_checks/b.yaml'); p.write_text(p.read_text().replace('pass', 'raise'))",
        ),
        "eval_checks/b.yaml": check("b", "pass"),
      },
      ["run", "--max-parallel-checks", "1"],
    ],
  ])("is %i when %s", async (expected, _, files, args) => {
    const { code, stderr } = await project(files).eb(args);
    expect({ code, stderr }).toMatchObject({ code: expected });
    // What goes wrong is explained, and not by a stack.
    expect(stderr).not.toMatch(/^\s+at |bug in eval-banana/m);
    if (expected === 2) expect(stderr).toMatch(/^error: .+\n/);
  });

  it.each([
    ["no command", []],
    ["an unknown command", ["lsit"]],
    ["an unknown option", ["run", "--pass-treshold", "1"]],
    ["an option of another command", ["list", "--output-dir", "x"]],
    ["an option of another command", ["validate", "--pass-threshold", "1"]],
    ["an option without its value", ["run", "--check-id"]],
    ["an argument too many", ["run", "eval_checks/it.yaml"]],
    ["a file for digest that is missing from the command line", ["digest"]],
    ["an unknown reporter", ["run", "--reporter", "jsn"]],
  ])("is 2 for %s, with nothing on standard output", async (_, args) => {
    const p = project(good);
    const { code, stdout, stderr } = await p.eb(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).not.toBe("");
    expect(p.runDirs()).toEqual([]);
  });

  it("is 2 for a check file as an argument, with what says which checks", async () => {
    const { code, stderr } = await project(good).eb(["run", "eval_checks/it.yaml"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^error: too many arguments .*[\s\S]*hint: --check-id ID and --check-dir DIR say which checks\n$/,
    );
  });

  it("is 0 for help and version, which are on standard output", async () => {
    const cwd = temporaryDirectory();
    for (const args of [["--version"], ["-V"]]) {
      expect(await eb(args, { cwd })).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
    }
    for (const args of [["--help"], ["help", "run"], ["run", "--help"]]) {
      const { code, stdout, stderr } = await eb(args, { cwd });
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toContain("Usage: eb");
    }
  });

  it("stays the same when no one reads what is printed", () => {
    const p = project(half);
    // The program starts once the reader has closed the pipe between them.
    const unread = (command: string) => {
      const script = `mkfifo gate; (cat gate; ${command}; echo $? > code) | { exec 0<&-; : > gate; }; rm gate`;
      spawnSync("bash", ["-c", script], { cwd: p.root, env: cleanEnv({ NODE: process.execPath, EB }) });
      return p.read("code");
    };
    expect(unread('"$NODE" "$EB" run 2> errors')).toBe("1\n");
    expect(unread('"$NODE" "$EB" run --tag nope 2>&1 > output')).toBe("2\n");
    expect([p.read("errors"), p.read("output")]).toEqual(["", ""]);
  });
});

describe("the options of each command", () => {
  const selection = ["--check-dir", "--check-id", "--tag", "--cwd", "--no-project-config", "--verbose", "--json"];
  const harness = ["agent", "model", "reasoning-effort", "timeout-seconds"].map((name) => `--harness-${name}`);
  const output = ["--output-dir", "--flat-output", "--pass-threshold", "--max-parallel-checks", "--reporter"];

  it.each([
    ["run", [...selection, ...harness, ...output]],
    ["list", selection],
    ["validate", [...selection, ...harness]],
    ["init", ["--force", "--cwd"]],
    ["digest", []],
  ])("eb %s has those of the documentation, each with its default", async (command, expected) => {
    const { stdout } = await eb([command, "--help"], { cwd: temporaryDirectory() });
    const text = stdout.slice(stdout.indexOf("Options:"));
    const options = [...text.matchAll(/^ {2}(?:-h, )?(--[\w-]+)([\s\S]*?)(?=^ {2}-|$(?![\s\S]))/gm)];
    expect(options.map(([, name]) => name).sort()).toEqual([...expected, "--help"].sort());
    for (const [, name, help] of options) if (name !== "--help") expect(help, name).toMatch(/\(default:\s/);
  });
});
