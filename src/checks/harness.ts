import { cannotInject } from "../agents/command.js";
import { agentNamed, resolveAgents } from "../agents/resolve.js";
import type { AgentTemplate } from "../agents/templates.js";
import type { LoadedConfig } from "../config/load.js";
import type { Config } from "../config/settings.js";
import { UserError } from "../core/errors.js";
import type { PlannedCheck } from "./plan.js";
import type { JudgeCheck } from "./schema.js";

/** The agent that judges in a run. */
export interface Harness {
  name: string;
  template: AgentTemplate;
  /** Variables for the agent, as the user wrote them: `{env:NAME}` is not replaced. */
  env: Readonly<Record<string, string>>;
}

/**
 * The agent for the judge checks among `checks`; undefined when there are none.
 * @throws UserError (`harness`) when none is configured or it is unknown, (`config`) when `[agents.*]` is not usable
 */
export function harnessFor(project: LoadedConfig, checks: readonly PlannedCheck[]): Harness | undefined {
  const agents = resolveAgents(project.agents);
  const first = checks.find(({ type }) => type === "harness_judge");
  if (!first) return undefined;
  const name = project.config["harness.agent"];
  if (name === undefined) {
    throw new UserError(`a judge is needed and no agent is configured: ${first.sourcePath} is a harness_judge check`, {
      code: "harness",
      hint: "set [harness] agent in .eval-banana/config.toml, or use --harness-agent; `eb agents` prints those there are",
    });
  }
  const template = agentNamed(name, agents);
  return { name, template, env: { ...template.provider_env, ...project.config["harness.env"] } };
}

/** The model and the effort that a check is judged with; `refused` says why the agent can't be given them. */
export function judgeSettings(
  { name, template }: Pick<Harness, "name" | "template">,
  config: Config,
  definition: JudgeCheck,
) {
  const model = definition.model ?? config["harness.model"] ?? template.default_model;
  const effort = config["harness.reasoning_effort"] ?? template.reasoning_effort;
  return { model, effort, refused: cannotInject(name, template, { model, effort }) };
}
