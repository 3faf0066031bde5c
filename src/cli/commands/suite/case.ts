import { dirname } from "node:path";
import { type LoadedConfig, loadConfig } from "../../../config/load.js";
import { UserError } from "../../../core/errors.js";
import { loadSuite } from "../../../suites/load-suite.js";
import { completeWorkspace, mergeWorkspaces } from "../../../suites/merge-workspaces.js";
import type { LaidCase } from "../../../suites/prepare.js";
import { selectCases } from "../../../suites/select-cases.js";
import type { Suite } from "../../../suites/suite.js";
import { suiteTargets } from "../../../suites/suite-targets.js";
import { openSuites } from "../../suite-options.js";

/** The options that `prepare` and `score` share. */
export interface CaseOptions {
  case: string;
  cwd?: string;
  verbose?: boolean;
}

export interface FoundCase {
  project: LoadedConfig;
  suite: Suite;
  testCase: LaidCase;
  /** The folder of the suite file; absolute. */
  suiteFolder: string;
}

/**
 * The case with an id in a suite file, as the user wrote its path; undefined: the usual one.
 * @throws UserError when the suite is not valid or has no such case
 */
export function findCase(given: string | undefined, { case: id, cwd = "." }: CaseOptions): FoundCase {
  const project = loadConfig({ cwd });
  const { files } = openSuites(given === undefined ? [] : [given], { cwd });
  const { suite, problems } = loadSuite(files[0] ?? "", { projectRoot: project.root });
  if (!suite) throw new UserError("the suite is not valid", { code: "invalid_suite", problems });
  const [testCase] = selectCases(suite.cases, { ids: [id] });
  if (!testCase) throw new UserError(`no case has the id '${id}'`, { code: "usage" });
  const { target } = suiteTargets(suite, project)(testCase);
  const layer = mergeWorkspaces(target?.workspace, testCase.workspace);
  const workspace = layer && completeWorkspace(layer);
  return { project, suite, testCase: { ...testCase, workspace }, suiteFolder: dirname(suite.path) };
}
