import { createHash } from "node:crypto";
import { jsonFault } from "../../../core/json.js";
import { linesOf, type Piece, readPiece } from "../../../core/lines.js";

/** Where the recorded answers are in a file. The answers themselves stay there: there may be many, and large. */
export interface Recordings {
  /** Absolute. */
  file: string;
  /** As the target file writes it, for people. */
  name: string;
  byId: ReadonlyMap<string, readonly Place[]>;
  /** Lines that are no recorded answer. */
  faults: readonly Fault[];
}

interface Place extends Piece {
  /** From 1. */
  line: number;
  run?: number;
}

interface Fault {
  line: number;
  message: string;
}

const MAX_LINE = 64 * 1024 * 1024;

/** Reads a JSONL file once: where the answers of each case are, and the hash of all. @throws the file system's error */
export function indexRecordings(file: string, name: string): { recordings: Recordings; sha256: string } {
  const byId = new Map<string, Place[]>();
  const faults: Fault[] = [];
  const hash = createHash("sha256");
  let line = 0;
  let offset = 0;
  for (const bytes of linesOf(file, (chunk) => hash.update(chunk))) {
    line++;
    const found = identify(bytes, line === 1);
    if (typeof found === "string") faults.push({ line, message: found });
    if (typeof found === "object") {
      const { id, run } = found;
      const place = { line, offset, length: bytes.length, ...(run !== undefined && { run }) };
      byId.get(id)?.push(place) ?? byId.set(id, [place]);
    }
    offset += bytes.length + 1;
  }
  return { recordings: { file, name, byId, faults }, sha256: hash.digest("hex") };
}

/** Whose answer a line holds, or what is wrong with it; undefined for a blank one. */
function identify(bytes: Buffer, first: boolean): { id: string; run?: number } | string | undefined {
  if (bytes.length > MAX_LINE) return "is longer than 64 MiB";
  const value = parseLine(bytes, first);
  if (typeof value === "string" || value === undefined) return value;
  const id = value["case_id"] ?? value["id"];
  if (typeof id !== "string") return "has no `case_id`, a string";
  const run = value["run"];
  return { id, ...(typeof run === "number" && { run }) };
}

function parseLine(bytes: Buffer, first: boolean): Record<string, unknown> | string | undefined {
  const text = bytes.toString("utf8").replace(first ? /^\ufeff/ : "", "");
  if (text.trim() === "") return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : "is no JSON object";
  } catch (error) {
    return `is no JSON: ${jsonFault(error)}`;
  }
}

/**
 * The recorded answer of a run of a case; or why there is none. One that names its run is for that run; those that do
 * not are taken in order, and again from the first when there are more runs.
 */
export function readRecording(
  recordings: Recordings,
  { caseId, run }: { caseId: string; run: number },
): Record<string, unknown> | string {
  const { file, name } = recordings;
  const places = recordings.byId.get(caseId);
  if (places === undefined) return `${name} has no recorded output of case '${caseId}'${describeFaults(recordings)}`;
  const anyRun = places.filter((place) => place.run === undefined);
  const place = places.find((entry) => entry.run === run) ?? anyRun[(run - 1) % Math.max(1, anyRun.length)];
  if (place === undefined) {
    const known = places.map((entry) => entry.run).join(", ");
    return `${name} has no recorded output of run ${run} of case '${caseId}', only of run ${known}`;
  }
  const value = parseLine(readPiece(file, place), place.line === 1);
  const same = typeof value === "object" && (value["case_id"] ?? value["id"]) === caseId;
  return same ? value : `${name} was changed since the run began`;
}

function describeFaults({ faults }: Recordings): string {
  const [first, ...others] = faults;
  if (first === undefined) return "";
  return `; line ${first.line} ${first.message}${others.length > 0 ? `; and ${others.length} more such lines` : ""}`;
}
