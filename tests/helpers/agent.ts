import type { Options } from "execa";
import { tomlValue } from "../../src/config/template.js";
import type { CheckResult } from "../../src/report/schema.js";
import { type Finished, type Project, PYTHON, project } from "./project.js";

/** What every stand-in for an agent has at hand: a real process in Python, which answers as it is told to. */
export const STAND_IN_HEAD = `import json, os, re, subprocess, sys, time
prompt = sys.argv[-1]
check = os.environ["EVAL_BANANA_CHECK_ID"]
def token():
    return re.search('"token": "([0-9a-f]+)"', prompt)[1]
def say(data):
    sys.stdout.buffer.write(data if isinstance(data, bytes) else data.encode())
    sys.stdout.flush()
def verdict(score, reason="so it is", **more):
    say(json.dumps({"score": score, "reason": reason, **more}) + "\\n")
`;

export interface StandInOptions {
  /** More fields of the check, or of several checks by their ids. */
  check?: Record<string, unknown>;
  checks?: Record<string, Record<string, unknown>>;
  /** More fields of the agent's template. */
  template?: Record<string, unknown>;
  /** More of the configuration, as TOML; `[agents.stand-in]` comes after it. */
  config?: string;
  files?: Record<string, string | Uint8Array>;
}

/** A project with judge checks, by default one named `it`, whose agent runs `body`. */
export function standIn(body: string, options: StandInOptions = {}): Project {
  const { check = {}, checks = { it: check }, template = {}, config = "", files = {} } = options;
  const fields = { command: [PYTHON, "-S", "agent.py"], ...template };
  return project({
    "agent.py": STAND_IN_HEAD + body,
    ".eval-banana/config.toml": `${config}\n${agentTable("stand-in", fields)}`,
    ...Object.fromEntries(
      Object.entries(checks).map(([id, more]) => [`eval_checks/${id}.yaml`, judgeCheck({ id, ...more })]),
    ),
    ...files,
  });
}

/** `[agents.<name>]` as TOML. */
export function agentTable(name: string, fields: Record<string, unknown>): string {
  const lines = Object.entries(fields).map(([key, value]) => `${key} = ${tomlValue(value)}`);
  return [`[agents.${name}]`, ...lines, ""].join("\n");
}

/** The YAML of a judge check. */
export function judgeCheck(fields: Record<string, unknown> & { id: string }): string {
  return JSON.stringify({
    schema_version: 1,
    type: "harness_judge",
    description: `Judges ${fields.id}`,
    instructions: "Look at it.",
    ...fields,
  });
}

/** Runs a project's checks with the stand-in as judge. */
export function runJudges(p: Project, args: readonly string[] = [], options: Options = {}): Promise<Finished> {
  return p.eb(["run", "--harness-agent", "stand-in", ...args], options);
}

/** Runs one check with a stand-in that does what `body` says; returns what came of it. */
export async function judge(body: string, options: StandInOptions & { args?: string[]; env?: NodeJS.ProcessEnv } = {}) {
  const p = standIn(body, options);
  const finished = await runJudges(p, options.args, { env: options.env ?? {} });
  return { p, ...finished, result: p.result("it") };
}

/** Runs many checks at once, each with an agent that prints certain bytes; `TOKEN` in them stands for the token. */
export async function judgeAnswers<Id extends string>(
  answers: Record<Id, string | Uint8Array>,
  options: StandInOptions = {},
): Promise<Record<Id, CheckResult>> {
  const entries = Object.entries<string | Uint8Array>(answers);
  const p = standIn(`say(open("says/" + check, "rb").read().replace(b"TOKEN", token().encode()))`, {
    ...options,
    checks: Object.fromEntries(entries.map(([id]) => [id, options.check ?? {}])),
    files: Object.fromEntries(entries.map(([id, bytes]) => [`says/${id}`, bytes])),
  });
  await runJudges(p);
  return Object.fromEntries(p.report().checks.map((result) => [result.check_id, result])) as Record<Id, CheckResult>;
}

/** Events as an agent prints them, one on a line. */
export function events(...list: readonly unknown[]): string {
  return list.map((event) => `${JSON.stringify(event)}\n`).join("");
}
