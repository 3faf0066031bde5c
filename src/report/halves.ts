import type { TrialResult } from "./suite-schema.js";

/** Which halves of an answer are right: what was retrieved, and what was made of it. */
export interface Halves {
  retrieval: boolean;
  generation: boolean;
}

/** Undefined where nothing is asserted of what was retrieved. */
export function halvesOf({ scores }: Pick<TrialResult, "scores">): Halves | undefined {
  const retrieval = scores.filter(({ type }) => type === "retrieval");
  if (retrieval.length === 0) return undefined;
  const others = scores.filter(({ type }) => type !== "retrieval");
  const allPassed = (some: TrialResult["scores"]) => some.every(({ status }) => status === "passed");
  return { retrieval: allPassed(retrieval), generation: allPassed(others) };
}
