import { DEFAULT_TARGET } from "../default-paths.js";
import { candidates, findFile, type Places } from "../find-beside.js";

/**
 * The absolute path of a target file, or a sentence that says where it was looked for.
 * @param written as in the case, the command or the suite; undefined: the default one
 */
export function findTarget(written: string | undefined, places: Places): { path: string } | { problem: string } {
  if (written === undefined) return findDefault(places);
  const path = findFile(written, places);
  if (path !== undefined) return { path };
  return {
    problem: `the target '${written}' does not exist: looked at ${candidates(written, places).join(" and at ")}`,
  };
}

function findDefault({ root }: Places): { path: string } | { problem: string } {
  const path = findFile(DEFAULT_TARGET, { directory: root, root });
  if (path !== undefined) return { path };
  return {
    problem: `there is no target: neither the case, nor --config, nor the suite names one with 'config', and ${DEFAULT_TARGET} does not exist`,
  };
}
