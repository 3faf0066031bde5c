import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CaseLine, SuiteReport } from "../../src/report/suite-schema.js";
import { type Project, project } from "./project.js";

/**
 * A target that notes every call in `calls.jsonl` and answers by what it is asked: `say X` is answered with X,
 * `sometimes X` only in odd runs, `crash` ends it, `sleep N` takes N milliseconds.
 */
const TARGET = `const { appendFileSync, readFileSync } = require("node:fs");
const { input, case_id, run } = JSON.parse(readFileSync(0, "utf8"));
appendFileSync(process.env.CALLS, JSON.stringify({ case_id, run }) + "\\n");
const [verb, ...rest] = String(input).split(" ");
const text = rest.join(" ");
const answer = (output) => process.stdout.write(JSON.stringify({
  output, turns: 2, usage: { input_tokens: 10, output_tokens: 5 }, cost_usd: 0.01,
}));
if (verb === "crash") { console.error("no more"); process.exit(3); }
else if (verb === "sleep") setTimeout(() => answer("slept"), Number(text));
else answer(verb === "sometimes" && run % 2 === 0 ? "nothing" : text);
`;

export const TARGET_FILE = `type: command
command: [node, "{root}/target.cjs"]
input: json-stdin
output: json
`;

/** A project with a suite and a target that counts its calls. */
export function suiteProject(suite: string, files: Record<string, string> = {}): Project {
  const p = project({ ".eval-banana/evals/suite.yaml": suite, "target.cjs": TARGET, ...files });
  const target = TARGET_FILE.replace("{root}", p.root);
  if (!p.has(".eval-banana/targets/default.yaml")) p.write({ ".eval-banana/targets/default.yaml": target });
  return p;
}

/** Runs `eb suite run` with a place for the target to count in. */
export function runSuite(p: Project, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  return p.eb(["suite", "run", ...args], { env: { CALLS: p.path("calls.jsonl"), ...env } });
}

/** The calls of the target so far, sorted. */
export function callsOf(p: Project): string[] {
  if (!p.has("calls.jsonl")) return [];
  return jsonLines<{ case_id: string; run: number }>(p.path("calls.jsonl"))
    .map(({ case_id, run }) => `${case_id} ${run}`)
    .sort();
}

export function jsonLines<T>(path: string): T[] {
  const lines = readFileSync(path, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

export function caseLines(p: Project, path = "out.jsonl"): CaseLine[] {
  return jsonLines(p.path(path));
}

/** The report of the latest run. */
export function suiteReport(p: Project): SuiteReport {
  const latest = p.runDirs().at(-1);
  if (latest === undefined) throw new Error("there is no run");
  return JSON.parse(readFileSync(join(latest, "report.json"), "utf8"));
}

/** What the latest run says of a case. */
export function caseOf(p: Project, id: string): SuiteReport["cases"][number] {
  const found = suiteReport(p).cases.find(({ case_id }) => case_id === id);
  if (!found) throw new Error(`no result of ${id}`);
  return found;
}

/** The names of the files of cases in the latest run. */
export function caseFiles(p: Project): string[] {
  return readdirSync(join(p.runDirs().at(-1) ?? "", "cases"));
}
