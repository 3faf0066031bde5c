import { describe, expect, it } from "vitest";
import type { RetrievalAssertion } from "../../../../src/suites/format/assertion.js";
import { retrievalMetrics } from "../../../../src/suites/scorers/retrieval.js";
import { scoreOne } from "../../../helpers/scored-trial.js";

const metrics = (retrieved: string, expected: string, k?: number) =>
  retrievalMetrics(retrieved.split(""), new Set(expected.split("")), { k });

describe("the metrics", () => {
  it("precision and recall are those of exercise 8.1 in Manning, Raghavan and Schütze", () => {
    // 8 relevant and 10 other documents are returned; 20 in the collection are relevant.
    const retrieved = Array.from({ length: 18 }, (_, i) => (i % 9 < 4 ? `r${i}` : `x${i}`));
    const found = retrieved.filter((id) => id.startsWith("r"));
    const { precision, recall } = retrievalMetrics(
      retrieved,
      new Set([...found, ...Array.from({ length: 12 }, (_, i) => `y${i}`)]),
    );
    expect([precision, recall]).toEqual([8 / 18, 8 / 20]);
  });

  it("mrr is the mean of 1/3, 1/2 and 1 in the example of Wikipedia's article on it", () => {
    // catten, cati, *cats*; torii, *tori*, toruses; *viruses*, virii, viri: (1/3 + 1/2 + 1) / 3 = 11/18
    const ranks = [metrics("abc", "c").mrr, metrics("abc", "b").mrr, metrics("abc", "a").mrr];
    expect(ranks.reduce((sum, rank) => sum + rank) / 3).toBeCloseTo(11 / 18, 15);
  });

  it("ndcg is the formula done by hand, with a discount of log2(rank + 1)", () => {
    // Found at ranks 2 and 3 of two: (1/log2 3 + 1/log2 4) / (1/log2 2 + 1/log2 3)
    const byHand = (1 / Math.log2(3) + 1 / 2) / (1 + 1 / Math.log2(3));
    expect(metrics("xab", "ab").ndcg).toBeCloseTo(byHand, 15);
    expect(byHand).toBeCloseTo(0.6934264036, 10);
    expect(metrics("xab", "ab", 2).ndcg).toBeCloseTo(1 / Math.log2(3) / (1 + 1 / Math.log2(3)), 15);
  });

  it.each<[retrieved: string, expected: string, k: number | undefined, object]>([
    ["abc", "abc", undefined, { recall: 1, precision: 1, mrr: 1, ndcg: 1 }],
    ["abcd", "ab", 2, { recall: 1, precision: 1, mrr: 1, ndcg: 1 }],
    ["xyz", "ab", undefined, { recall: 0, precision: 0, mrr: 0, ndcg: 0 }],
    ["", "ab", undefined, { recall: 0, precision: 0, mrr: 0, ndcg: 0 }],
    ["", "ab", 5, { recall: 0, precision: 0, mrr: 0, ndcg: 0 }],
    ["a", "a", 5, { recall: 1, precision: 0.2, mrr: 1, ndcg: 1 }],
    ["a", "abcdef", 1, { recall: 1 / 6, precision: 1, mrr: 1, ndcg: 1 }],
    ["aaab", "ab", 2, { recall: 1, precision: 1, mrr: 1, ndcg: 1 }],
    ["xxa", "a", undefined, { recall: 1, precision: 0.5, mrr: 0.5, ndcg: 1 / Math.log2(3) }],
    ["xya", "a", 2, { recall: 0, precision: 0, mrr: 0, ndcg: 0 }],
  ])("of '%s' for '%s' at %s", (retrieved, expected, k, wanted) => {
    expect(metrics(retrieved, expected, k)).toEqual(wanted);
  });
});

describe("retrieval", () => {
  const score = (assertion: Partial<RetrievalAssertion>, ids: string[] | undefined) =>
    scoreOne(
      { type: "retrieval", expectIds: ["a", "b"], ...assertion },
      { output: "x", session: { retrieved: ids?.map((id) => ({ id })) } },
    );

  it("holds each metric to its threshold, and reports all", async () => {
    const good = await score({ k: 2, minRecall: 1, minPrecision: 1, minMrr: 1, minNdcg: 1 }, ["b", "a", "x"]);
    expect(good).toEqual({
      type: "retrieval",
      status: "passed",
      reason: "",
      metrics: { recall: 1, precision: 1, mrr: 1, ndcg: 1 },
    });
    const bad = await score({ k: 3, minRecall: 0.6, minPrecision: 0.3, minMrr: 0.9, minNdcg: 0.9 }, [
      "x",
      "a",
      "y",
      "b",
    ]);
    expect(bad.status).toBe("failed");
    expect(bad.reason).toBe(
      "recall@3 is 0.5, expected at least 0.6; mrr@3 is 0.5, expected at least 0.9; ndcg@3 is 0.3869, expected at least 0.9; not found: b; retrieved: x, a, y",
    );
    expect(bad.metrics).toMatchObject({ recall: 0.5, precision: 1 / 3, mrr: 0.5 });
  });

  it("without a threshold wants all to be found", async () => {
    expect((await score({}, ["b", "x", "a"])).status).toBe("passed");
    expect((await score({}, ["b", "x"])).reason).toBe(
      "recall is 0.5, expected at least 1; not found: a; retrieved: b, x",
    );
    expect((await score({}, [])).reason).toContain("retrieved: nothing");
  });

  it("fails where the target reports nothing, and where nothing is expected", async () => {
    expect((await score({}, undefined)).reason).toContain("does not report what it retrieved");
    expect((await score({ expectIds: [] }, ["a"])).reason).toContain("expect_ids is empty");
  });
});
