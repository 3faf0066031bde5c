import type { LoadedConfig } from "../../config/load.js";
import { createHarness, type Harness } from "../../run/harness.js";
import type { Suite } from "../suite.js";
import type { TestCase } from "../test-case.js";

/**
 * The agent for the rubrics of `cases`; undefined where none is to be asked, or none is configured: such rubrics are
 * errors of their cases, and the other cases go on.
 * @throws UserError (`harness`) when the agent is unknown, (`config`) when `[agents.*]` is not usable
 */
export function harnessForSuite(project: LoadedConfig, suite: Suite, cases: readonly TestCase[]): Harness | undefined {
  const name = suite.judge.agent ?? project.config["harness.agent"];
  if (suite.judge.when === "never") return undefined;
  const needed = cases.some(({ assertions }) => assertions.some(({ type }) => type === "rubric"));
  return needed && name !== undefined ? createHarness(project, name) : undefined;
}
