import type { AgentOverrides } from "../config/agent-template.js";
import { type Problem, UserError } from "../core/errors.js";
import { didYouMean } from "../core/suggest.js";
import { type AgentTemplate, builtinAgents } from "./templates.js";

/**
 * The agents that can be used: the built-in ones with the user's overrides, and the user's own.
 * @param overrides `[agents.*]` as written; an empty string there unsets a field
 * @throws UserError (`config`) when an agent of the user's own has no command
 */
export function resolveAgents(overrides: Record<string, AgentOverrides>): Record<string, AgentTemplate> {
  const agents: Record<string, AgentTemplate> = { ...builtinAgents };
  const problems: Problem[] = [];
  for (const [name, fields] of Object.entries(overrides)) {
    const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ""));
    const unset = Object.keys(fields).filter((key) => fields[key as keyof AgentOverrides] === "");
    const base = Object.hasOwn(builtinAgents, name) ? builtinAgents[name] : CUSTOM_DEFAULTS;
    const template = { ...base, ...given } as AgentTemplate;
    for (const key of unset) delete template[key as keyof AgentTemplate];
    agents[name] = template;
    if (template.command === undefined) {
      const suggestion = didYouMean(name, Object.keys(builtinAgents));
      problems.push({
        field: `agents.${name}.command`,
        message: `is required for an agent that is not built in${suggestion}: a list of strings`,
      });
    }
  }
  if (problems.length > 0) throw new UserError("the configuration is not valid", { code: "config", problems });
  return agents;
}

const CUSTOM_DEFAULTS = { output_format: "text", prompt_via: "arg" } as const;

/** @throws UserError (`config`) that lists the known names */
export function agentNamed(name: string, agents: Record<string, AgentTemplate>): AgentTemplate {
  const template = Object.hasOwn(agents, name) ? agents[name] : undefined;
  if (template) return template;
  const known = Object.keys(agents).sort();
  throw new UserError(`unknown agent '${name}'${didYouMean(name, known)}`, {
    code: "harness",
    hint: `the known ones are ${known.join(", ")}; define others in [agents.<name>] of .eval-banana/config.toml`,
  });
}
