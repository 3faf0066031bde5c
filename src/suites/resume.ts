import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { describeSystemError, UserError } from "../core/errors.js";
import { RUN_ID } from "../core/ids.js";
import { type TrialResult, trialResultSchema } from "../report/suite-schema.js";
import { wasInterrupted } from "./case-result.js";

/** The line of the journal that keeps a run of a case until its case has ended. */
export interface TrialLine {
  type: "trial.end";
  case_id: string;
  trial: TrialResult;
}

/**
 * The directory of a run that a user named, by its path or its id.
 * @throws UserError (`usage`) when there is none
 */
export function findRunDir(named: string, { outputDir, cwd }: { outputDir: string; cwd: string }): string {
  const places = [...(RUN_ID.test(named) ? [join(outputDir, named)] : []), resolve(cwd, named)];
  const found = places.find((path) => existsSync(join(path, "journal.jsonl")));
  if (found) return found;
  throw new UserError(`there is no run '${named}': no journal.jsonl in ${places.join(" or ")}`, {
    code: "usage",
    hint: "name a run directory, or a run id",
  });
}

/**
 * The runs of cases that an earlier run finished, by the keys of their content. Lines that can't be read are left out,
 * and counted: a run that was killed may have left half a line.
 */
export function finishedTrials(runDir: string): { trials: Map<string, TrialResult>; unreadable: number } {
  const trials = new Map<string, TrialResult>();
  let unreadable = 0;
  const add = (value: unknown) => {
    const { data } = trialResultSchema.safeParse(value);
    if (data === undefined) unreadable++;
    else if (!wasInterrupted(data)) trials.set(data.key, withPlaces(data, runDir));
  };
  for (const line of journalLines(runDir)) {
    const event = parse(line);
    if (event?.["type"] === "trial.end") add(event["trial"]);
    else if (event?.["type"] === "item.end") for (const trial of trialsOf(event["result"])) add(trial);
    else if (event === undefined) unreadable++;
  }
  return { trials, unreadable };
}

/** The files of the earlier run stay where they are. */
function withPlaces(trial: TrialResult, runDir: string): TrialResult {
  const evidence = Object.entries(trial.evidence).map(([name, path]) => [name, resolve(runDir, path)]);
  return { ...trial, evidence: Object.fromEntries(evidence) };
}

function journalLines(runDir: string): string[] {
  try {
    return readFileSync(join(runDir, "journal.jsonl"), "utf8").split("\n").filter(Boolean);
  } catch (error) {
    throw new UserError(`the journal of the run cannot be read: ${describeSystemError(error)}`, { code: "io" });
  }
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function trialsOf(result: unknown): unknown[] {
  const { trials } = (result ?? {}) as { trials?: unknown };
  return Array.isArray(trials) ? trials : [];
}

/** The directories of the runs in `outputDir`, the latest first. */
export function runDirs(outputDir: string): string[] {
  const paths = names(outputDir).map((name) => join(outputDir, name));
  // The id of a run tells its second.
  const begun = new Map(paths.map((path) => [path, statSync(path, { throwIfNoEntry: false })?.birthtimeMs ?? 0]));
  const second = (path: string) => basename(path).slice(0, 15);
  return paths.sort((a, b) => second(b).localeCompare(second(a)) || (begun.get(b) ?? 0) - (begun.get(a) ?? 0));
}

function names(outputDir: string): string[] {
  try {
    return readdirSync(outputDir).filter((name) => RUN_ID.test(name));
  } catch {
    return [];
  }
}
