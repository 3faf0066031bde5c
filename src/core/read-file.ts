import { readFileSync, statSync } from "node:fs";
import { isSystemError, UserError } from "./errors.js";

/** What Node reads at most. */
const MAX_BYTES = 2 ** 31 - 1;

/**
 * The bytes of a regular file. A pipe or a device is refused: reading it could last for ever.
 * @throws the file system's error, which names the path; UserError (`io`) for what is no regular file
 */
export function readRegularFile(path: string): Buffer {
  const stat = statSync(path);
  // A directory fails by itself when it is read.
  if (!stat.isFile() && !stat.isDirectory()) throw new UserError(`it is not a regular file: ${path}`, { code: "io" });
  if (stat.size > MAX_BYTES) throw new UserError(`it is larger than 2 GiB: ${path}`, { code: "io" });
  try {
    return readFileSync(path);
  } catch (error) {
    if (isSystemError(error)) error.path ??= path;
    throw error;
  }
}
