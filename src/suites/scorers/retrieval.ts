import { type AssertionOf, failedFor, type Trial, type Verdict } from "./scorer.js";

export interface RetrievalMetrics {
  recall: number;
  precision: number;
  mrr: number;
  ndcg: number;
}

/**
 * Metrics of a ranking against the documents that matter, all of them alike (binary relevance). Documents that occur
 * again are taken out first, as trec_eval and BEIR want rankings to be; then the first `k` count, or all.
 *
 * - recall: found of those that matter (trec_eval's `recall_k`)
 * - precision: found of `k`, also when fewer were retrieved (trec_eval's `P_k`); without `k` of what was retrieved
 *   (`set_P`), 0 for nothing
 * - mrr: 1 / rank of the first found, 0 when none is (`recip_rank`)
 * - ndcg: sum of 1 / log2(rank + 1) over those found, over the same sum of the best ranking (K. Järvelin and
 *   J. Kekäläinen, ACM TOIS 20 (2002), with the discount of trec_eval's `ndcg_cut` and scikit-learn's `ndcg_score`)
 */
export function retrievalMetrics(
  retrieved: readonly string[],
  expected: ReadonlySet<string>,
  { k }: { k?: number | undefined } = {},
): RetrievalMetrics {
  const ranking = [...new Set(retrieved)].slice(0, k);
  const ranks = ranking.flatMap((id, index) => (expected.has(id) ? index + 1 : []));
  const best = Array.from({ length: Math.min(expected.size, k ?? expected.size) }, (_, index) => index + 1);
  const gain = (at: readonly number[]) => at.reduce((sum, rank) => sum + 1 / Math.log2(rank + 1), 0);
  const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);
  return {
    recall: share(ranks.length, expected.size),
    precision: share(ranks.length, k ?? ranking.length),
    mrr: ranks[0] === undefined ? 0 : 1 / ranks[0],
    ndcg: share(gain(ranks), gain(best)),
  };
}

/** Where no threshold is given, all that is expected is to be found. */
export function scoreRetrieval(assertion: AssertionOf<"retrieval">, { session }: Trial): Verdict {
  const { expectIds, k, minRecall, minPrecision, minMrr, minNdcg } = assertion;
  if (session.retrieved === undefined) {
    return {
      status: "failed",
      reason: "the target does not report what it retrieved: expected a list `retrieved` of {id}",
    };
  }
  if (expectIds.length === 0) return { status: "failed", reason: "expect_ids is empty: there is nothing to be found" };
  const expected = new Set(expectIds.map(String));
  const retrieved = session.retrieved.map(({ id }) => String(id));
  const metrics = retrievalMetrics(retrieved, expected, { k });
  const noThreshold = [minRecall, minPrecision, minMrr, minNdcg].every((min) => min === undefined);
  const thresholds = { recall: noThreshold ? 1 : minRecall, precision: minPrecision, mrr: minMrr, ndcg: minNdcg };
  const at = k === undefined ? "" : `@${k}`;
  const reasons = (["recall", "precision", "mrr", "ndcg"] as const).flatMap((name) => {
    const min = thresholds[name];
    return min === undefined || metrics[name] >= min
      ? []
      : `${name}${at} is ${round(metrics[name])}, expected at least ${min}`;
  });
  const first = new Set([...new Set(retrieved)].slice(0, k));
  const missing = [...expected].filter((id) => !first.has(id));
  if (reasons.length > 0 && missing.length > 0) reasons.push(`not found: ${listIds(missing)}`);
  if (reasons.length > 0) reasons.push(`retrieved: ${first.size === 0 ? "nothing" : listIds([...first])}`);
  return failedFor(reasons, { metrics: { ...metrics } });
}

const MAX_IDS = 10;

function listIds(ids: readonly string[]): string {
  const more = ids.length > MAX_IDS ? ` and ${ids.length - MAX_IDS} more` : "";
  return ids.slice(0, MAX_IDS).join(", ") + more;
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
