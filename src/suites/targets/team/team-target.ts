import * as z from "zod";
import { didYouMean } from "../../../core/suggest.js";
import type { Pattern } from "../../../core/test-pattern.js";
import { text, whole } from "../../format/fields.js";
import { translatePattern } from "../../format/pattern.js";
import { agent, agentFields, buildAgent } from "../agent/agent-target.js";
import { type Builder, readInstructions } from "../builder.js";
import type { Call } from "../call.js";
import { callSafely } from "../call-safely.js";
import { buildCommand, command, programFields } from "../command/command-target.js";
import { buildModel, model } from "../model/model-target.js";
import { defineTarget, type Parts, type TargetType } from "../target-type.js";
import { argv, common } from "../written-fields.js";
import type { Member, Stop, TeamTarget } from "./call-team.js";

const memberSchema = z.strictObject(
  {
    name: text("a string").describe("Unique in the team."),
    agent: text("the name of an agent").optional().describe("An agent's program; or `command`, or `model` alone."),
    command: argv.optional().describe("A program, in place of an agent."),
    ...agentFields,
    ...programFields,
  },
  "a mapping",
);

const schema = z.strictObject(
  {
    type: z.literal("team"),
    ...common,
    agents: z.array(memberSchema, "a list of agents").min(1, "a list of at least one agent").describe("Who is in it."),
    strategy: z
      .enum(["sequential", "round_robin"], "'sequential' or 'round_robin'")
      .default("sequential")
      .describe("Each once in order, or again and again."),
    max_turns: whole(1).optional().describe("Most replies; by default one of each, in rounds 10."),
    stop: z
      .strictObject(
        {
          keyword: text("a string").optional().describe("Occurs in the message, whatever its case."),
          regex: text("a regular expression").optional().describe("Matches somewhere in it; /…/ims for flags."),
          agents: z.array(z.string("a name"), "a list of names").default([]).describe("Whose; by default anyone's."),
        },
        "a mapping",
      )
      .default({ agents: [] })
      .describe("The message that ends the work."),
  },
  "a mapping",
);

type Written = z.infer<typeof schema>;
type WrittenMember = z.infer<typeof memberSchema>;

const memberTypes = { agent, command, model };

function typeOfMember(member: Pick<Member, "type">): TargetType<unknown, Member> {
  return memberTypes[member.type];
}

const callMember = (member: Member, call: Call) => callSafely(typeOfMember(member), member, call);

export const team = defineTarget<Written, TeamTarget, z.input<typeof schema>>({
  schema,
  build: buildTeam,
  call: async (target, call) => (await import("./call-team.js")).callTeam(target, call, callMember),
  variables: ({ members }) => members.flatMap((member) => typeOfMember(member).variables?.(member) ?? []),
  handedOut: ({ members }) => members.flatMap((member) => typeOfMember(member).handedOut?.(member) ?? []),
  configured: ({ members }) => members.map((member) => typeOfMember(member).configured?.(member) ?? null),
  usesProject: ({ members }, options) =>
    members.some((member) => typeOfMember(member).usesProject?.(member, options) ?? false),
  models: ({ members }) => members.flatMap((member) => typeOfMember(member).models?.(member) ?? []),
});

/** How many replies a round of agents that never stops may have. */
const DEFAULT_MAX_TURNS = 10;

function buildTeam(written: Written, builder: Builder): Parts<TeamTarget> {
  const names = written.agents.map(({ name }) => name);
  const members = written.agents.flatMap((member, index) => {
    const first = names.indexOf(member.name);
    if (first !== index)
      builder.problem(["agents", index, "name"], `'${member.name}' is the name of agents[${first}] too`);
    return buildMember(member, index, builder) ?? [];
  });
  return {
    type: "team",
    members,
    strategy: written.strategy,
    maxTurns: written.max_turns ?? (written.strategy === "sequential" ? names.length : DEFAULT_MAX_TURNS),
    stop: buildStop(written, builder),
  };
}

const ONE_KIND = "exactly one of 'agent' (which may have a 'model'), 'command' and 'model' is required";

function buildMember(written: WrittenMember, index: number, builder: Builder): Member | undefined {
  const { name, agent, command, model, reasoning_effort: effort, instructions } = written;
  const field = ["agents", index];
  const base = { name, path: builder.path, digest: "", reads: [] };
  if (command !== undefined && (agent !== undefined || model !== undefined)) {
    builder.problem([...field, "command"], `${ONE_KIND}, found two`);
    return undefined;
  }
  if (effort !== undefined && agent === undefined) {
    builder.problem([...field, "reasoning_effort"], "belongs to an 'agent'; for a model set it in its params");
  }
  for (const name of ["input", "cwd", "output"] as const) {
    if (written[name] !== undefined && command === undefined)
      builder.problem([...field, name], "belongs to a 'command'");
  }
  if (agent !== undefined) {
    const parts = buildAgent({ ...written, agent }, builder, field);
    return parts && { ...base, ...parts };
  }
  if (command !== undefined) {
    const { input, env, cwd, output } = written;
    const parts = buildCommand({ command, ...given({ input, env, cwd, output }) }, builder, [...field, "command"]);
    return parts && { ...base, ...parts, instructions: readInstructions(instructions, builder, field) };
  }
  if (model !== undefined) {
    const parts = buildModel({ model, instructions }, builder, field);
    return parts && { ...base, ...parts };
  }
  builder.problem(field, ONE_KIND);
  return undefined;
}

/** Without the fields that nobody wrote. */
function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}

function buildStop({ stop, agents }: Written, { problem }: Builder): Stop {
  const names = agents.map(({ name }) => name);
  for (const [index, name] of stop.agents.entries()) {
    if (names.includes(name)) continue;
    problem(["stop", "agents", index], `no agent of this team is called '${name}'${didYouMean(name, names)}`);
  }
  return { keyword: stop.keyword, regex: compile(stop.regex, problem), agents: stop.agents };
}

function compile(written: string | undefined, problem: Builder["problem"]): Pattern | undefined {
  const pattern = written === undefined ? undefined : translatePattern(written);
  if (!pattern || !("problem" in pattern)) return pattern;
  problem(["stop", "regex"], pattern.problem);
  return undefined;
}
