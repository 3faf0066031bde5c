import * as z from "zod";
import { cannotInject } from "../../../agents/command.js";
import { envNamesIn, variablesIn } from "../../../core/env.js";
import { didYouMean } from "../../../core/suggest.js";
import { defaultModelOf } from "../../../run/harness.js";
import { text } from "../../format/fields.js";
import { type Builder, type Path, readInstructions } from "../builder.js";
import { noteProgram } from "../command/command-target.js";
import { defineTarget, type Parts } from "../target-type.js";
import { common, instructions, strings } from "../written-fields.js";
import type { AgentTarget } from "./call-agent-target.js";

/** What may be said of an agent, also where it is one of several. */
export const agentFields = {
  model: text("a string").optional().describe("By default that of the agent."),
  reasoning_effort: text("a string").optional().describe("By default that of the agent."),
  instructions,
};

const schema = z.strictObject(
  {
    type: z.literal("agent"),
    ...common,
    agent: text("the name of an agent").describe("A built-in one, or one of [agents.*]."),
    ...agentFields,
    env: strings.default({}).describe("{env:NAME} takes a value from the environment."),
  },
  "a mapping",
);

type Written = z.infer<typeof schema>;

export const agent = defineTarget<Written, AgentTarget, z.input<typeof schema>>({
  schema,
  build: (written, builder) => buildAgent(written, builder, []),
  call: async (target, call) => (await import("./call-agent-target.js")).callAgentTarget(target, call),
  variables: ({ agent: { env } }) => variablesIn(env),
  handedOut: ({ agent: { template } }) => envNamesIn(template.provider_env ?? {}),
  configured: (parts) => parts.agent,
  usesProject: ({ isOwn }, { hasWorkspace }) => isOwn || !hasWorkspace,
  models: (parts) => [parts.model ?? defaultModelOf(parts.agent)],
  runsProgram: true,
});

/** @param field where the agent stands */
export function buildAgent(
  written: Pick<Written, "agent" | "model" | "reasoning_effort" | "instructions"> & {
    env?: Record<string, string> | undefined;
  },
  builder: Builder,
  field: Path,
): Parts<AgentTarget> | undefined {
  const { agents, problem } = builder;
  const told = readInstructions(written.instructions, builder, field);
  const template = Object.hasOwn(agents, written.agent) ? agents[written.agent] : undefined;
  if (template === undefined) {
    const known = Object.keys(agents).sort();
    const list = `the known ones are ${known.join(", ")}; define others in [agents.<name>] of the configuration`;
    problem([...field, "agent"], `unknown agent '${written.agent}'${didYouMean(written.agent, known)}: ${list}`);
    return undefined;
  }
  const model = written.model ?? template.default_model;
  const effort = written.reasoning_effort ?? template.reasoning_effort;
  const refused = cannotInject(written.agent, template, { model, effort });
  if (refused !== undefined) problem([...field, "agent"], refused);
  const { command, shared_flags: flags = [] } = template;
  const isOwn = noteProgram([...command, ...flags], { cwd: builder.places.root, builder });
  const env = { ...template.provider_env, ...written.env };
  const agent = { name: written.agent, template, env };
  return { type: "agent", agent, model, effort, instructions: told, isOwn };
}
