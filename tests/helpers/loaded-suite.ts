import type { Problem } from "../../src/core/errors.js";
import { type LoadedSuite, loadSuite } from "../../src/suites/load/load-suite.js";
import type { Suite } from "../../src/suites/suite.js";
import type { TestCase } from "../../src/suites/test-case.js";
import { type Project, project } from "./project.js";

type Files = Record<string, string | Uint8Array>;

/** Loads `suite.yaml` in a project of its own. */
export function loaded(suite: string | Uint8Array, files: Files = {}, path = "suite.yaml"): LoadedSuite {
  const p = project({ [path]: suite, ...files });
  return loadSuite(p.path(path), { projectRoot: p.root });
}

/** `suite.yaml:3:5 field: message` for each problem, less the directory. */
export function problemsOf(suite: string | Uint8Array, files: Files = {}, path = "suite.yaml"): string[] {
  const p = project({ [path]: suite, ...files });
  return loadSuite(p.path(path), { projectRoot: p.root }).problems.map((problem) => described(problem, p));
}

/** The suite in a text that has nothing wrong with it. */
export function suiteOf(suite: string, files: Files = {}, path = "suite.yaml"): Suite {
  const { suite: found, problems } = loaded(suite, files, path);
  if (!found || problems.length > 0) throw new Error(`not valid: ${JSON.stringify(problems)}`);
  return found;
}

/** The case with these fields, as YAML flow or block lines. */
export function caseOf(fields: string, files: Files = {}): TestCase {
  const [found] = suiteOf(`- id: it\n${fields.replaceAll(/^/gm, "  ")}\n`, files).cases;
  if (!found) throw new Error("no case");
  return found;
}

function described({ file = "", line, column, field, message }: Problem, { root }: Project): string {
  const place = [file.replace(`${root}/`, ""), line, column].filter((part) => part !== undefined).join(":");
  return [place, ...(field ? [`${field}:`] : []), message.replaceAll(`${root}/`, "")].join(" ");
}
