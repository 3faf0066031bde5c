import { findPython } from "../../process/python.js";
import type { RunContext } from "../../run/context.js";
import { createLauncher } from "../../run/python-launcher.js";
import type { TestCase } from "../test-case.js";

type ScriptedCase = Pick<TestCase, "id" | "assertions">;

/** The context with what the scripts of cases need: the interpreter, or why there is none, and what starts it. */
export async function withPython(
  run: RunContext,
  cases: readonly ScriptedCase[],
  warn: (message: string) => Promise<void>,
): Promise<RunContext> {
  const isScript = ({ type }: { type: string }) => type.startsWith("script");
  const ids = cases.flatMap(({ id, assertions }) => assertions.filter(isScript).map(() => id));
  if (ids.length === 0) return run;
  const python = await findPython({ ...run, cwd: run.projectRoot, configured: run.config["deterministic.python"] });
  return { ...run, python, launcher: createLauncher({ run, python, ids, warn }) };
}
