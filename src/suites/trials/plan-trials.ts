import { randomUUID } from "node:crypto";
import { dirname } from "node:path";
import { describeProblem } from "../../core/errors.js";
import { itemContext, type RunContext, runTag } from "../../run/context.js";
import { defaultModelOf, judgeSettings } from "../../run/harness.js";
import { caseDigest } from "../load/case-digest.js";
import { mergeWorkspaces } from "../load/merge-workspaces.js";
import type { CaseIdentity } from "../results/case-result.js";
import type { Suite } from "../suite.js";
import type { CaseTarget } from "../targets/suite-targets.js";
import { targetSettings } from "../targets/target-variables.js";
import { type Target, typeOf, usesProject } from "../targets/types.js";
import type { TestCase } from "../test-case.js";
import { workspaceContent } from "../workspaces/workspace-content.js";
import { contentKey } from "./cache.js";
import type { ProjectState } from "./project-state.js";
import type { PlannedTrial } from "./run-trial.js";

export interface PlanRequest {
  suite: Suite;
  /** The target of each case. */
  targetOf: (testCase: TestCase) => CaseTarget;
  cases: readonly TestCase[];
  project: ProjectState;
  /** What the judge goes by, by content. */
  judge: unknown;
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
export async function planTrials(request: PlanRequest, run: RunContext): Promise<PlannedSuite> {
  const judge = [judgeSettingsOf(request.suite, run), request.judge];
  const workspaceOf = workspaceContents(request, run);
  const cases: PlannedCase[] = [];
  for (const testCase of request.cases) {
    const workspace = await workspaceOf(testCase);
    cases.push(planCase(testCase, request.targetOf(testCase), { ...request, judge, run, workspace }));
  }
  const warnings = [...new Set(request.cases.map(request.targetOf))].flatMap(({ target, warnings }) => [
    ...warnings.map(describeProblem),
    ...(target ? sameModel(target, run, request.suite) : []),
  ]);
  return { cases, warnings };
}

function planCase(
  testCase: TestCase,
  { path, target, problems }: CaseTarget,
  { suite, judge, run, workspace, project }: PlanRequest & { run: RunContext; workspace: unknown },
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
  const called = target ? [calledAs(target), ...targetSettings(target, run.env)] : path;
  const limit = testCase.timeoutSeconds ?? suite.timeoutSeconds;
  const state = needsProject(testCase, target) ? (project.key ?? randomUUID()) : null;
  const content = [
    withoutLimit(testCase, run),
    called,
    testCase.assertions.some(({ type }) => type === "rubric") ? judge : null,
    workspace,
    state,
  ];
  const trials = Array.from({ length: runs }, (_, index) => {
    const key = contentKey(["trial", testCase.id, content, index + 1]);
    return {
      testCase,
      number: index + 1,
      target: target ?? `the target can't be used: ${problems.map(describeProblem).join("; ")}`,
      key,
      lateKey: contentKey(["late", key, limit]),
      timeoutSeconds: limit,
    };
  });
  return { identity, trials };
}

/** The digest of a target. What a function calls can't be seen: it is never the one of an earlier run. */
function calledAs({ type, digest }: Target): string {
  return type === "function" ? randomUUID() : digest;
}

/** Whether what comes out of a run of a case may depend on any file of the project. */
export function needsProject({ assertions, workspace }: TestCase, target: Target | undefined): boolean {
  const layer = mergeWorkspaces(target?.workspace, workspace);
  const runsCode = (layer?.setup?.length ?? 0) > 0 || assertions.some(({ type }) => /^script/.test(type));
  return runsCode || (target !== undefined && usesProject(target, { hasWorkspace: layer !== undefined }));
}

/** The digest of a case without its time limit, which matters only to a run that took longer. */
function withoutLimit({ timeoutSeconds, digest, ...testCase }: TestCase, { projectRoot }: RunContext): string {
  return timeoutSeconds === undefined ? digest : caseDigest(testCase, projectRoot);
}

/** What the workspace of a case is laid out from; each is looked at once. */
function workspaceContents({ suite, targetOf }: PlanRequest, run: RunContext): (testCase: TestCase) => unknown {
  const context = { ...itemContext(run, "workspaces"), tags: [runTag(run.runId)] };
  const known = new Map<string, Promise<unknown>>();
  return (testCase) => {
    const layer = mergeWorkspaces(targetOf(testCase).target?.workspace, testCase.workspace);
    if (layer === undefined) return null;
    const key = JSON.stringify(layer);
    const content = known.get(key) ?? workspaceContent(layer, { context, suiteFolder: dirname(suite.path) });
    known.set(key, content);
    return content;
  };
}

/** Who the judge is, and how it is asked. */
function judgeSettingsOf({ judge }: Suite, { harness, config }: RunContext) {
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
