import { dirname } from "node:path";
import type { LoadedConfig } from "../../../config/load.js";
import { completeWorkspace, mergeWorkspaces } from "../../../suites/load/merge-workspaces.js";
import { selectCases } from "../../../suites/load/select-cases.js";
import { readSuite } from "../../../suites/read-suite.js";
import type { Suite } from "../../../suites/suite.js";
import { suiteTargets } from "../../../suites/targets/suite-targets.js";
import type { TestCase } from "../../../suites/test-case.js";
import type { LaidCase } from "../../../suites/trials/prepare-case.js";
import { loadProject, type ProjectOptions } from "../../options.js";

/** The options that `prepare` and `score` share. */
export interface CaseOptions extends ProjectOptions {
  case: string;
  /** The target of a case that names none. */
  config?: string;
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
export function findCase(given: string | undefined, { case: id, ...options }: CaseOptions): FoundCase {
  const project = loadProject(options);
  const { suite } = readSuite(given, project, options);
  const [testCase] = selectCases(suite.cases, { ids: [id] }, suite.path) as [TestCase];
  const { target } = suiteTargets(suite, project)(testCase);
  const layer = mergeWorkspaces(target?.workspace, testCase.workspace);
  const workspace = layer && completeWorkspace(layer);
  return { project, suite, testCase: { ...testCase, workspace }, suiteFolder: dirname(suite.path) };
}
