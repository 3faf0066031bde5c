import { existsSync, mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { describeSystemError } from "../../core/errors.js";
import { makeDirectory } from "../../core/make-directory.js";
import type { TrialContext } from "../trial-context.js";
import type { Workspace } from "../workspace.js";
import { withoutRepository } from "./git.js";
import { type Room, roomAt } from "./remove.js";
import { isWithin } from "./tree.js";

const PLACE_VARIABLE = "EVAL_BANANA_WORKSPACES";

/** A directory that only we can read, and in it the empty one of a workspace. */
export interface Place {
  room: Room;
  directory: string;
}

/**
 * Makes the directory of a workspace, where neither a person's files nor a repository are above it: one that is never
 * kept goes with the run, however that ends; the others lie in the system's temporary directory, or where
 * EVAL_BANANA_WORKSPACES says.
 */
export function makePlace(
  keep: Workspace["keep"],
  { context, suiteFolder }: { context: TrialContext; suiteFolder: string },
): Place | { error: string } {
  const chosen = context.env[PLACE_VARIABLE];
  const wanted = chosen ? resolve(context.projectRoot, chosen) : keep === "never" ? context.scratch : resolve(tmpdir());
  const outsideOf = [suiteFolder, context.projectRoot].map(realPathOf);
  try {
    // Before it is made, as far as its words tell; and where links on the way lead.
    const refused = refuseBase(wanted, outsideOf) ?? refuseReal(wanted, outsideOf);
    if (refused !== undefined) {
      return {
        error: `workspaces can't be made in ${wanted}: ${refused}; set ${PLACE_VARIABLE} to a directory elsewhere`,
      };
    }
    const base = realpathSync(wanted);
    const room = mkdtempSync(join(base, "eval-banana-workspace-"));
    const directory = join(room, "workspace");
    mkdirSync(directory);
    return { room: roomAt(room), directory };
  } catch (error) {
    return {
      error: `a workspace can't be made: ${describeSystemError(error)}; set ${PLACE_VARIABLE} to a directory that can be written to`,
    };
  }
}

/** The environment in a workspace: git neither is told of another repository nor looks for one above it. */
export function contextIn({ room, directory }: Place, context: TrialContext): TrialContext {
  const env = {
    ...withoutRepository(context.env),
    GIT_CEILING_DIRECTORIES: room.path,
    EVAL_BANANA_WORKSPACE: directory,
  };
  return { ...context, env };
}

/** Why a workspace in `base` would let a target find what is in one of the other directories. All are real paths. */
export function refuseBase(base: string, outsideOf: readonly string[]): string | undefined {
  const around = outsideOf.find((directory) => isWithin(base, directory));
  if (around !== undefined) return `it lies in ${around}, where a target would find the suite`;
  for (let directory = base; ; directory = dirname(directory)) {
    const holdsProject = outsideOf.some((folder) => isWithin(folder, directory));
    if (holdsProject && existsSync(join(directory, ".git"))) {
      return `the repository ${directory} is around it, in which a target would find the suite`;
    }
    if (dirname(directory) === directory) return undefined;
  }
}

function refuseReal(wanted: string, outsideOf: readonly string[]): string | undefined {
  makeDirectory(wanted);
  return refuseBase(realpathSync(wanted), outsideOf);
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
