import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sha256Hex } from "../../core/ids.js";
import { removeIfEmpty } from "../../core/make-directory.js";
import { INTERRUPTED, type ItemStatus } from "../../report/schema.js";
import type { TrialResult } from "../../report/suite-schema.js";
import type { RunContext } from "../../run/context.js";
import type { Score } from "../format/assertion.js";
import { completeWorkspace, mergeWorkspaces } from "../load/merge-workspaces.js";
import { sumKnown } from "../results/sum-known.js";
import { interrupted, scoreSession } from "../scorers/score-session.js";
import { emptySession, type Session, saidIn } from "../session.js";
import type { Suite } from "../suite.js";
import { callTarget, type Target } from "../targets/types.js";
import type { TestCase } from "../test-case.js";
import { type TrialContext, trialContext } from "../trial-context.js";
import type { Changes } from "../workspaces/changes.js";
import { type OpenWorkspace, openWorkspace } from "../workspaces/open.js";
import type { Cache } from "./cache.js";
import { cachedJudge } from "./cached-judge.js";
import { cachedSession, keepSession, sessionKey } from "./cached-session.js";
import type { ProjectState } from "./project-state.js";

/** One run of one case. */
export interface PlannedTrial {
  testCase: TestCase;
  /** From 1. */
  number: number;
  /** The target, or why there is none. */
  target: Target | string;
  /** Says by content what is run and how it is scored. */
  key: string;
  /** The same with the time limit: of a run that took longer. */
  lateKey: string;
  /** 0 = none. */
  timeoutSeconds: number;
}

export interface TrialOptions {
  run: RunContext;
  suite: Suite;
  cache: Cache;
  project: ProjectState;
  /** What the judge goes by, by content. */
  judge: unknown;
  /** Whether services are called anew, but for those whose target says what is cached. */
  askServices: boolean;
  warn: (message: string) => void;
}

/** What is known of a run of a case when it has ended. */
interface Ended {
  status: ItemStatus;
  session: Session;
  scores: readonly Score[];
  reasons: readonly string[];
  error: string | null;
  interrupted: boolean;
  cached: boolean;
  changes: Changes | null;
  /** Where the workspace was kept. */
  kept: string | null;
  /** Of its workspace, besides the session's. */
  evidence: Readonly<Record<string, string>>;
}

const NOTHING: Ended = {
  status: "error",
  session: emptySession,
  scores: [],
  reasons: [],
  error: null,
  interrupted: false,
  cached: false,
  changes: null,
  kept: null,
  evidence: {},
};

/**
 * Calls the target, or takes what it said from the cache, and scores it. What goes wrong with it is its result; undefined:
 * the run was stopped before there was one.
 */
export async function runTrial(trial: PlannedTrial, options: TrialOptions): Promise<TrialResult | undefined> {
  const { testCase, number, target } = trial;
  const context = trialContext(options.run, testCase.id, number);
  const startedAt = new Date();
  const ended =
    typeof target === "string"
      ? { ...NOTHING, reasons: [target], error: target }
      : await inWorkspace({ ...trial, target }, context, options);
  removeIfEmpty(context.evidenceDir);
  if (ended.interrupted) return undefined;
  return trialResult(trial, context, startedAt, ended);
}

type TargetedTrial = PlannedTrial & { target: Target };

async function inWorkspace(trial: TargetedTrial, context: TrialContext, options: TrialOptions): Promise<Ended> {
  const layer = mergeWorkspaces(trial.target.workspace, trial.testCase.workspace);
  if (layer === undefined) return callAndScore(trial, context, options);
  const suiteFolder = dirname(options.suite.path);
  const workspace = await openWorkspace(completeWorkspace(layer), { context, suiteFolder });
  if ("error" in workspace) {
    const { error, kept, evidence } = workspace;
    if (error === INTERRUPTED) return { ...NOTHING, interrupted: true };
    return { ...NOTHING, status: "failed", reasons: [error], error, kept, evidence };
  }
  let ended: Ended = NOTHING;
  try {
    ended = await callAndScore(trial, workspace.context, { ...options, workspace });
  } finally {
    const { kept, evidence, warnings } = await workspace.finish({ passed: ended.status === "passed" });
    for (const warning of warnings) options.warn(`${trial.testCase.id}: ${warning}`);
    ended = { ...ended, kept, evidence: { ...workspace.evidence, ...ended.evidence, ...evidence } };
  }
  return ended;
}

