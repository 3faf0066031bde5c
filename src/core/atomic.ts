import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { isSystemError } from "./errors.js";

const CHUNK = 64 * 1024;
let counter = 0;

/** Writes a whole file so that a reader sees the old one or the new one, never half: temporary sibling, then rename. */
export function writeFileAtomic(path: string, content: string | Uint8Array | Iterable<string>): void {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}-${counter++}.tmp`);
  try {
    if (typeof content === "string" || content instanceof Uint8Array) writeFileSync(temporary, content, { flag: "wx" });
    else writeChunks(temporary, content, "wx");
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

/**
 * Writes a document to a path that a person named. A link is followed and a device or pipe (`/dev/stdout`) written to:
 * a rename would put a file in their place.
 */
export function writeDocument(path: string, chunks: Iterable<string>): void {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) writeFileAtomic(path, chunks);
  else if (stat.isFile()) writeFileAtomic(realpathSync(path), chunks);
  else writeChunks(path, chunks, "w");
}

function writeChunks(path: string, chunks: Iterable<string>, flag: "w" | "wx"): void {
  const fd = openSync(path, flag);
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

/** Appends a line, or nothing of it: no half one stays before the next. */
export function appendLine(fd: number, line: string): void {
  const stat = fstatSync(fd);
  try {
    writeAll(fd, `${line}\n`);
  } catch (error) {
    if (stat.isFile()) ftruncateSync(fd, stat.size);
    throw error;
  }
}

/** Writes all of `content`, which one `write` may take only a part of; returns its length in bytes. */
export function writeAll(fd: number, content: string | Uint8Array, position: number | null = null): number {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  let done = 0;
  while (done < bytes.length) {
    done += writeSync(fd, bytes, done, bytes.length - done, position === null ? null : position + done);
  }
  return bytes.length;
}
