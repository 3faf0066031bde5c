import { realpathSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { describeSystemError, UserError } from "../core/errors.js";
import { readRegularFile } from "../core/read-file.js";
import { digestDefinition } from "./digest.js";
import { parseCheck } from "./parse.js";
import type { CheckDefinition } from "./schema.js";

/** A check as it was read, once: the digest is over these bytes and the run uses them. */
export interface CheckSnapshot<D extends CheckDefinition = CheckDefinition> {
  definition: D;
  /** Resolved path of the YAML file. */
  sourcePath: string;
  /** `sha256:<hex>` over the YAML bytes and those of the script it names. */
  sha256: string;
  script?: ScriptSnapshot;
}

/** The script that `script_path` names: its resolved path, and its bytes or why there are none. */
export type ScriptSnapshot =
  | { path: string; bytes: Uint8Array; unavailable?: undefined }
  | { path: string; bytes?: undefined; unavailable: string };

/** A check as it was found. */
export interface KnownCheck {
  /** Its definition as JSON. */
  text: string;
  /** Its file, a character for each byte. */
  source: string;
}

/**
 * Reads a check file and the script it names. A file that is still what is `known` of it is not parsed again.
 * @throws the file system's error when the YAML can't be read; UserError (`invalid_checks`) when it is no check.
 */
export function snapshotCheck(path: string, known?: KnownCheck): CheckSnapshot {
  const sourcePath = realpathSync.native(path);
  const bytes = readRegularFile(sourcePath);
  const definition: CheckDefinition =
    known?.source === bytes.toString("latin1") ? JSON.parse(known.text) : parseDefinition(bytes, sourcePath);
  if (definition.type !== "deterministic" || definition.script_path === undefined) {
    return { definition, sourcePath, sha256: digestDefinition(bytes) };
  }
  const script = readScript(sourcePath, definition.script_path);
  return { definition, sourcePath, sha256: digestDefinition(bytes, script.bytes ?? null), script };
}

function parseDefinition(bytes: Uint8Array, file: string): CheckDefinition {
  const { definition, problems } = parseCheck(bytes, file);
  if (!definition) throw new UserError("the check is not valid", { code: "invalid_checks", problems });
  return definition;
}

/** The script of a check; it is relative to the check's file. */
export function readScript(sourcePath: string, scriptPath: string): ScriptSnapshot {
  const path = resolve(dirname(sourcePath), scriptPath);
  try {
    const real = realpathSync.native(path);
    return { path: real, bytes: readRegularFile(real) };
  } catch (error) {
    return { path, unavailable: `the script cannot be read: ${describeSystemError(error)}` };
  }
}

/**
 * The digest of a check file, from the same read-once snapshot that a run takes.
 * @returns `sha256:` and 64 lowercase hexadecimal digits
 * @throws the file system's error when the file can't be read; UserError (`invalid_checks`) when it is no check
 */
export function computeCheckDefinitionSha256({ sourcePath }: { sourcePath: string }): string {
  return snapshotCheck(sourcePath).sha256;
}
