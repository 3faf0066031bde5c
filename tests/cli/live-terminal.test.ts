import { describe, expect, it } from "vitest";
import { hostileProject } from "../helpers/hostile-project.js";
import { check, type Project, project } from "../helpers/project.js";
import { HAS_TMUX, type Size, Terminal, TMUX_NOTE } from "../helpers/terminal.js";

const WAIT = "import os, time\nfor _ in range(1000):\n  if os.path.exists('go'): break\n  time.sleep(0.02)";

/** `quick` checks that end at once, before `waiting` ones that end when the file `go` is there. */
function projectOf(quick: number, waiting: number, name = "w"): Project {
  const files = [
    ...Array.from({ length: quick }, (_, n) => [
      `eval_checks/a${String(n).padStart(2, "0")}.yaml`,
      check(`q${n}`, "pass"),
    ]),
    ...Array.from({ length: waiting }, (_, n) => [
      `eval_checks/b${String(n).padStart(2, "0")}.yaml`,
      check(`${name}${n}`, WAIT),
    ]),
  ];
  return project(Object.fromEntries(files));
}

function run(p: Project, parallel: number, size: Size): Terminal {
  return new Terminal(["run", "--max-parallel-checks", String(parallel)], p.root, size);
}

/** Signs of the block in the lines given. */
const remains = (lines: readonly string[]) => lines.filter((line) => /●|█|░|more running/.test(line));

