import { makeDirectory } from "../core/make-directory.js";
import { INTERRUPTED, type ItemStatus } from "../report/schema.js";
import type { TrialResult } from "../report/suite-schema.js";
import type { RunContext } from "../run/context.js";
import type { Score } from "./assertion.js";
import type { Cache } from "./cache.js";
import { cachedJudge } from "./cached-judge.js";
import { cachedSession, keepSession, sessionKey } from "./cached-session.js";
import { scoreSession } from "./scorers/score-session.js";
import { emptySession, type Session } from "./session.js";
import type { Suite } from "./suite.js";
import { callTarget } from "./targets/call-target.js";
import type { Target } from "./targets/target.js";
import type { TestCase } from "./test-case.js";
import { type TrialContext, trialContext } from "./trial-context.js";
import { type Changes, type OpenWorkspace, openWorkspace } from "./workspaces/open-workspace.js";

/** One run of one case. */
export interface Trial {
  testCase: TestCase;
  /** From 1. */
  number: number;
  /** The target, or why there is none. */
  target: Target | string;
  /** Says by content what is run and how it is scored. */
  key: string;
  /** 0 = none. */
  timeoutSeconds: number;
}

export interface TrialOptions {
  run: RunContext;
  suite: Suite;
  cache: Cache;
}

/** What is known of a run of a case when it has ended. */
interface Ended {
  status: ItemStatus;
  session: Session;
  scores: readonly Score[];
  reasons: readonly string[];
  error: string | null;
  cached: boolean;
  changes: Changes | null;
  /** Where the workspace was kept. */
  kept: string | null;
}

const NOTHING: Ended = {
  status: "error",
  session: emptySession,
  scores: [],
  reasons: [],
  error: null,
  cached: false,
  changes: null,
  kept: null,
};

/** Calls the target, or takes what it said from the cache, and scores it. What goes wrong with it is its result. */
export async function runTrial(trial: Trial, options: TrialOptions): Promise<TrialResult> {
  const { testCase, number, target } = trial;
  const context = trialContext(options.run, testCase.id, number);
  const startedAt = new Date();
  makeDirectory(context.evidenceDir);
  const ended =
    typeof target === "string"
      ? { ...NOTHING, reasons: [target], error: target }
      : await inWorkspace({ ...trial, target }, context, options);
  return context.redactor.data(trialResult(trial, context, startedAt, ended));
}

type TargetedTrial = Trial & { target: Target };

async function inWorkspace(trial: TargetedTrial, context: TrialContext, options: TrialOptions): Promise<Ended> {
  const wanted = trial.testCase.workspace ?? trial.target.workspace;
  if (wanted === undefined) return callAndScore(trial, context, { ...options, cwd: context.projectRoot });
  const workspace = await openWorkspace(wanted, { context, suitePath: options.suite.path });
  if ("error" in workspace) {
    return { ...NOTHING, status: "failed", reasons: [workspace.error], error: workspace.error };
  }
  let ended: Ended = NOTHING;
  try {
    ended = await callAndScore(trial, context, { ...options, cwd: workspace.directory, workspace });
  } finally {
    const kept = await workspace.finish({ passed: ended.status === "passed" });
    ended = { ...ended, kept };
  }
  return ended;
}

interface CallOptions extends TrialOptions {
  cwd: string;
  workspace?: OpenWorkspace;
}

async function callAndScore(trial: TargetedTrial, context: TrialContext, options: CallOptions): Promise<Ended> {
  const { testCase, target, number, timeoutSeconds } = trial;
  const { cache, workspace, cwd, suite } = options;
  const key = sessionKey(trial, { run: options.run, tree: workspace?.tree });
  const hit = await cachedSession(cache, key, workspace);
  let session = hit;
  if (session === undefined) {
    const timeoutMs = timeoutSeconds > 0 ? timeoutSeconds * 1000 : undefined;
    const call = { caseId: testCase.id, input: testCase.input, run: number, cwd, timeoutMs, context };
    // Masked before anything is made of it, so that a session from the cache is scored as the first one was.
    session = context.redactor.data(await callTarget(target, call));
  }
  if (session.error === INTERRUPTED) return { ...NOTHING, session, error: INTERRUPTED };
  const changes = workspace ? await workspace.recordChanges() : null;
  if (hit === undefined && session.error === null) keepSession(cache, key, session, changes);
  const scores = await scoreSession({
    testCase,
    session,
    context,
    judge: suite.judge,
    askJudge: cachedJudge(cache, context),
    ...(workspace && changes && { workspace: { directory: workspace.directory, changes: changes.files } }),
  });
  return { ...verdict(scores, session), session, scores, cached: hit !== undefined, changes, kept: null };
}

function verdict(scores: readonly Score[], session: Session): Pick<Ended, "status" | "reasons" | "error"> {
  const withStatus = (status: ItemStatus) => scores.filter((score) => score.status === status);
  const [failed, errors] = [withStatus("failed"), withStatus("error")];
  const reasons = [...failed, ...errors].map(({ reason }) => reason);
  // What is known to be wrong is wrong, whatever could not be found out.
  const status = failed.length > 0 ? "failed" : errors.length > 0 ? "error" : "passed";
  return { status, reasons, error: session.error ?? (status === "error" ? (errors[0]?.reason ?? null) : null) };
}

function trialResult(trial: Trial, context: TrialContext, startedAt: Date, ended: Ended): TrialResult {
  const { session, changes } = ended;
  return {
    run: trial.number,
    session_id: context.sessionId,
    key: trial.key,
    status: ended.status,
    failure_reasons: [...ended.reasons],
    error_message: ended.error,
    started_at: startedAt.toISOString(),
    duration_ms: Math.round(session.durationMs),
    output: session.output,
    messages: session.messages.map((message) => ({ ...message })),
    tool_calls: session.toolCalls.map((call) => ({ ...call })),
    retrieved: session.retrieved?.map((each) => ({ ...each })) ?? null,
    turns: session.turns,
    input_tokens: session.inputTokens,
    output_tokens: session.outputTokens,
    cost_usd: session.costUsd ?? null,
    judge_cost_usd: judgeCost(ended.scores),
    retries: session.retries,
    cached: ended.cached,
    scores: ended.scores.map((score) => ({ ...score })) as TrialResult["scores"],
    changes: changes?.files.map((file) => ({ ...file })) ?? null,
    workspace: ended.kept,
    evidence: { ...session.evidence, ...(changes?.patchPath && { changes: changes.patchPath }) },
  };
}

function judgeCost(scores: readonly Score[]): number | null {
  const costs = scores.flatMap(({ details }) => (typeof details?.["cost_usd"] === "number" ? details["cost_usd"] : []));
  return costs.length === 0 ? null : costs.reduce((sum, cost) => sum + cost, 0);
}
