import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runReportSchema } from "../../src/report/schema.js";
import { oneCheck, type Project, project } from "../helpers/project.js";

const SECRET = "sk-very/secret+value";
const env = { MY_API_KEY: SECRET, PLAIN: "not so secret", SHORT_TOKEN: "no" };

/** All files of the only run. */
function filesOf(p: Project): Record<string, string> {
  const names = readdirSync(p.runDir(), { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => statSync(join(p.runDir(), name)).isFile());
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(p.runDir(), name), "utf8")]));
}

function expectMasked(p: Project, printed: string): void {
  const files = filesOf(p);
  expect(Object.keys(files).length).toBeGreaterThan(4);
  for (const [name, text] of Object.entries({ ...files, printed })) expect(text, name).not.toContain(SECRET);
  const masked = Object.entries(files).filter(([, text]) => text.includes("***MY_API_KEY***"));
  expect(masked.map(([name]) => name.replace(/.*\./, ".")).sort()).toEqual(
    expect.arrayContaining([".json", ".jsonl", ".md", ".txt"]),
  );
}

describe("a secret is masked everywhere", () => {
  it("when a script prints its environment and fails with it", async () => {
    const script = `import os, sys
print(dict(os.environ))
sys.stdout.write(os.environ["MY_API_KEY"][:5]); sys.stdout.flush(); sys.stdout.write(os.environ["MY_API_KEY"][5:] + "\\n")
sys.stdout.flush()
sys.exit("the key is " + os.environ["MY_API_KEY"])`;
    const p = project(oneCheck(script));
    const { stdout, stderr } = await p.eb(["run", "--verbose", "--reporter", "junit"], { env });
    expectMasked(p, stdout + stderr);
    const { reason, stdout: tail } = p.result("it");
    expect(reason).toBe("exit code 1: the key is ***MY_API_KEY***");
    expect(tail.split("\n").at(-2)).toBe("***MY_API_KEY***");
    expect(tail).toContain("not so secret");
  });

  it("when an agent echoes its arguments and environment, and puts it into its reason", async () => {
    const p = project({
      "eval_checks/j.yaml": "schema_version: 1\nid: it\ntype: harness_judge\ndescription: d\ninstructions: Judge.\n",
      ".eval-banana/config.toml": `[harness]\nagent = "echo"\nenv = { HANDED = "{env:PLAIN}", KEY = "{env:MY_API_KEY}" }\n[agents.echo]\ncommand = ["./echo.sh"]\n`,
    });
    p.writeProgram(
      "echo.sh",
      '#!/bin/sh\nenv\necho "$MY_API_KEY" >&2\necho "{\\"score\\": 0, \\"reason\\": \\"leaks $MY_API_KEY and $PLAIN\\"}"\n',
    );
    const { stdout, stderr } = await p.eb(["run", "--verbose"], { env });
    expectMasked(p, stdout + stderr);
    // What is handed over from the environment is masked whatever its name.
    expect(p.result("it").reason).toBe("leaks ***MY_API_KEY*** and ***PLAIN***");
  });
});

it("more names can be masked, and masking can be turned off", async () => {
  const p = project({
    ...oneCheck("import os\nprint(os.environ['PLAIN'], os.environ['MY_API_KEY'], os.environ['SHORT_TOKEN'])"),
    ".eval-banana/config.toml": '[report]\nredact = ["PLAIN"]\n',
  });
  await p.eb(["run", "--output-dir", "a", "--flat-output"], { env });
  await p.eb(["run", "--output-dir", "b", "--flat-output"], { env: { ...env, EVAL_BANANA_REDACT_VALUES: "false" } });
  const printed = (directory: string) => JSON.parse(p.read(`${directory}/report.json`)).checks[0].stdout;
  expect(printed("a")).toBe("***PLAIN*** ***MY_API_KEY*** no\n");
  expect(printed("b")).toBe(`not so secret ${SECRET} no\n`);
});

it("words of eb's that are the values of secrets break no report", async () => {
  const p = project(oneCheck("print('status passed output')"));
  const words = ["status", "passed", "output", "deterministic", "checks", "details", "run_passed", "points_earned"];
  const named = Object.fromEntries(words.map((word, index) => [`SORT_KEY_${index}`, word]));
  const { stdout, code } = await p.eb(["run", "--json"], { env: named });
  expect(code).toBe(0);
  expect(runReportSchema.parse(JSON.parse(stdout)).checks[0]).toMatchObject({
    status: "passed",
    check_type: "deterministic",
    stdout: "***SORT_KEY_0*** ***SORT_KEY_1*** ***SORT_KEY_2***\n",
  });
});

it("a secret of several lines is masked line by line, and as base64 makes it", async () => {
  const key = "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG\n9w0BAQEFAASCBKcwggSj\n";
  const script = `import base64, json, os, sys
key = os.environ["SSH_KEY"]
for line in key.split("\\n"): print("  |", line)
print(json.dumps(key), repr(key))
print(base64.b64encode(("me:" + os.environ["MY_API_KEY"]).encode()).decode())
sys.exit(key.split("\\n")[1])`;
  const p = project(oneCheck(script));
  const { stdout } = await p.eb(["run", "--json"], { env: { ...env, SSH_KEY: key } });
  const texts = [stdout, ...Object.values(filesOf(p))].join("\n");
  for (const piece of ["MIIEvQ", "9w0BAQ", Buffer.from(SECRET).toString("base64").slice(4, 20)]) {
    expect(texts).not.toContain(piece);
  }
  for (const at of [0, 1, 2]) {
    expect(texts).not.toContain(
      Buffer.from("me:".slice(at) + SECRET)
        .toString("base64")
        .slice(8, 20),
    );
  }
  expect(p.result("it").reason).toBe("exit code 1: ***SSH_KEY***");
});
