import { describeProblem } from "../core/errors.js";
import type { RunContext } from "../run/context.js";
import type { Harness } from "../run/harness.js";
import { contentKey } from "./cache.js";
import type { CaseIdentity } from "./case-result.js";
import type { Trial } from "./run-trial.js";
import type { Suite } from "./suite.js";
import { targetContent } from "./target-content.js";
import { findTarget } from "./targets/find-target.js";
import { loadTarget } from "./targets/load-target.js";
import type { Target } from "./targets/target.js";
import type { TestCase } from "./test-case.js";

export interface PlanRequest {
  suite: Suite;
  cases: readonly TestCase[];
  /** Target file that wins over the suite's, as written. */
  config?: string | undefined;
  runs?: number | undefined;
  timeoutSeconds?: number | undefined;
  harness: Harness | undefined;
}

export interface PlannedCase {
  identity: CaseIdentity;
  trials: readonly Trial[];
}

/** What is run of each case, in which order. A case whose target can't be used is planned all the same. */
export function planTrials(
  request: PlanRequest,
  run: RunContext,
): { cases: readonly PlannedCase[]; warnings: string[] } {
  const { suite, harness } = request;
  const warnings: string[] = [];
  const loaded = new Map<string, { path: string; target: Target | string }>();
  const targetOf = (written: string | undefined) => {
    const path = findTarget(written, { suitePath: suite.path, projectRoot: run.projectRoot });
    const known = loaded.get(path);
    if (known) return known;
    const result = loadTarget(path, { projectRoot: run.projectRoot });
    warnings.push(...result.warnings);
    const target = result.target ?? `the target cannot be used: ${result.problems.map(describeProblem).join("; ")}`;
    if (typeof target !== "string") warnings.push(...sameModel(target, harness, suite));
    const entry = { path, target };
    loaded.set(path, entry);
    return entry;
  };
  const cases = request.cases.map((testCase): PlannedCase => {
    const { path, target } = targetOf(testCase.config ?? request.config ?? suite.config);
    const runs = testCase.runs ?? request.runs ?? suite.runs;
    const usable = typeof target !== "string";
    const identity: CaseIdentity = {
      id: testCase.id,
      tags: testCase.tags,
      input: testCase.input,
      sourcePath: testCase.source.file,
      sha256: testCase.digest,
      target: path,
      targetType: usable ? target.type : "none",
      targetSha256: usable ? target.digest : null,
      runs,
    };
    const content = ["trial", testCase.digest, usable ? targetContent(target, run) : target, judgeContent(suite, run)];
    const trials = Array.from({ length: runs }, (_, index) => ({
      testCase,
      number: index + 1,
      target,
      key: contentKey([...content, testCase.id, index + 1]),
      timeoutSeconds: testCase.timeoutSeconds ?? request.timeoutSeconds ?? suite.timeoutSeconds,
    }));
    return { identity, trials };
  });
  return { cases, warnings };
}

/** What the judge is, as far as it can change a verdict. */
function judgeContent({ judge }: Suite, { harness, config }: RunContext) {
  return [judge, harness ?? null, config["harness.model"] ?? null, config["harness.reasoning_effort"] ?? null];
}

/** A model likes its own answers. */
function sameModel(target: Target, harness: Harness | undefined, { judge }: Suite): string[] {
  if (harness === undefined || target.type !== "agent") return [];
  const model = judge.model ?? harness.template.default_model;
  const same = target.agent === harness.name && (target.model ?? harness.template.default_model) === model;
  return same ? [`the judge is the model that it judges: ${harness.name}, ${model ?? "its default model"}`] : [];
}
