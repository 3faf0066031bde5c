import { resolve } from "node:path";
import { PROJECT_DIR } from "../../config/project.js";
import { shortPath } from "../../core/text.js";
import { DEFAULT_TARGET } from "../default-paths.js";
import { candidates, findFile, isFile, type Places } from "../find-beside.js";

/**
 * The absolute path of a target file, or a sentence that says where it was looked for.
 * @param written as in the case, the command or the suite; undefined: the default one
 */
export function findTarget(written: string | undefined, places: Places): { path: string } | { problem: string } {
  if (written === undefined) return findDefault(places);
  // Last beside the default target: `targets/mine.yaml` is what is meant there.
  const inProjectDir = resolve(places.root, PROJECT_DIR, written);
  const path = findFile(written, places) ?? (isFile(inProjectDir) ? inProjectDir : undefined);
  if (path !== undefined) return { path };
  const looked = [...new Set([...candidates(written, places), inProjectDir])]
    .map((path) => shortPath(path))
    .join(" and at ");
  return { problem: `the target '${written}' does not exist: looked at ${looked}` };
}

function findDefault({ root }: Places): { path: string } | { problem: string } {
  const path = findFile(DEFAULT_TARGET, { directory: root, root });
  if (path !== undefined) return { path };
  return {
    problem: `there is no target: neither the case, nor --config, nor the suite names one with 'config', and ${DEFAULT_TARGET} does not exist`,
  };
}
