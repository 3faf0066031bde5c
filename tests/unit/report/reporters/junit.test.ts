import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { printable } from "../../../../src/core/text.js";
import { checksView } from "../../../../src/report/checks-view.js";
import { junitDocument } from "../../../../src/report/reporters/junit.js";
import type { CheckResult } from "../../../../src/report/schema.js";
import { expectNoCommands, HOSTILE } from "../../../helpers/hostile.js";
import { PYTHON } from "../../../helpers/project.js";
import { result, runEnd } from "../../../helpers/results.js";

const PARSE = `
import sys, json, xml.etree.ElementTree as e
def plain(n): return {"tag": n.tag, "attributes": n.attrib, "text": n.text or "", "children": [plain(c) for c in n]}
print(json.dumps(plain(e.fromstring(sys.stdin.buffer.read()))))`;

interface Element {
  tag: string;
  attributes: Record<string, string>;
  text: string;
  children: Element[];
}

/** The document, read by a parser that is not ours. */
function parse(results: CheckResult[]): { xml: string; suite: Element } {
  const xml = [
    ...junitDocument(
      runEnd(() => results),
      checksView,
    ),
  ].join("");
  const root: Element = JSON.parse(
    execFileSync(PYTHON, ["-c", PARSE], { input: xml, encoding: "utf8", maxBuffer: 1e9 }),
  );
  expect(root.tag).toBe("testsuites");
  return { xml, suite: root.children[0] as Element };
}

describe("junitDocument", () => {
  it("counts, and tells failures from errors", () => {
    const { suite } = parse([
      result({ check_id: "a", duration_ms: 1234 }),
      result({ check_id: "b", status: "failed", reason: "exit code 1" }),
      result({ check_id: "c", status: "error", error_detail: "timed out", description: "Ends in time" }),
    ]);
    expect(suite.attributes).toMatchObject({ tests: "3", failures: "1", errors: "1", skipped: "0", time: "1.000" });
    expect(suite.attributes["timestamp"]).toBe("2026-01-02T03:04:05");
    expect(suite.children.map(({ attributes }) => attributes["name"])).toEqual(["a", "b", "c"]);
    expect(suite.children[0]).toMatchObject({
      attributes: { time: "1.234", classname: "deterministic" },
      children: [],
    });
    expect(suite.children[1]?.children[0]).toMatchObject({ tag: "failure", attributes: { message: "exit code 1" } });
    expect(suite.children[2]?.children[0]).toMatchObject({ tag: "error", attributes: { message: "timed out" } });
    expect(suite.children[2]?.children[0]?.text).toBe("Ends in time\n/p/eval_checks/it.yaml");
  });

  it("holds hostile text as text, in attributes and elements", () => {
    const { xml, suite } = parse([
      result({ status: "failed", reason: HOSTILE, description: HOSTILE, stdout: HOSTILE, stderr: HOSTILE }),
    ]);
    expectNoCommands(xml);
    const shown = printable(HOSTILE).replaceAll("\uffff", "\ufffd");
    const [failure, out, err] = suite.children[0]?.children ?? [];
    expect(failure?.attributes["message"]).toBe(shown);
    expect([out?.tag, err?.tag]).toEqual(["system-out", "system-err"]);
    expect([out?.text, err?.text]).toEqual([shown, shown]);
  });

  it("is well-formed with any character", () => {
    const all = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).join("");
    const { suite } = parse([result({ status: "error", error_detail: all, stdout: all })]);
    expect(suite.children[0]?.children.map(({ tag }) => tag)).toEqual(["error", "system-out"]);
  });
});
