import type { LoadedConfig } from "../../../config/load.js";
import { loadConfig } from "../../../config/load.js";
import type { TestCase } from "../../../suites/test-case.js";

/** The options that `prepare` and `score` share. */
export interface CaseOptions {
  case: string;
  cwd?: string;
  verbose?: boolean;
}

interface FoundCase {
  testCase: TestCase;
  /** The folder of the suite file; absolute. */
  suiteFolder: string;
}

/**
 * The case with an id in a suite file, as the user wrote its path; undefined: the usual one.
 * @throws UserError when the suite is not valid or has no such case
 */
export type FindCase = (suite: string | undefined, id: string, project: LoadedConfig) => Promise<FoundCase> | FoundCase;

export function projectOf({ cwd }: CaseOptions): LoadedConfig {
  return loadConfig({ cwd: cwd ?? "." });
}
