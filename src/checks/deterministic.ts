import type { ItemContext } from "../run/context.js";
import type { Outcome } from "../run/outcome.js";
import { runScript } from "../run/script.js";
import type { DeterministicCheck } from "./schema.js";
import type { CheckSnapshot } from "./snapshot.js";

/** Runs the script of a deterministic check. */
export async function runDeterministic(
  { definition, sourcePath, script }: CheckSnapshot<DeterministicCheck>,
  context: ItemContext,
): Promise<Outcome> {
  if (script !== undefined && script.bytes === undefined) return { status: "error", errorDetail: script.unavailable };
  const request = {
    script: script ?? definition.script ?? "",
    context: {
      check_id: definition.id,
      description: definition.description,
      project_root: context.projectRoot,
      source_path: sourcePath,
      output_dir: context.evidenceDir,
    },
    timeoutSeconds: definition.timeout_seconds ?? context.config["deterministic.timeout_seconds"],
  };
  return runScript(request, context);
}
