import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TrialContext } from "../trial-context.js";
import { ensureStore, runGit } from "./git.js";

/** Does to a directory what a patch says, or nothing; returns whether it was done. */
export async function applyPatch(
  patch: Uint8Array,
  { directory, context }: { directory: string; context: TrialContext },
): Promise<boolean> {
  if (patch.length === 0) return true;
  const file = join(context.scratch, `${context.sessionId}.patch`);
  try {
    writeFileSync(file, patch);
    const args = ["apply", "--binary", "--whitespace=nowarn", file];
    const env = { GIT_DIR: ensureStore(context), GIT_WORK_TREE: directory };
    return (await runGit(args, { context, cwd: directory, config: "ours", env })).ok;
  } finally {
    rmSync(file, { force: true });
  }
}
