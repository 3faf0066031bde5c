import { duration } from "../../core/text.js";
import type { Session } from "../session.js";
import { type AssertionOf, errorBecause, passedIf, type Trial, type Verdict } from "./scorer.js";

type Limit = AssertionOf<"max_turns" | "max_cost_usd" | "max_tokens" | "max_duration_ms">;

/**
 * Of the session of one run. What the target does not report can't be held to a limit: that is an error, since it would
 * pass for ever.
 */
export function scoreLimit({ type, limit }: Limit, { session }: Trial): Verdict {
  switch (type) {
    case "max_turns":
      return passedIf(session.turns <= limit, () => `it took ${session.turns} turns, expected at most ${limit}`);
    case "max_cost_usd": {
      const { costUsd } = session;
      if (costUsd === undefined)
        return errorBecause("the target does not report a cost: max_cost_usd can't be checked");
      return passedIf(costUsd <= limit, () => `it cost $${costUsd}, expected at most $${limit}`);
    }
    case "max_tokens": {
      const tokens = session.inputTokens + session.outputTokens;
      if (tokens === 0) return errorBecause("the target does not report tokens: max_tokens can't be checked");
      const parts = `${session.inputTokens} of input, ${session.outputTokens} of output`;
      return passedIf(tokens <= limit, () => `it took ${tokens} tokens (${parts}), expected at most ${limit}`);
    }
    case "max_duration_ms": {
      const took = session.durationMs;
      const words = () => `it took ${Math.ceil(took)} ms (${duration(took)}), expected at most ${limit} ms`;
      return passedIf(took <= limit, words);
    }
  }
}

/** What of a session's figures is no figure: it would spoil every sum and mean. */
export function malformedFigures(session: Session): string | undefined {
  const { turns, inputTokens, outputTokens, costUsd = 0, durationMs } = session;
  const figures = {
    turns,
    "input tokens": inputTokens,
    "output tokens": outputTokens,
    cost: costUsd,
    duration: durationMs,
  };
  const wrong = Object.entries(figures).filter(([, value]) => !(Number.isFinite(value) && value >= 0));
  if (wrong.length === 0) return undefined;
  const list = wrong.map(([name, value]) => `${name} ${value}`).join(", ");
  return `the target reports what is no figure: ${list}; expected numbers of at least 0`;
}
