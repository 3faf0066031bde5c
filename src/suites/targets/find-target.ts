import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** The target of suites that name none; relative to the project root. */
const DEFAULT_TARGET = ".eval-banana/targets/default.yaml";

export interface FindOptions {
  /** Absolute path of the file that names it; undefined: a person did, in the project root. */
  namedBy?: string | undefined;
  projectRoot: string;
}

/**
 * The absolute path of a target file, or a sentence that says where it was looked for.
 * @param written as in the case, the command or the suite; undefined: the default one
 */
export function findTarget(written: string | undefined, options: FindOptions): { path: string } | { problem: string } {
  const path = findFile(
    written ?? DEFAULT_TARGET,
    written === undefined ? { projectRoot: options.projectRoot } : options,
  );
  if (path !== undefined) return { path };
  if (written === undefined) {
    return {
      problem: `there is no target: neither the case, nor --config, nor the suite names one with 'config', and ${DEFAULT_TARGET} does not exist`,
    };
  }
  const places = placesOf(written, options).join(" and at ");
  return { problem: `the target '${written}' does not exist: looked at ${places}` };
}

/** A file that another one names: relative to that one, then to the project root. Undefined when it is at neither. */
export function findFile(written: string, options: FindOptions): string | undefined {
  return placesOf(written, options).find(isFile);
}

/** What can't be a path is none, e.g. a script among the arguments of a program. */
function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function placesOf(written: string, { namedBy, projectRoot }: FindOptions): string[] {
  const first = namedBy === undefined ? [] : [resolve(dirname(namedBy), written)];
  return [...new Set([...first, resolve(projectRoot, written)])];
}
