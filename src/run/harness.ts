import { cannotInject } from "../agents/command.js";
import { agentNamed, resolveAgents } from "../agents/resolve.js";
import type { AgentTemplate } from "../agents/templates.js";
import type { LoadedConfig } from "../config/load.js";
import type { Config } from "../config/settings.js";

/** An agent as it is called: the judge of a run, or one that is under test. */
export interface Harness {
  name: string;
  template: AgentTemplate;
  /** Variables for the agent, as the user wrote them: `{env:NAME}` is not replaced. */
  env: Readonly<Record<string, string>>;
}

/**
 * The agent of that name.
 * @throws UserError (`harness`) when it is unknown, (`config`) when `[agents.*]` is not usable
 */
export function createHarness(project: LoadedConfig, name: string): Harness {
  const template = agentNamed(name, resolveAgents(project.agents));
  return { name, template, env: { ...template.provider_env, ...project.config["harness.env"] } };
}

/** The model and the effort that are judged with; `refused` says why the agent can't be given them. */
export function judgeSettings(
  { name, template }: Pick<Harness, "name" | "template">,
  config: Config,
  wanted: { model?: string | undefined; reasoningEffort?: string | undefined },
) {
  const model = wanted.model ?? config["harness.model"] ?? template.default_model;
  const effort = wanted.reasoningEffort ?? config["harness.reasoning_effort"] ?? template.reasoning_effort;
  return { model, effort, refused: cannotInject(name, template, { model, effort }) };
}

/** What stands for the model of an agent that is not told one. */
export function defaultModelOf({ name }: Harness): string {
  return `the default model of ${name}`;
}
