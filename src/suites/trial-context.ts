import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { type ItemContext, itemContext, type RunContext, runTag } from "../run/context.js";
import { streamPath } from "../run/outcome.js";

/** A run of a case: it may go on at the same time as others of the same case. */
export interface TrialContext extends ItemContext {
  sessionId: string;
}

/**
 * The places and the surroundings of one run of a case: `cases/<stem>/run-<n>` and what begins with it.
 */
export function trialContext(run: RunContext, caseId: string, number: number): TrialContext {
  const item = itemContext(run, caseId);
  const sessionId = randomUUID();
  return {
    ...withPrefix(item, `${item.prefix}/run-${number}`),
    sessionId,
    env: { ...item.env, EVAL_BANANA_SESSION_ID: sessionId },
    tags: [runTag(run.runId), `EVAL_BANANA_SESSION_ID=${sessionId}`],
  };
}

/** The same for one of several programs of a run: its files are named `cases/<stem>/run-<n>/<part>…`. */
export function partContext<C extends ItemContext>(context: C, part: string): C {
  return withPrefix(context, `${context.prefix}/${part}`);
}

function withPrefix<C extends ItemContext>(context: C, prefix: string): C {
  return {
    ...context,
    prefix,
    evidenceDir: join(context.runDir, prefix),
    stdoutPath: join(context.runDir, streamPath(prefix, "stdout")),
    stderrPath: join(context.runDir, streamPath(prefix, "stderr")),
  };
}
