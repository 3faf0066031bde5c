import { type Pattern, testPattern } from "../../../core/test-pattern.js";
import { foldCase } from "../../../core/text.js";
import { emptySession, type Message, type Session } from "../../session.js";
import { taskText } from "../../test-case.js";
import { partContext } from "../../trial-context.js";
import type { AgentTarget } from "../agent/call-agent-target.js";
import type { Call } from "../call.js";
import type { CommandTarget } from "../command/call-command.js";
import type { ModelTarget } from "../model/call-model.js";
import type { TargetBase } from "../target-type.js";
import { teamPrompt } from "./team-prompt.js";

/** Several agents that work on one task. */
export interface TeamTarget extends TargetBase {
  type: "team";
  members: readonly Member[];
  strategy: "sequential" | "round_robin";
  maxTurns: number;
  stop: Stop;
}

/** One of a team: what is called for it, under its name. */
export type Member = AgentTarget | CommandTarget | ModelTarget;

/** When a team is done: a message of one of `agents`, or of anyone where none are named, holds one of these. */
export interface Stop {
  keyword?: string | undefined;
  regex?: Pattern | undefined;
  agents: readonly string[];
}

/**
 * Lets several agents work on one task: each gets the task and the conversation so far, one reply is one turn. It ends
 * when a message matches `stop`, after `maxTurns`, in sequence after the last agent, or when one of them fails.
 */
export async function callTeam(
  target: TeamTarget,
  call: Call,
  callMember: (member: Member, call: Call) => Promise<Session>,
): Promise<Session> {
  const deadline = call.timeoutMs === undefined ? undefined : performance.now() + call.timeoutMs;
  const task = taskText(call.input);
  let total: Session = { ...emptySession, costUsd: 0, messages: [{ role: "user", content: task }] };
  for (const [index, member] of turnsOf(target)) {
    const left = deadline === undefined ? undefined : deadline - performance.now();
    const prompt = teamPrompt({ task, said: total.messages.slice(1), name: member.name });
    const part = `turn-${index + 1}`;
    const reply =
      left !== undefined && left <= 0
        ? { ...emptySession, costUsd: 0, error: "timed out" }
        : await callMember(member, {
            ...call,
            input: prompt,
            timeoutMs: left,
            context: partContext(call.context, part),
          });
    total = addReply(total, reply, { name: member.name, part });
    if (reply.error !== null) {
      total = { ...total, error: describeFailure(reply.error, member, call), unavailable: reply.unavailable };
      break;
    }
    const stopped = await matchesStop(target.stop, member.name, reply.output);
    if (typeof stopped === "string") total = { ...total, error: stopped };
    if (stopped !== false) break;
  }
  return { ...total, output: finalMessage(total.messages, target.stop) };
}

function* turnsOf({ members, strategy, maxTurns }: TeamTarget): Generator<[number, Member]> {
  const turns = strategy === "sequential" ? Math.min(maxTurns, members.length) : maxTurns;
  for (let index = 0; index < turns; index++) {
    const member = members[index % members.length];
    if (member) yield [index, member];
  }
}

function addReply(total: Session, reply: Session, { name, part }: { name: string; part: string }): Session {
  const message: Message = { role: "assistant", name, content: reply.output };
  const answered = reply.error === null || reply.output !== "";
  // A part of the cost would pass for all of it.
  const isKnown = total.costUsd !== undefined && reply.costUsd !== undefined;
  const costUsd = isKnown ? (total.costUsd ?? 0) + (reply.costUsd ?? 0) : undefined;
  const evidence = Object.entries(reply.evidence).map(([key, path]) => [`${part}.${key}`, path]);
  return {
    ...total,
    messages: answered ? [...total.messages, message] : total.messages,
    toolCalls: [...total.toolCalls, ...reply.toolCalls],
    turns: total.turns + (answered ? 1 : 0),
    inputTokens: total.inputTokens + reply.inputTokens,
    outputTokens: total.outputTokens + reply.outputTokens,
    costUsd,
    ...(reply.model !== undefined && { model: reply.model }),
    durationMs: total.durationMs + reply.durationMs,
    retries: total.retries + reply.retries,
    evidence: { ...total.evidence, ...Object.fromEntries(evidence) },
  };
}

/** A member had only what was left of the time. */
function describeFailure(error: string, { name }: Member, { timeoutMs = 0 }: Call): string {
  return `${name}: ${error.replace(/^timed out(?: after [\d.]+ s)?/, `timed out after ${timeoutMs / 1000} s`)}`;
}

/** Whether a message ends the work; a sentence when that can't be said. */
async function matchesStop({ keyword, regex, agents }: Stop, name: string, text: string): Promise<boolean | string> {
  if (agents.length > 0 && !agents.includes(name)) return false;
  if (keyword !== undefined && foldCase(text).includes(foldCase(keyword))) return true;
  if (regex === undefined) return false;
  const result = await testPattern(regex, text);
  if (typeof result === "boolean") return result;
  return `the stop regex /${regex.source}/ can't be used on a message of ${name}: ${result.problem}`;
}

/** The last message of an agent that may end the work, else the last one. */
function finalMessage(messages: readonly Message[], { agents }: Stop): string {
  const said = messages.filter(({ role }) => role === "assistant");
  const final = said.findLast(({ name }) => agents.includes(name ?? "")) ?? said.at(-1);
  return final?.content ?? "";
}
