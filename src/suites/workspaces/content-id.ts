import { lstatSync, readFileSync, readlinkSync, type Stats, statSync } from "node:fs";
import { crypto } from "../../core/ids.js";

/** What is larger is told by its size and the time of its last change: it would be read in every run. */
const LARGE_BYTES = 20e6;

/**
 * `<mode> <id>` of a file as git would write it, so that what is committed stays what it was; of a link also what it
 * leads to. Something else where there is no file.
 * @param length of git's ids in this repository: 40, or 64 for SHA-256
 */
export function contentId(path: Buffer, length: number): string {
  try {
    const stat = lstatSync(path);
    if (!stat.isSymbolicLink()) return stat.isFile() ? fileId(path, stat, length) : "no file";
    const id = `120000 ${blobId(readlinkSync(path, { encoding: "buffer" }), length)}`;
    const end = statSync(path, { throwIfNoEntry: false });
    return end?.isFile() ? `${id} ${fileId(path, end, length)}` : id;
  } catch {
    // It may be gone, or not to be read: the target can't read it either.
    return "no file";
  }
}

function fileId(path: Buffer, { size, mode, mtimeMs }: Stats, length: number): string {
  const kind = mode & 0o100 ? "100755" : "100644";
  return size > LARGE_BYTES ? `${kind} ${size} ${mtimeMs}` : `${kind} ${blobId(readFileSync(path), length)}`;
}

function blobId(content: Uint8Array, length: number): string {
  const hash = crypto().createHash(length === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${content.length}\0`).update(content).digest("hex");
}