describe.skipIf(!HAS_TMUX)(`the live display${TMUX_NOTE}`, () => {
  it("shows what runs with its time and a bar below what has finished, and leaves nothing of it", async () => {
    const p = projectOf(3, 4);
    const terminal = run(p, 3, { columns: 80, rows: 24 });
    const screen = await terminal.until(/● w0 .*\n● w1 .*\n● w2 .*\n/);
    expect(screen).toEqual([
      ...Array.from({ length: 3 }, () => expect.stringMatching(/^✓ q\d \d+(\.\d)? m?s$/)),
      ...["w0", "w1", "w2"].map((id) => expect.stringMatching(new RegExp(`^● ${id} \\d+\\.\\d s$`))),
      expect.stringMatching(/^█{13}░{17} 3\/7$/),
    ]);
    expect(terminal.cursorIsVisible()).toBe(false);
    await terminal.until(/● w0 [2-9]\.\d s/);
    p.write({ go: "" });
    expect(await terminal.exitCode()).toBe(0);
    const all = terminal.everything();
    expect(remains(all)).toEqual([]);
    expect(all.filter((line) => line.startsWith("✓ "))).toHaveLength(7);
    expect(all.slice(7)).toEqual([
      "",
      expect.stringContaining("PASSED  7 of 7"),
      expect.stringMatching(/^report: /),
      "[exit 0]",
    ]);
    expect(terminal.cursorIsVisible()).toBe(true);
  });

  it.each([40, 20, 8])("wraps no line of its own on %i columns, though an id has 600 letters", async (columns) => {
    const p = projectOf(2, 3, "w".repeat(600));
    p.write({ "eval_checks/a99.yaml": check(`f${"a".repeat(600)}`, "exit(1)") });
    const terminal = run(p, 2, { columns, rows: 12 });
    const screen = await terminal.until(/●.*\n●.*\n.*3\/6/);
    expect(terminal.wrappedLines()).toEqual([]);
    expect(screen).toHaveLength(6);
    p.write({ go: "" });
    expect(await terminal.exitCode()).toBe(1);
    expect(remains(terminal.everything())).toEqual([]);
  });

  it("stays on the screen with more running checks than rows, and says how many more there are", async () => {
    const p = projectOf(4, 15);
    const terminal = run(p, 15, { columns: 60, rows: 8 });
    const screen = await terminal.until(/… and 11 more running\n.* 4\/19/);
    expect(screen).toHaveLength(7);
    expect(screen[0]).toMatch(/^✓ q\d /);
    expect(screen.slice(1, 5).map((line) => line.slice(0, 4))).toEqual(["● w0", "● w1", "● w2", "● w3"]);
    p.write({ go: "" });
    expect(await terminal.exitCode()).toBe(0);
    const all = terminal.everything();
    expect(remains(all)).toEqual([]);
    expect(all.filter((line) => line.startsWith("✓ "))).toHaveLength(19);
  });

  it.each([1, 2, 3])("leaves nothing on a terminal of %i rows either", async (rows) => {
    const p = projectOf(1, 3);
    const terminal = run(p, 3, { columns: 60, rows });
    await terminal.until(rows < 3 ? /✓ q0|^$/ : /1\/4/);
    p.write({ go: "" });
    expect(await terminal.exitCode()).toBe(0);
    const all = terminal.everything();
    expect(remains(all)).toEqual([]);
    expect(all.filter((line) => line.startsWith("✓ "))).toHaveLength(4);
  });

  it("follows the width of the terminal", async () => {
    const p = projectOf(1, 3, "w".repeat(60));
    const terminal = run(p, 3, { columns: 100, rows: 20 });
    await terminal.until(/(● w{60}\d .*\n){3}.* 1\/4/);
    terminal.resize({ columns: 30, rows: 20 });
    await terminal.until(/(● w+… .*\n){3}.* 1\/4/);
    terminal.resize({ columns: 90, rows: 20 });
    await terminal.until(/(● w{60}\d .*\n){3}.* 1\/4/);
    p.write({ go: "" });
    expect(await terminal.exitCode()).toBe(0);
  });

  it("makes room for a warning while checks run", async () => {
    const p = projectOf(1, 2);
    // In the way of the file of its own result.
    p.write({
      "eval_checks/a.yaml": check("odd", "import os; os.mkdir(os.environ['EVAL_BANANA_OUTPUT_DIR'] + '.json')"),
    });
    const terminal = run(p, 2, { columns: 200, rows: 20 });
    await terminal.until(/warning: the files reporter failed: .*\n(.*\n)*● w0 .*\n● w1 .*\n.* 2\/4/);
    expect(remains(terminal.everything())).toHaveLength(3);
    p.write({ go: "" });
    expect(await terminal.exitCode()).toBe(2);
    expect(remains(terminal.everything())).toEqual([]);
    expect(terminal.everything().filter((line) => line.startsWith("warning: "))).toHaveLength(1);
  });

  it("Ctrl-C ends what runs, sums up the rest, and gives the terminal back", async () => {
    const p = projectOf(2, 40);
    const terminal = run(p, 4, { columns: 100, rows: 20 });
    await terminal.until(/● w3 .*\n.* 2\/42/);
    terminal.press("C-c");
    expect(await terminal.exitCode()).toBe(130);
    const all = terminal.everything();
    expect(remains(all)).toEqual([]);
    expect(all.filter((line) => !line.startsWith("✓ "))).toEqual([
      "SIGINT: ending what runs and writing the report; once more to end at once",
      "",
      "! 40 checks did not end: the run was stopped",
      "",
      expect.stringMatching(/^INTERRUPTED {2}2 of 42 points · 4\.8%, 100% needed · 40 interrupted · /),
      expect.stringMatching(/^report: /),
      "[exit 130]",
    ]);
    expect(terminal.cursorIsVisible()).toBe(true);
    expect(p.report()).toMatchObject({ total_checks: 42, passed_checks: 2, errored_checks: 40 });
  });

  it("nothing that a check prints reaches the terminal as more than text", async () => {
    const p = hostileProject();
    const terminal = run(p, 1, { columns: 100, rows: 50 });
    expect(await terminal.exitCode()).toBe(1);
    expect(terminal.tmux("display-message", "-p", "#{pane_title}")).not.toContain("title");
    const all = terminal.everything();
    expect(all[0]).toMatch(/^✗ it failed /);
    expect(all.join("\n")).toContain("</script>|<img src=x onerror=alert(1)>");
    expect(all.at(-3)).toMatch(/^NOT PASSED {2}0 of 1 point/);
  });
});
