import { lstatSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { project } from "../helpers/project.js";
import { failedCases } from "../helpers/starter.js";
import { ebOnTerminal, HAS_TMUX, Terminal, TMUX_NOTE } from "../helpers/terminal.js";

const SUITE = ".eval-banana/evals/suite.yaml";
const TARGETS = [
  ".eval-banana/targets/stand-in.mjs",
  ".eval-banana/targets/default.yaml",
  ".eval-banana/targets/tools.yaml",
];
const FILES = [...TARGETS, ".eval-banana/evals/tasks/release-notes.md", SUITE];
const SIZE = { columns: 100, rows: 40 };

const filesIn = (root: string) =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .sort();

describe("eb suite init", () => {
  it("writes a suite that is valid and that its target passes, offline", async () => {
    const p = project();
    expect(await p.eb(["suite", "init", "-n", 'Quotes " \\ and: #'])).toEqual({
      code: 0,
      stdout: `${FILES.map((file) => `wrote ${file}\n`).join("")}next: eb suite run
put .eval-banana/results/ and .eval-banana/cache/ into .gitignore
`,
      stderr: "",
    });
    expect(await p.eb(["suite", "validate"])).toEqual({ code: 0, stdout: "5 cases valid\n", stderr: "" });
    expect(await failedCases(p, SUITE)).toEqual([]);
    const { stdout } = await p.eb(["suite", "list", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ suite: { name: 'Quotes " \\ and: #' } });
  });

  it("writes a suite that fails where the target answers otherwise", async () => {
    const p = project();
    await p.eb(["suite", "init"]);
    p.write({
      ".eval-banana/targets/stand-in.mjs":
        'console.log(process.argv[2] ? "{\\"output\\":\\"\\"}" : "As an AI, I cannot help")',
    });
    expect(await failedCases(p, SUITE)).toEqual([
      "smoke",
      "writes-code",
      "no-refusal",
      "task-from-a-file",
      "other-target",
    ]);
  });

  it("leaves files as they are, unless it is told otherwise", async () => {
    const p = project({ [SUITE]: "mine" });
    const refused = await p.eb(["suite", "init"]);
    expect(refused).toEqual({
      code: 2,
      stdout: "",
      stderr: `error: there is a suite already: ${SUITE}\nhint: --force overwrites it, and its targets; with another OUTPUT another suite is written\n`,
    });
    expect(filesIn(p.root)).toEqual(["suite.yaml"]);
    expect(await p.eb(["suite", "init", "--force"])).toMatchObject({ code: 0, stderr: "" });
    expect(p.read(SUITE)).toContain("cases:");
  });

  it("writes a second suite, and keeps the targets as they are", async () => {
    const p = project();
    expect(await p.eb(["suite", "init"])).toMatchObject({ code: 0 });
    p.write({ [TARGETS[1] ?? ""]: "type: command\ncommand: [mine]\n" });
    const second = await p.eb(["suite", "init", "evals/my suite.yaml"]);
    expect(second).toMatchObject({ code: 0, stderr: "" });
    expect(second.stdout).toMatch(/^(kept .*\n){3}(wrote .*\n){2}next: eb suite run 'evals\/my suite\.yaml'\n/);
    expect(p.read(TARGETS[1] ?? "")).toContain("[mine]");
    expect(await p.eb(["suite", "validate", SUITE, "evals/my suite.yaml"])).toMatchObject({ code: 0 });

    expect(await p.eb(["suite", "init", "evals/my suite.yaml", "--force"])).toMatchObject({ code: 0 });
    expect(await failedCases(p, "evals/my suite.yaml")).toEqual([]);
  });

  it("takes the target of -c where it is there, and writes it where it is not", async () => {
    const p = project({ "mine.yaml": "type: command\ncommand: [mine]\n" });
    expect(await p.eb(["suite", "init", "-c", "mine.yaml", "--force"])).toMatchObject({ code: 0 });
    expect(p.read("mine.yaml")).toContain("[mine]");
    expect(p.read(SUITE)).toContain('config: "mine.yaml"');
    expect(filesIn(p.root)).toEqual(["mine.yaml", "suite.yaml"]);
    expect(await p.eb(["suite", "validate"])).toMatchObject({ code: 0, stdout: "2 cases valid\n" });

    expect(await p.eb(["suite", "init", "s.yaml", "--config", "new/t.yaml"])).toMatchObject({ code: 0 });
    expect(p.read("s.yaml")).toContain('config: "new/t.yaml"');
    expect(await failedCases(p, "s.yaml")).toEqual([]);
  });

  it("says what is in the way before it writes anything", async () => {
    const p = project();
    mkdirSync(p.path(SUITE), { recursive: true });
    const { code, stderr } = await p.eb(["suite", "init", "--force"]);
    expect({ code, stderr }).toEqual({ code: 2, stderr: `error: it is a directory: ${p.path(SUITE)}\n` });
    expect(filesIn(p.root)).toEqual([]);
  });

  it("asks nothing on a terminal without a width", async () => {
    const p = project();
    expect(await ebOnTerminal(["suite", "init"], p.root)).toMatch(/^wrote /);
    expect(FILES.filter((file) => !p.has(file))).toEqual([]);
  });

  it("does not write through a link", async () => {
    const p = project({ ".eval-banana/evals/x": "" });
    symlinkSync("elsewhere", p.path(SUITE));
    expect(await p.eb(["suite", "init"])).toMatchObject({ code: 2 });
    expect(await p.eb(["suite", "init", "--force"])).toMatchObject({ code: 0 });
    expect(lstatSync(p.path(SUITE)).isFile()).toBe(true);
    expect(p.has(".eval-banana/evals/elsewhere")).toBe(false);
  });
});

describe.skipIf(!HAS_TMUX)(`eb suite init on a terminal${TMUX_NOTE}`, () => {
  /** A terminal that waits for the first answer. */
  const init = (cwd: string, ...args: string[]) => new Terminal(["suite", "init", ...args], cwd, SIZE);
  const DOWN = "Down";

  it("asks for the name, the place and the target, with what is proposed", async () => {
    const p = project();
    const terminal = init(p.root);
    await terminal.until(/What is it called\?/);
    for (const key of ["C-u", "M", "y", "Space", "s"]) terminal.press(key);
    await terminal.until(/My s/);
    terminal.press("Enter");
    await terminal.until(/Where does the suite go\?\n.*\.eval-banana\/evals\/suite\.yaml/);
    terminal.press("Enter");
    await terminal.until(/What is tested\?[\s\S]*A stand-in for now/);
    terminal.press("Enter");
    expect(await terminal.exitCode()).toBe(0);
    expect(p.read(SUITE)).toContain('name: "My s"');
    expect(FILES.filter((file) => !p.has(file))).toEqual([]);
    expect(await failedCases(p, SUITE)).toEqual([]);
    expect(terminal.cursorIsVisible()).toBe(true);
  });

  it("asks what a program needs", async () => {
    const p = project();
    const terminal = init(p.root, "s.yaml", "-n", "x");
    await terminal.until(/What is tested\?/);
    terminal.press(DOWN);
    terminal.press("Enter");
    await terminal.until(/Which command\?/);
    terminal.press("Enter");
    await terminal.until(/Something must be here/);
    terminal.tmux("send-keys", "-l", `node 'my answer.mjs' --n=1`);
    terminal.press("Enter");
    await terminal.until(/How does it get the task\?/);
    terminal.press(DOWN);
    terminal.press("Enter");
    await terminal.until(/What does it print\?/);
    terminal.press("Enter");
    expect(await terminal.exitCode()).toBe(0);
    expect(p.read(".eval-banana/targets/default.yaml")).toContain(
      'type: command\ncommand: ["node", "my answer.mjs", "--n=1"]\ninput: arg\noutput: text\n',
    );
    expect(await p.eb(["suite", "validate", "s.yaml"])).toMatchObject({ code: 0 });
    // Of the stand-in nothing is left, and the file is not there yet.
    expect(filesIn(p.root)).toEqual(["default.yaml", "s.yaml"]);
    const shown = terminal.everything().join("\n");
    expect(shown).toContain("next: put your own questions into s.yaml, then eb suite run s.yaml");
    expect(shown).toContain("warning: there is no my answer.mjs: the target names it");
  });

  it("asks what a service needs, and takes no URL that is none", async () => {
    const p = project();
    const terminal = init(p.root, "s.yaml", "-n", "x");
    await terminal.until(/What is tested\?/);
    for (const key of [DOWN, DOWN, "Enter"]) terminal.press(key);
    await terminal.until(/Which URL\?/);
    terminal.tmux("send-keys", "-l", "localhost:1");
    terminal.press("Enter");
    await terminal.until(/A URL begins with/);
    terminal.press("C-u");
    terminal.tmux("send-keys", "-l", "http://127.0.0.1:8000/a");
    terminal.press("Enter");
    await terminal.until(/as a JSON pointer\?/);
    terminal.press("Enter");
    expect(await terminal.exitCode()).toBe(0);
    expect(p.read(".eval-banana/targets/default.yaml")).toMatch(/^type: http\nurl: "http:\/\/127\.0\.0\.1:8000\/a"$/m);
  });

  it("offers the target that is there", async () => {
    const p = project({ ".eval-banana/targets/default.yaml": "mine" });
    const terminal = init(p.root, "s.yaml", "-n", "x");
    await terminal.until(/The target that is there/);
    terminal.press("Enter");
    expect(await terminal.exitCode()).toBe(0);
    expect(p.read(".eval-banana/targets/default.yaml")).toBe("mine");
    expect(p.has("s.yaml")).toBe(true);
  });

  it.each([
    ["C-c", /What is it called\?/, []],
    ["Escape", /What is tested\?/, ["-n", "x", "s.yaml"]],
  ])("%s leaves nothing behind, and gives the terminal back", async (key, question, args) => {
    const p = project();
    const terminal = init(p.root, ...args);
    await terminal.until(question);
    terminal.press(key);
    expect(await terminal.exitCode()).toBe(130);
    expect(terminal.everything().join("\n")).toContain("Nothing was written.");
    expect(readdirSync(p.root)).toEqual([]);
    expect(terminal.cursorIsVisible()).toBe(true);
  });

  it("asks nothing with --no-interactive, nor for what would be refused", async () => {
    const p = project({ "s.yaml": "mine" });
    const quiet = init(p.root, "--no-interactive");
    expect(await quiet.exitCode()).toBe(0);
    expect(quiet.everything().join("\n")).not.toContain("?");
    const refused = init(p.root, "s.yaml");
    expect(await refused.exitCode()).toBe(2);
    expect(refused.everything().join("\n")).toContain("error: there is a suite already: s.yaml");
  });
});
