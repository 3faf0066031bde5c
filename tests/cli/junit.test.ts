import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { printable } from "../../src/core/text.js";
import { HOSTILE } from "../helpers/hostile.js";
import { hostileProject } from "../helpers/hostile-project.js";
import { check, PYTHON, project } from "../helpers/project.js";

const READ = `
import sys, json, xml.etree.ElementTree as e
suite = e.parse(sys.argv[1]).getroot().find("testsuite")
print(json.dumps({"counts": {k: suite.get(k) for k in ("tests", "failures", "errors")}, "cases": [
  {"name": c.get("name"), "kinds": [k.tag for k in c], "texts": [k.text for k in c], "message": next((k.get("message") for k in c if k.get("message")), None)}
  for c in suite.findall("testcase")]}))`;

/** The file as an XML parser reads it. */
function readJunit(path: string) {
  return JSON.parse(execFileSync(PYTHON, ["-c", READ, path], { encoding: "utf8" }));
}

describe("--reporter junit", () => {
  it("writes junit.xml into the run directory", async () => {
    const p = project({
      "eval_checks/a.yaml": check("good", "print('x')"),
      "eval_checks/b.yaml": check("bad", "exit('no')"),
      "eval_checks/c.yaml": check("broken", "import os; os.kill(os.getpid(), 9)"),
    });
    expect((await p.eb(["run", "--reporter", "junit"])).code).toBe(1);
    const { counts, cases } = readJunit(join(p.runDir(), "junit.xml"));
    expect(counts).toEqual({ tests: "3", failures: "1", errors: "1" });
    expect(cases).toMatchObject([
      { name: "good", kinds: ["system-out"], texts: ["x\n"] },
      { name: "bad", kinds: ["failure", "system-err"], message: "exit code 1: no" },
      { name: "broken", kinds: ["error"], message: "the script was killed by SIGKILL" },
    ]);
  });

  it("is well-formed whatever a check prints, with the text to be read in it", async () => {
    const p = hostileProject();
    await p.eb(["run", "--reporter", "junit:out.xml"]);
    const { cases } = readJunit(p.path("out.xml"));
    expect(cases).toHaveLength(1);
    expect(cases[0].kinds).toEqual(["failure", "system-out", "system-err"]);
    expect(cases[0].texts[1]).toContain(printable(HOSTILE).replaceAll("\uffff", "\ufffd"));
    expect(cases[0].message).toContain("</script>|<img src=x onerror=alert(1)>");
  });
});
