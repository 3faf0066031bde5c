import { describeProblem } from "../../core/errors.js";
import type { RunContext } from "../../run/context.js";
import { defaultModelOf, judgeSettings } from "../../run/harness.js";
import type { CaseIdentity } from "../results/case-result.js";
import type { Suite } from "../suite.js";
import type { CaseTarget } from "../targets/suite-targets.js";
import { targetSettings } from "../targets/target-variables.js";
import { type Target, typeOf } from "../targets/types.js";
import type { TestCase } from "../test-case.js";
import { contentKey } from "./cache.js";
import type { PlannedTrial } from "./run-trial.js";

export interface PlanRequest {
  suite: Suite;
  /** The target of each case. */
  targetOf: (testCase: TestCase) => CaseTarget;
  cases: readonly TestCase[];
}

export interface PlannedCase {
  identity: CaseIdentity;
  trials: readonly PlannedTrial[];
}

export interface PlannedSuite {
  cases: readonly PlannedCase[];
  warnings: readonly string[];
}

/** What is run of each case, in which order. A case whose target can't be used is planned all the same. */
export function planTrials(request: PlanRequest, run: RunContext): PlannedSuite {
  const judge = judgeContent(request.suite, run);
  const cases = request.cases.map((testCase) =>
    planCase(testCase, request.targetOf(testCase), { ...request, judge, run }),
  );
  const warnings = [...new Set(request.cases.map(request.targetOf))].flatMap(({ target, warnings }) => [
    ...warnings.map(describeProblem),
    ...(target ? sameModel(target, run, request.suite) : []),
  ]);
  return { cases, warnings };
}

function planCase(
  testCase: TestCase,
  { path, target, problems }: CaseTarget,
  { suite, judge, run }: PlanRequest & { judge: unknown; run: RunContext },
): PlannedCase {
  const runs = testCase.runs ?? suite.runs;
  const identity: CaseIdentity = {
    id: testCase.id,
    tags: testCase.tags,
    input: testCase.input,
    sourcePath: testCase.source.file,
    sha256: testCase.digest,
    target: path,
    targetType: target?.type ?? "none",
    targetSha256: target?.digest ?? null,
    runs,
  };
  const called = target ? [target.digest, ...targetSettings(target, run.env)] : path;
  const limit = testCase.timeoutSeconds ?? suite.timeoutSeconds;
  const trials = Array.from({ length: runs }, (_, index) => ({
    testCase,
    number: index + 1,
    target: target ?? `the target can't be used: ${problems.map(describeProblem).join("; ")}`,
    key: contentKey(["trial", testCase.id, testCase.digest, called, judge, limit, index + 1]),
    timeoutSeconds: limit,
  }));
  return { identity, trials };
}

/** What the judge is, as far as it can change a verdict. */
function judgeContent({ judge }: Suite, { harness, config }: RunContext) {
  return [judge, harness ?? null, config["harness.model"] ?? null, config["harness.reasoning_effort"] ?? null];
}

/** A model likes its own answers. */
function sameModel(target: Target, { harness, config }: RunContext, { judge }: Suite): string[] {
  if (harness === undefined) return [];
  const { model } = judgeSettings(harness, config, { model: judge.model });
  const name = model ?? defaultModelOf(harness);
  const models = typeOf(target).models?.(target) ?? [];
  return models.includes(name) ? [`the judge is the model that it judges: ${harness.name}, ${name}`] : [];
}
