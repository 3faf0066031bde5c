import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { describeSystemError, UserError } from "../../core/errors.js";
import { RUN_ID } from "../../core/ids.js";
import { linesOf, type Piece, readPiece } from "../../core/lines.js";
import { shortPath } from "../../core/text.js";
import { type TrialResult, trialResultSchema } from "../../report/suite-schema.js";

interface RunsIn {
  outputDir: string;
  cwd: string;
  /** Whether the latest run of the suite at this path is the one; undefined: it is no run of a suite. */
  isWanted: (suitePath: string | undefined) => boolean;
}

/**
 * The directory of a run that a user named: by its path, its id, or as `latest`.
 * @throws UserError (`usage`) when there is none
 */
export function findRunDir(named: string, { outputDir, cwd, isWanted }: RunsIn): string {
  if (named === "latest") {
    const latest = runDirs(outputDir).find((path) => existsSync(journalOf(path)) && isWanted(suiteOfRun(path)));
    if (latest !== undefined) return latest;
    throw new UserError(`there is no such run in ${outputDir}`, {
      code: "usage",
      hint: "run the suite first, or name a run directory or a run id",
    });
  }
  const places = [...(RUN_ID.test(named) ? [join(outputDir, named)] : []), resolve(cwd, named)];
  const found = places.find((path) => existsSync(journalOf(path)));
  if (found) return found;
  const looked = places.map((path) => shortPath(path, cwd)).join(" or ");
  const newest = runDirs(outputDir)
    .slice(0, NEWEST)
    .map((path) => basename(path));
  const there = newest.length > 0 ? `the newest are ${newest.join(", ")}` : `${shortPath(outputDir, cwd)} holds none`;
  const hint = `name a run directory, a run id, or \`latest\`; ${there}`;
  throw new UserError(`there is no run '${named}': no journal.jsonl in ${looked}`, { code: "usage", hint });
}

/** How many runs are named to one who named another. */
const NEWEST = 5;

/** The runs of cases that need not be run again, by the keys of their content. */
export interface FinishedTrials {
  has: (key: string) => boolean;
  /** Undefined where there is none, or no longer. */
  get: (key: string) => TrialResult | undefined;
}

/**
 * The runs of cases that an earlier run finished. They stay in its journal until they are asked for: all of them may be
 * more than fits into memory. Lines that can't be read are left out, and counted: a run that was killed may have left
 * half a line.
 * @throws UserError (`io`) when the journal can't be read
 */
export function finishedTrials(runDir: string): FinishedTrials & { unreadable: number } {
  const journal = journalOf(runDir);
  const places = new Map<string, Piece>();
  let unreadable = 0;
  let offset = 0;
  for (const line of readable(journal)) {
    const piece = { offset, length: line.length };
    offset += line.length + 1;
    if (line.length === 0) continue;
    const event = parseLine(line);
    if (event === undefined) unreadable++;
    for (const trial of trialsIn(event)) {
      const { data } = trialResultSchema.safeParse(trial);
      if (data === undefined) unreadable++;
      // Without a verdict it is not done: the service may be there now.
      else if (data.status !== "error") places.set(data.key, piece);
    }
  }
  return {
    unreadable,
    has: (key) => places.has(key),
    get(key) {
      const piece = places.get(key);
      if (piece === undefined) return undefined;
      const trials = trialsIn(parseLine(readPiece(journal, piece)));
      const { data } = trialResultSchema.safeParse(trials.find((trial) => (trial as TrialResult | null)?.key === key));
      return data && withPlaces(data, runDir);
    },
  };
}

/** The path of the suite that a run ran; undefined where its journal does not say. */
export function suiteOfRun(runDir: string): string | undefined {
  for (const line of readable(journalOf(runDir))) return parseLine(line)?.["suite_path"] as string | undefined;
  return undefined;
}

export function journalOf(runDir: string): string {
  return join(runDir, "journal.jsonl");
}

/** The files of the earlier run stay where they are. */
function withPlaces(trial: TrialResult, runDir: string): TrialResult {
  const evidence = Object.entries(trial.evidence).map(([name, path]) => [name, resolve(runDir, path)]);
  return { ...trial, evidence: Object.fromEntries(evidence) };
}

function* readable(journal: string): Generator<Buffer> {
  try {
    yield* linesOf(journal);
  } catch (error) {
    throw new UserError(`the journal of the run cannot be read: ${describeSystemError(error)}`, { code: "io" });
  }
}

/** A line of a journal; undefined: it can't be read. */
export function parseLine(line: Buffer): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(line.toString("utf8"));
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function trialsIn(event: Record<string, unknown> | undefined): readonly unknown[] {
  if (event?.["type"] === "trial.end") return [event["trial"]];
  return event?.["type"] === "item.end" ? trialsOf(event["result"]) : [];
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
