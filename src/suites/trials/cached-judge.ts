import { maskScore } from "../../report/mask.js";
import type { ItemContext } from "../../run/context.js";
import { judgeSettings } from "../../run/harness.js";
import { type JudgeRequest, runJudge } from "../../run/judge.js";
import type { Outcome } from "../../run/outcome.js";
import { type Cache, contentKey } from "./cache.js";

/** A workspace that a judge may look at: where it is, and what says what is in it. */
export interface JudgedWorkspace {
  directory: string;
  content: unknown;
}

/**
 * Asks a judge, or gives the verdict it gave when it was asked the same, also a moment ago. What is no verdict is never
 * kept. `judge` says by content what it goes by besides.
 */
export function cachedJudge(cache: Cache, judge: unknown, workspace?: JudgedWorkspace) {
  return async (request: JudgeRequest, context: ItemContext): Promise<Outcome> => {
    const { harness, config } = context;
    if (harness === undefined) return runJudge(request, context);
    const { model, effort } = judgeSettings(harness, config, request);
    const { votes } = request;
    // A workspace is somewhere else each time.
    const question = workspace ? request.prompt("").replaceAll(workspace.directory, "") : request.prompt("");
    const content = workspace?.content ?? null;
    const key = contentKey(["verdict", question, content, harness, model ?? null, effort ?? null, votes, judge]);
    return cache.inTurn(key, async () => {
      const hit = cache.get("verdicts", key) as Outcome | undefined;
      if (hit !== undefined) return { ...hit, details: { ...hit.details, cost_usd: null, cached: true } };
      const outcome = await runJudge(request, context);
      if (outcome.status !== "error") {
        const { status, reason, details } = outcome;
        // As it is shown: nothing else is made of it.
        cache.set("verdicts", key, maskScore({ status, reason, details }, context.redactor));
      }
      return outcome;
    });
  };
}
