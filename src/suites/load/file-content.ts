import { describeSystemError, UserError } from "../../core/errors.js";
import { readRegularFile } from "../../core/read-file.js";

/** The bytes of a file that a suite names, or why it cannot be read. Never throws. */
export function fileContent(path: string): { bytes: Buffer } | { problem: string } {
  try {
    return { bytes: readRegularFile(path) };
  } catch (error) {
    return { problem: `cannot be read: ${error instanceof UserError ? error.message : describeSystemError(error)}` };
  }
}
