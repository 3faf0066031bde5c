import { oneLine } from "../../../core/text.js";
import { type CaseSelection, selectCases } from "../../../suites/load/select-cases.js";
import { invalidSuite, readSuite } from "../../../suites/read-suite.js";
import type { Suite } from "../../../suites/suite.js";
import type { TestCase } from "../../../suites/test-case.js";
import { loadProject, type ProjectOptions } from "../../options.js";
import { printJson, printLine } from "../../print-result.js";
import { showError, showWarnings } from "../../show-error.js";

export interface CaseSelectionOptions {
  filter?: string;
  tag?: string[];
  case?: string[];
  sample?: number;
  seed?: string;
}

export interface ListOptions extends ProjectOptions, CaseSelectionOptions {
  json?: boolean;
}

/** Prints the selected cases; what is wrong with some of them makes it an error, after they are printed. */
export function list(file: string | undefined, options: ListOptions): number {
  const project = loadProject(options);
  const { suite, problems, warnings } = readSuite(file, project, options);
  showWarnings(warnings);
  const cases = selectCases(suite.cases, caseSelection(options), suite.path);
  if (options.json) printJson({ ...documentOf(suite, cases, project.root), errors: problems });
  else for (const one of cases) printLine(lineOf(one));
  return problems.length > 0 ? showError(invalidSuite(problems)) : 0;
}

export function caseSelection({ filter, tag, case: ids, sample, seed }: CaseSelectionOptions): CaseSelection {
  return { filter, tags: tag, ids, sample, seed };
}

function lineOf({ id, tags, assertions }: TestCase): string {
  return [id, tags.join(","), assertionsOf(assertions)]
    .map((column) => oneLine(column).replaceAll("\t", " "))
    .join("\t");
}

/** `contains x2, max_turns`. */
function assertionsOf(assertions: TestCase["assertions"]): string {
  const counts = new Map<string, number>();
  for (const { type } of assertions) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts].map(([type, times]) => (times === 1 ? type : `${type} x${times}`)).join(", ");
}

function documentOf(suite: Suite, cases: readonly TestCase[], root: string) {
  return {
    project_root: root,
    suite: { name: suite.name, path: suite.path, config: suite.config ?? null, digest: suite.digest },
    cases: cases.map(({ id, tags, config, runs, mustSucceed, assertions, source, digest }) => ({
      case_id: id,
      tags,
      config: config ?? suite.config ?? null,
      runs: runs ?? suite.runs,
      must_succeed: mustSucceed,
      assertions: assertions.map(({ type }) => type),
      source_path: source.file,
      line: source.line,
      digest,
    })),
  };
}
