import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { check, oneCheck, project } from "../helpers/project.js";

const JUDGE =
  "schema_version: 1\nid: judge\ntype: harness_judge\ndescription: d\ninstructions: Look.\nvotes: 3\nretries: 2\n";

describe("eb validate", () => {
  it("accepts good checks of both kinds, and runs nothing", async () => {
    const p = project({ ...oneCheck("open('ran', 'w')"), "eval_checks/judge.yaml": JUDGE });
    const warning = "warning: 1 judge check, and no agent is configured: a run needs --harness-agent\n";
    expect(await p.eb(["validate"])).toEqual({ code: 0, stdout: "2 checks valid\n", stderr: warning });
    const withAgent = await p.eb(["validate", "--harness-agent", "claude"]);
    expect(withAgent).toEqual({ code: 0, stdout: "2 checks valid\n", stderr: "" });
    expect(() => p.read("ran")).toThrow("ENOENT");
    expect(p.runDirs()).toEqual([]);
  });

  it("finds a model or an effort that cannot be handed to the agent, beside all else", async () => {
    const p = project({ "eval_checks/judge.yaml": JUDGE });
    const effort = ["--harness-agent", "gemini", "--harness-reasoning-effort", "high"];
    const { code, stdout } = await p.eb(["validate", ...effort]);
    expect(code).toBe(1);
    expect(stdout).toContain("cannot inject reasoning effort 'high'");
    p.write({ "eval_checks/broken.yaml": "schema_version: 1\n" });
    const both = await p.eb(["validate", "--harness-agent", "gemni"]);
    expect(both.code).toBe(1);
    expect(both.stdout).toContain("unknown agent 'gemni' (did you mean 'gemini'?)");
    expect(both.stdout).toContain("broken.yaml");
  });

  it("names everything that is wrong in all files, with line and column", async () => {
    const p = project({
      "eval_checks/a.yaml": check("same", "pass"),
      "eval_checks/b.yaml": `# a comment\n${check("same", "pass")}`,
      "eval_checks/c.yaml": "schema_version: 1\nid: 123\ntype: deterministic\ndescription: true\nscrpt: x\n",
      "eval_checks/d.yaml": "schema_version: 1\n\tid: x\n",
      "eval_checks/e.yaml": "id: x\nid: y\n",
      "eval_checks/f.yaml": "id: x\n---\nid: y\n",
      "eval_checks/g.yaml": "schema_version: 7\nid: g\n",
      "eval_checks/h.yaml": "schema_version: 1\nid: h\ntype: llm_judge\ndescription: d\ninstructions: Look.\n",
      "eval_checks/i.yaml": "",
      "eval_checks/j.yaml": "schema_version: 1\nid: j\ntype: deterministic\ndescription: d\nscript_path: gone.py\n",
      "eval_checks/k.yaml": "a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b]\nd: [*c,*c,*c,*c]\n",
      "eval_checks/l.yaml": new Uint8Array([0x69, 0x64, 0x3a, 0xff]),
      "eval_checks/m.yaml":
        "\ufeff&x\r\nschema_version: 1\r\nid: m\r\ntype: deterministic\r\ndescription: *x\r\nscript: p\r\n",
      "eval_checks/z.yaml": check("fine", "pass"),
    });
    const expected = [
      `eval_checks/b.yaml:3:5: id: 'same' is the id of another check too: ${p.path("eval_checks/a.yaml")}`,
      "eval_checks/c.yaml:1:1: exactly one of 'script' and 'script_path' is required",
      "eval_checks/c.yaml:2:5: id: expected a string, found 123 (a number)",
      "eval_checks/c.yaml:4:14: description: expected a string, found true (a boolean)",
      "eval_checks/c.yaml:5:1: scrpt: unknown field (did you mean 'script'?)",
      /^eval_checks\/d\.yaml:\d+:\d+: not valid YAML: /,
      "eval_checks/e.yaml:2:1: the same key stands twice in one mapping",
      "eval_checks/f.yaml:2:1: holds several YAML documents; one file is one document",
      "eval_checks/g.yaml:1:17: schema_version: unsupported schema_version 7, this version reads 1",
      "eval_checks/h.yaml:3:7: type: 'llm_judge' is now 'harness_judge': an agent's own program is the judge",
      "eval_checks/i.yaml:1:1: is empty; a check has schema_version, id, type, description …",
      /^eval_checks\/j\.yaml:5:14: script_path: the script cannot be read: no such file .*gone\.py$/,
      /^eval_checks\/k\.yaml:1:1: not valid YAML: Excessive alias count/,
      "eval_checks/l.yaml: is not valid UTF-8",
      "eval_checks/m.yaml:5:14: description: expected a string, found a mapping",
    ].map((line) => (line instanceof RegExp ? expect.stringMatching(line) : line));

    const { code, stdout, stderr } = await p.eb(["validate"]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    const [title, ...lines] = stdout.trimEnd().split("\n");
    expect(title).toBe("not valid:");
    const inD = lines.filter((line) => line.includes("d.yaml")).length;
    const once = lines.filter((line, index) => !line.includes("d.yaml") || !lines[index - 1]?.includes("d.yaml"));
    expect(once.slice(0, -1).map((line) => line.trimStart())).toEqual(expected);
    expect(once.at(-1)).toBe(`  ${expected.length + inD - 1} problems in 12 files`);

    // A run says the same, apart from scripts that it finds out about as it runs, and does not begin.
    const run = await p.eb(["run"]);
    expect(run).toMatchObject({ code: 2, stdout: "" });
    const withoutScript = lines.slice(0, -1).filter((line) => !line.includes("j.yaml"));
    expect(run.stderr.split("\n").slice(1, withoutScript.length + 1)).toEqual(withoutScript);
    expect(p.runDirs()).toEqual([]);
  });

  it("prints one JSON document with --json", async () => {
    const p = project({ ...oneCheck("pass"), "eval_checks/x.yaml": check("a b", "pass") });
    const { code, stdout, stderr } = await p.eb(["validate", "--json"]);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      valid: false,
      checks: 1,
      errors: [
        {
          file: p.path("eval_checks/x.yaml"),
          line: 2,
          column: 5,
          field: "id",
          message: `expected letters, digits, '_' and '-' only, found "a b"`,
        },
      ],
    });
    expect(JSON.parse((await p.eb(["validate", "--json", "--check-id", "it"])).stdout)).toEqual({
      valid: true,
      checks: 1,
      errors: [],
    });
  });

  it.each([
    ["a directory", "d", "it is a directory"],
    ["a pipe, which is not waited for", "p", "it is not a regular file"],
    ["nothing", "gone.py", "no such file or directory"],
  ])("refuses a script that is %s", async (_, script, message) => {
    const p = project({
      "eval_checks/it.yaml": check("it", "pass").replace(/script: .*/s, `script_path: ${script}\n`),
    });
    p.write({ "eval_checks/d/x": "" });
    execFileSync("mkfifo", [p.path("eval_checks/p")]);
    const { code, stdout } = await p.eb(["validate"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^not valid:\n {2}eval_checks\/it\.yaml:5:14: script_path: the script cannot be read: /);
    expect(stdout).toContain(message);
  });

  it("reads a check of 10 MB, and refuses structure of that size", async () => {
    const p = project({
      "eval_checks/text.yaml": check("text", "# a line of a long script\n".repeat(380_000)),
      "eval_checks/tree.yaml": "[".repeat(10_000_000),
    });
    const { code, stdout } = await p.eb(["validate"]);
    expect(code).toBe(1);
    expect(stdout).toBe("not valid:\n  eval_checks/tree.yaml:1:101: is nested too deeply: more than 100 levels\n");
  });
});
