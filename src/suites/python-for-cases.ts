import { findPython } from "../process/python.js";
import type { RunContext } from "../run/context.js";
import type { TestCase } from "./test-case.js";

/** The interpreter for the scripts of cases, or why there is none; undefined where no case has a script. */
export async function pythonForCases(
  cases: readonly Pick<TestCase, "assertions">[],
  run: RunContext,
): Promise<RunContext["python"]> {
  const needed = cases.some(({ assertions }) => assertions.some(({ type }) => type.startsWith("script")));
  if (!needed) return undefined;
  return findPython({ ...run, cwd: run.projectRoot, configured: run.config["deterministic.python"] });
}
