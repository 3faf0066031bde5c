import { constants } from "node:os";
import type { Readable } from "node:stream";
import type { Exit } from "./start.js";

/** One request to fork-server.py: its length and its fields; undefined where it can't be said. */
export function requestOf(fields: readonly string[]): Buffer | undefined {
  if (fields.some((field) => field.includes("\0"))) return undefined;
  const payload = fields.join("\0");
  const size = Buffer.byteLength(payload);
  const request = Buffer.allocUnsafe(4 + size);
  request.writeUInt32BE(size);
  request.write(payload, 4);
  return request;
}

/** An environment as the system takes it: `NAME=value`. */
export function entriesOf(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
}

/** How many leading elements two lists share. */
export function commonLength(list: readonly string[], other: readonly string[]): number {
  const index = list.findIndex((entry, i) => entry !== other[i]);
  return index < 0 ? list.length : index;
}

/** Calls `onLine` for every whole line. */
export function eachLine(stream: Readable, onLine: (line: string) => void): void {
  let rest = "";
  stream.setEncoding("latin1").on("data", (text: string) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  });
}

const NAMES = new Map(
  Object.entries(constants.signals)
    // The first of several names is the usual one.
    .reverse()
    .map(([name, number]) => [number, name as NodeJS.Signals]),
);

/** What a status of wait(2) says. */
export function exitOf(status: number): Exit {
  const signal = status & 0x7f;
  if (signal === 0) return { code: (status >> 8) & 0xff, signal: null };
  return { code: null, signal: NAMES.get(signal) ?? (`SIG${signal}` as NodeJS.Signals) };
}
