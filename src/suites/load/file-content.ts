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

/** Bytes as a text without its byte order mark; undefined where they are no UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