interface CallOptions extends TrialOptions {
  workspace?: OpenWorkspace;
}

async function callAndScore(trial: TargetedTrial, context: TrialContext, options: CallOptions): Promise<Ended> {
  const { testCase, target, number, timeoutSeconds } = trial;
  const { cache, workspace, suite, project, askServices } = options;
  const key = sessionKey(trial, { workspace, env: context.env, project, askServices });
  const hit = await cachedSession(cache, key, workspace);
  let session = hit;
  if (session === undefined) {
    const timeoutMs = timeoutSeconds > 0 ? timeoutSeconds * 1000 : undefined;
    const cwd = workspace?.directory ?? context.projectRoot;
    session = await callTarget(target, {
      caseId: testCase.id,
      input: testCase.input,
      run: number,
      cwd,
      timeoutMs,
      context,
    });
  }
  if (session.interrupted) return { ...NOTHING, interrupted: true };
  const changes = workspace ? await workspace.recordChanges() : null;
  const known = changes === null || "error" in changes ? null : changes;
  // What can't be done again in another workspace is no session to take from the cache.
  const canRepeat = !workspace || (known !== null && workspace.isAll(known));
  if (hit === undefined && canRepeat) keepSession(cache, key, session, { changes: known, context });
  const scores = await scoreSession({
    testCase,
    session,
    context,
    judge: suite.judge,
    askJudge: cachedJudge(cache, options.judge, workspace && judged(workspace, known, context)),
    ...(workspace && changes && { workspace: { directory: workspace.directory, changes } }),
  });
  const evidence: Record<string, string> = known?.patch ? { changes: known.patch } : {};
  return {
    ...NOTHING,
    ...verdict(scores, session),
    session,
    scores,
    interrupted: scores.includes(interrupted),
    cached: hit !== undefined,
    changes: known,
    evidence,
  };
}

/** What a judge finds in a workspace: what was there, and what became of it. */
function judged({ directory, tree }: OpenWorkspace, changes: Changes | null, { runDir }: TrialContext) {
  const patch = changes?.patch ? sha256Hex(readFileSync(join(runDir, changes.patch))) : null;
  return { directory, content: tree === undefined || !changes ? randomUUID() : [tree, patch] };
}

function verdict(scores: readonly Score[], session: Session): Pick<Ended, "status" | "reasons" | "error"> {
  const withStatus = (status: ItemStatus) => scores.filter((score) => score.status === status);
  const [failed, errors] = [withStatus("failed"), withStatus("error")];
  const reasons = [...failed, ...errors].map(({ reason }) => reason);
  // What is known to be wrong is wrong, whatever could not be found out.
  const status = failed.length > 0 ? "failed" : errors.length > 0 ? "error" : "passed";
  return { status, reasons, error: session.error ?? (status === "error" ? (errors[0]?.reason ?? null) : null) };
}

function trialResult(trial: PlannedTrial, context: TrialContext, startedAt: Date, ended: Ended): TrialResult {
  const { session, changes } = ended;
  return {
    run: trial.number,
    session_id: context.sessionId,
    key: isLate(session) ? trial.lateKey : trial.key,
    status: ended.status,
    failure_reasons: [...ended.reasons],
    error_message: ended.error,
    started_at: startedAt.toISOString(),
    duration_ms: Math.round(session.durationMs),
    ...saidIn(session),
    turns: session.turns,
    input_tokens: session.inputTokens,
    output_tokens: session.outputTokens,
    cost_usd: session.costUsd ?? null,
    judge_cost_usd: judgeCost(ended.scores),
    retries: session.retries,
    cached: ended.cached,
    taken_over: false,
    scores: ended.scores.map((score) => ({ ...score })) as TrialResult["scores"],
    changes: changes?.files.map((file) => ({ ...file })) ?? null,
    workspace: ended.kept,
    evidence: { ...session.evidence, ...ended.evidence },
  };
}

/** As targets of all types say it, and a team of its members. */
function isLate({ error }: Session): boolean {
  return error !== null && /(^|: )timed out after [\d.]+ s/.test(error);
}

function judgeCost(scores: readonly Score[]): number | null {
  return sumKnown(scores, ({ details }) => (typeof details?.["cost_usd"] === "number" ? details["cost_usd"] : null));
}
