import { didYouMean } from "../../core/suggest.js";
import type { Pattern } from "../../core/test-pattern.js";
import { translatePattern } from "../format/pattern.js";
import { buildAgent, buildCommand, buildModel, readInstructions, type TargetParts } from "./build-parts.js";
import type { Builder } from "./load-target.js";
import type { TargetFile, WrittenMember } from "./schema.js";
import type { Member, Stop } from "./target.js";

type WrittenTeam = Extract<TargetFile, { type: "team" }>;

/** How many replies a round of agents that never stops may have. */
const DEFAULT_MAX_TURNS = 10;

export function buildTeam(written: WrittenTeam, builder: Builder): TargetParts {
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
  const base = { name, path: builder.path, digest: "" };
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

function buildStop({ stop, agents }: WrittenTeam, { problem }: Builder): Stop {
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
