import { resolveAgents } from "../agents/resolve.js";
import type { LoadedConfig } from "../config/load.js";
import { UserError } from "../core/errors.js";
import { createHarness, type Harness } from "../run/harness.js";
import type { PlannedCheck } from "./plan.js";

/**
 * The agent for the judge checks among `checks`; undefined when there are none.
 * @throws UserError (`harness`) when none is configured or it is unknown, (`config`) when `[agents.*]` is not usable
 */
export function harnessForChecks(project: LoadedConfig, checks: readonly PlannedCheck[]): Harness | undefined {
  const first = checks.find(({ type }) => type === "harness_judge");
  if (!first) {
    resolveAgents(project.agents);
    return undefined;
  }
  const name = project.config["harness.agent"];
  if (name === undefined) {
    throw new UserError(`a judge is needed and no agent is configured: ${first.sourcePath} is a harness_judge check`, {
      code: "harness",
      hint: "set [harness] agent in .eval-banana/config.toml, or use --harness-agent; `eb agents` prints those there are",
    });
  }
  return createHarness(project, name);
}
