import { closeSync, openSync, renameSync, unlinkSync, writeFileSync, writeSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isSystemError } from "./errors.js";

const CHUNK = 64 * 1024;
let counter = 0;

/** Writes a whole file so that a reader sees the old one or the new one, never half: temporary sibling, then rename. */
export function writeFileAtomic(path: string, content: string | Uint8Array | Iterable<string>): void {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}-${counter++}.tmp`);
  try {
    if (typeof content === "string" || content instanceof Uint8Array) writeFileSync(temporary, content, { flag: "wx" });
    else writeChunks(temporary, content);
    renameSync(temporary, path);
  } catch (error) {
    // For people: the file that was meant, not the temporary one.
    if (isSystemError(error)) error.path = path;
    try {
      unlinkSync(temporary);
    } catch {
      // It was never made, or is gone: the first error is the one to tell.
    }
    throw error;
  }
}

function writeChunks(path: string, chunks: Iterable<string>): void {
  const fd = openSync(path, "wx");
  try {
    let pending = "";
    for (const chunk of chunks) {
      pending += chunk;
      if (pending.length < CHUNK) continue;
      writeAll(fd, pending);
      pending = "";
    }
    writeAll(fd, pending);
  } finally {
    closeSync(fd);
  }
}

/** Writes all of `text`: one `write` may take only a part of it. */
export function writeAll(fd: number, text: string): number {
  const bytes = Buffer.from(text);
  let done = 0;
  while (done < bytes.length) done += writeSync(fd, bytes, done);
  return bytes.length;
}
