import { INTERRUPTED } from "../../report/schema.js";
import type { Assertion, Score } from "../format/assertion.js";
import type { JudgeSettings } from "../format/schema.js";
import type { Session } from "../session.js";
import { scoreFiles } from "./files.js";
import { malformedFigures, scoreLimit } from "./limits.js";
import { scoreRetrieval } from "./retrieval.js";
import { type AskJudge, scoreRubric } from "./rubric.js";
import { type AssertionOf, errorBecause, type Scorer, type Trial, type Verdict } from "./scorer.js";
import { scoreScript } from "./script.js";
import { scoreContains, scoreLength, scoreMatches, scoreNotContains, scoreWhole } from "./text.js";
import { scoreTrajectory } from "./trajectory.js";
import { scoreValidJson } from "./valid-json.js";

export interface ScoreRequest extends Trial {
  judge: JudgeSettings;
  /** Undefined: the agent itself is asked. */
  askJudge?: AskJudge | undefined;
}

type Rubric = AssertionOf<"rubric">;
type Deterministic = Exclude<Assertion, Rubric>;

const scorers: { [T in Deterministic["type"]]: Scorer<AssertionOf<T>> } = {
  contains: scoreContains,
  not_contains: scoreNotContains,
  matches: scoreMatches,
  equals: scoreWhole,
  starts_with: scoreWhole,
  ends_with: scoreWhole,
  valid_json: scoreValidJson,
  max_words: scoreLength,
  min_words: scoreLength,
  max_chars: scoreLength,
  script: scoreScript,
  script_path: scoreScript,
  trajectory: scoreTrajectory,
  retrieval: scoreRetrieval,
  files: scoreFiles,
  max_turns: scoreLimit,
  max_cost_usd: scoreLimit,
  max_tokens: scoreLimit,
  max_duration_ms: scoreLimit,
};

/**
 * Scores one run of a case; it passed when every score did. Never empty. First whether the session succeeded: where it
 * had to and did not, nothing else is looked at. Then what needs no judge, in the order of the case; the judge last and
 * only when `judge.when` says so. A judge that is not asked has no score: `details.judge` of the last score says why.
 * @throws the file system's error when a program's files can't be written
 */
export async function scoreSession(request: ScoreRequest): Promise<Score[]> {
  const { testCase, session } = request;
  const begin = scoreSuccess(request);
  if (begin.some(({ status }) => status !== "passed")) return begin;

  const scores = [...begin];
  let part = 0;
  for (const assertion of testCase.assertions) {
    if (assertion.type === "rubric") continue;
    // The table has the scorer of each type, which the compiler can't follow through an index.
    const scorer = scorers[assertion.type] as Scorer<Assertion>;
    if (assertion.type === "script" || assertion.type === "script_path") part += 1;
    const verdict = await scoreSafely(() => scorer(assertion, request, part));
    scores.push({ type: assertion.type, ...withHint(assertion, verdict, session.hint) });
    if (request.context.signal.aborted) return [interrupted];
  }
  return withRubrics(scores, request, session);
}

const OF_AN_OBJECT = new Set<Assertion["type"]>(["valid_json", "trajectory", "retrieval"]);

/** Where something is missed that only an answer in another form has. */
function withHint({ type }: Assertion, verdict: Verdict, hint: string | undefined): Verdict {
  if (hint === undefined || verdict.status !== "failed" || !OF_AN_OBJECT.has(type)) return verdict;
  return { ...verdict, reason: `${verdict.reason}; ${hint}` };
}

/** What a target hands back may be nested so deeply that going through it ends the stack. */
async function scoreSafely(score: () => Verdict | Promise<Verdict>): Promise<Verdict> {
  try {
    return await score();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return errorBecause(`what the target handed back can't be looked through: ${error.message}`);
  }
}

/** All that is said of a session where the run was stopped before all was known. */
export const interrupted: Score = { type: "must_succeed", status: "error", reason: INTERRUPTED };

/** How the session ended. Nothing to say where the case does not mind and the figures are in order. */
function scoreSuccess({ testCase, session }: Trial): Score[] {
  if (session.interrupted) return [interrupted];
  if (session.unavailable) return [{ type: "must_succeed", status: "error", reason: session.error ?? "" }];
  const malformed = malformedFigures(session);
  if (malformed !== undefined) return [{ type: "must_succeed", status: "error", reason: malformed }];
  if (!testCase.mustSucceed) return [];
  if (session.error === null) return [{ type: "must_succeed", status: "passed", reason: "" }];
  return [{ type: "must_succeed", status: "failed", reason: session.error || "the session ended with an error" }];
}

async function withRubrics(found: readonly Score[], request: ScoreRequest, session: Session): Promise<Score[]> {
  const { testCase, judge, askJudge } = request;
  const rubrics = testCase.assertions.filter((assertion): assertion is Rubric => assertion.type === "rubric");
  const others = testCase.assertions.filter(({ type }) => type !== "rubric");
  const failed = found.some(({ status }) => status !== "passed");
  const notAsked = rubrics.length === 0 ? undefined : whyNotAsked(judge, { failed, alone: others.length === 0 });

  const judged = rubrics.length > 0 && notAsked === undefined;
  const silent = session.output.trim() === "" && others.length > 0 && others.every(isNegative) && !judged;
  const scores = silent ? [silence, ...found.filter(({ type }) => type !== "must_succeed")] : [...found];
  if (judged) {
    for (const [index, rubric] of rubrics.entries()) {
      const options = { judge, askJudge, part: index + 1 };
      scores.push({ type: "rubric", ...(await scoreRubric(rubric, request, options)) });
      if (request.context.signal.aborted) return [interrupted];
    }
  }
  if (notAsked === undefined) return scores;
  if (others.length === 0)
    return [
      ...scores,
      { type: "rubric", status: "error", reason: `not scored: ${notAsked}`, details: { asked: false } },
    ];
  return scores.map((score, index) =>
    index === scores.length - 1 ? { ...score, details: { ...score.details, judge: notAsked } } : score,
  );
}

const silence: Score = {
  type: "must_succeed",
  status: "failed",
  reason:
    "the output is empty, and the case only says what must not be there: an answer that is missing would always pass; " +
    'assert what must be there, or equals: ""',
};

/** Why the judge is not asked; undefined when it is. Where nothing else is asserted, it alone can decide. */
function whyNotAsked(
  { when }: JudgeSettings,
  { failed, alone }: { failed: boolean; alone: boolean },
): string | undefined {
  switch (when) {
    case "never":
      return "the judge was not asked: judge.when is never";
    case "deterministic-pass":
      return failed ? "the judge was not asked: the case had failed without it" : undefined;
    case "deterministic-fail":
      return failed || alone ? undefined : "the judge was not asked: the case had passed without it";
    case "always":
      return undefined;
  }
}

/** Whether a session that did nothing and said nothing meets it. */
function isNegative(assertion: Assertion): boolean {
  switch (assertion.type) {
    case "not_contains":
    case "max_words":
    case "max_chars":
    case "max_turns":
    case "max_cost_usd":
    case "max_tokens":
    case "max_duration_ms":
      return true;
    case "trajectory":
      return assertion.mustCall.length === 0 && !assertion.order?.length && !assertion.exact?.length;
    case "files":
      return assertion.mustExist.length + assertion.mustChange.length + Object.keys(assertion.contains).length === 0;
    default:
      return false;
  }
}
