import { wilsonInterval } from "../core/statistics.js";
import { count, dollars, duration, percent } from "../core/text.js";
import type { Block, Fact, Mark, ScoreLine, Turn } from "../viewer/page-data.js";
import type { Page, Suites } from "./kind.js";
import { asText, detailFacts, factsBlock, firstOf, span, textBlock } from "./page-blocks.js";
import { runsByReason } from "./run-reasons.js";
import { isInterrupted } from "./schema.js";
import type { CaseResult, Comparison, SuiteSummary, TrialResult } from "./suite-schema.js";

/** What the page says of a run of a suite. */
export function suitePage(summary: SuiteSummary): Page<Suites> {
  const marks = comparisonMarks(summary.comparison);
  return {
    figures: {
      title: summary.name,
      score: scoreOf(summary),
      figures: figuresOf(summary),
      gates: summary.gates,
      comparison: summary.comparison ? [...comparisonLines(summary.comparison)] : [],
    },
    detail: (result) => ({
      why: whyOf(result),
      tags: result.tags,
      marks: [...marksOf(result), ...(marks.get(result.case_id) ?? [])],
      runs: result.runs_wanted > 1 ? result.trials.map(({ status }) => status) : [],
      ...span(result, summary),
      blocks: blocksOf(result),
    }),
  };
}

function scoreOf({ score, interval, gates, comparison }: SuiteSummary) {
  const needed = gates.find(({ name }) => name === "min_pass_rate" || name === "all_passed");
  const baseline = comparison?.baseline_score ?? undefined;
  return {
    value: score,
    ...(interval && { low: interval.low, high: interval.high }),
    ...(needed && { needed: needed.name === "all_passed" ? 1 : needed.limit }),
    ...(baseline !== undefined && { baseline }),
  };
}

function figuresOf(summary: SuiteSummary): Fact[] {
  const { interval, runs, total_cases, flaky, retrieval_score, generation_score, retrieval_metrics } = summary;
  const k = Math.max(0, ...Object.keys(summary.pass_at_k).map(Number));
  const usd = (name: string, value: number | null): Fact[] => (value === null ? [] : [[name, dollars(value)]]);
  const share = (name: string, value: number | null): Fact[] => (value === null ? [] : [[name, percent(value)]]);
  const tokens = summary.total_input_tokens + summary.total_output_tokens;
  return [
    ...(interval
      ? [[`${percent(interval.level)} interval`, `${percent(interval.low)} to ${percent(interval.high)}`] as const]
      : []),
    ...(runs > total_cases ? [["runs", String(runs)] as const] : []),
    ...(k > 1 ? share(`pass@${k}`, summary.pass_at_k[k] ?? null) : []),
    ...(k > 1 ? share(`pass^${k}`, summary.pass_hat_k[k] ?? null) : []),
    ...(flaky.length > 0 ? [["flaky", count(flaky.length, "case")] as const] : []),
    ...share("retrieval", retrieval_score),
    ...(retrieval_score === null ? [] : share("generation", generation_score)),
    ...Object.entries(retrieval_metrics).map(([name, value]) => [name, value.toFixed(3)] as const),
    ...usd("cost of targets", summary.cost_usd),
    ...usd("cost of judge", summary.judge_cost_usd),
    ...usd("spent by this run", summary.spent_usd),
    ...(tokens > 0
      ? [["tokens in · out", tokenText(summary.total_input_tokens, summary.total_output_tokens)] as const]
      : []),
    ...(summary.median_latency_ms === null ? [] : [["median latency", duration(summary.median_latency_ms)] as const]),
    ...(summary.cached_runs > 0
      ? [["from the cache", `${summary.cached_runs} of ${count(runs, "run")}`] as const]
      : []),
  ];
}

function tokenText(input: number, output: number): string {
  return `${input.toLocaleString("en")} · ${output.toLocaleString("en")}`;
}

function* comparisonLines(comparison: Comparison): Generator<string> {
  const { compared, better, worse, same, changed, added, removed, p_value } = comparison;
  const p = p_value === null ? "" : `, p = ${p_value.toFixed(3)}`;
  yield `${count(compared, "case")} compared with ${comparison.baseline_run_id}: ${better.length} better, ${worse.length} worse, ${same} same${p}`;
  if (changed.length > 0) yield `changed since, not compared: ${changed.length}`;
  if (added.length > 0) yield `new, not compared: ${added.length}`;
  if (removed.length > 0) yield `only in the baseline: ${firstOf(removed, (left) => `and ${left} more`).join(", ")}`;
}

function comparisonMarks(comparison: Comparison | null): Map<string, Mark[]> {
  const marks = new Map<string, Mark[]>();
  if (comparison === null) return marks;
  const { worse, better, changed, added } = comparison;
  for (const [mark, ids] of Object.entries({ worse, better, changed, new: added })) {
    for (const id of ids) marks.set(id, [mark as Mark]);
  }
  return marks;
}

function marksOf(result: CaseResult): Mark[] {
  const passed = result.trials.filter(({ status }) => status === "passed").length;
  return [
    ...(isInterrupted(result) ? ["interrupted" as const] : []),
    ...(passed > 0 && passed < result.runs ? ["flaky" as const] : []),
    ...(result.cached > 0 && result.cached === result.runs ? ["cached" as const] : []),
  ];
}

/** Each reason once, a line each, with the runs that it was given for. */
function whyOf({ trials, runs_wanted, error_detail }: CaseResult): string {
  const lines = [...runsByReason(trials)].map(([reason, runs]) =>
    runs.size === runs_wanted ? reason : `${reason} (run ${[...runs].join(", ")})`,
  );
  return lines.join("\n") || (error_detail ?? "");
}

function blocksOf(result: CaseResult): Block[] {
  const { trials, runs_wanted } = result;
  const several = runs_wanted > 1;
  const passed = trials.filter(({ status }) => status === "passed").length;
  const { low, high } = wilsonInterval(passed, runs_wanted);
  return [
    ...(typeof result.input === "string" ? [] : textBlock("Input", asText(result.input))),
    ...factsBlock([
      several && [
        "pass rate",
        `${passed}/${runs_wanted}, ${percent(result.pass_rate)} (95% CI ${percent(low)} to ${percent(high)})`,
      ],
      ["target", result.target],
    ]),
    ...trials.flatMap((trial): Block[] => {
      const blocks = trialBlocks(trial);
      if (!several) return blocks;
      return [{ kind: "run", title: `Run ${trial.run}`, status: trial.status, blocks }];
    }),
    ...factsBlock([["digest", result.case_sha256]]),
  ];
}

function trialBlocks(trial: TrialResult): Block[] {
  const { changes: patch = null, ...evidence } = trial.evidence;
  const files = Object.entries(evidence);
  if (trial.workspace !== null) files.push(["workspace", trial.workspace]);
  const turns = turnsOf(trial);
  // What it said last is most often the last message, too.
  const saidLast = trial.messages.at(-1)?.content === trial.output;
  return [
    { kind: "scores", scores: trial.scores.map(scoreLine) },
    ...(trial.error_message !== null && !trial.failure_reasons.includes(trial.error_message)
      ? textBlock("Error", trial.error_message)
      : []),
    ...(saidLast ? [] : textBlock("Output", trial.output)),
    ...(turns.length > 0 ? [{ kind: "session", turns } as const] : []),
    ...(trial.retrieved ? textBlock("Retrieved", retrievedText(trial.retrieved)) : []),
    ...(trial.changes?.length || patch !== null
      ? [
          {
            kind: "patch",
            files: firstOf((trial.changes ?? []).map(changeText), (left) => `and ${count(left, "file")} more`),
            path: patch,
            text: "",
          } as const,
        ]
      : []),
    ...factsBlock([
      ["latency", duration(trial.duration_ms)],
      trial.turns > 0 && ["turns", String(trial.turns)],
      trial.input_tokens + trial.output_tokens > 0 && [
        "tokens in · out",
        tokenText(trial.input_tokens, trial.output_tokens),
      ],
      trial.cost_usd !== null && ["cost", dollars(trial.cost_usd)],
      trial.judge_cost_usd !== null && ["cost of judge", dollars(trial.judge_cost_usd)],
      trial.model !== null && ["model", trial.model],
      trial.retries > 0 && ["retries", String(trial.retries)],
      trial.cached && ["answer", "from the cache"],
      ["session", trial.session_id],
    ]),
    ...(files.length > 0 ? [{ kind: "files", files } as const] : []),
  ];
}

function scoreLine({ type, status, reason, metrics, details }: TrialResult["scores"][number]): ScoreLine {
  return { type, status, reason, facts: [...detailFacts(metrics), ...detailFacts(details)] };
}

function turnsOf({ messages, tool_calls }: TrialResult): Turn[] {
  const said = messages.map(({ role, name, content }) => ({
    role,
    ...(name !== undefined && { name }),
    text: content,
  }));
  const called = tool_calls.map(({ name, arguments: given, result, error }) => ({
    tool: name,
    arguments: asText(given),
    ...(result !== undefined && { result: asText(result) }),
    ...(error !== undefined && { error }),
  }));
  const more = (what: string) => (left: number) => ({ role: "…", text: `and ${count(left, what)} more` });
  // In the order in which they are kept: nothing says which call belongs to which message.
  return [...firstOf<Turn>(said, more("message")), ...firstOf<Turn>(called, more("call"))];
}

function retrievedText(retrieved: NonNullable<TrialResult["retrieved"]>): string {
  const lines = retrieved.map(({ id, text, score }, index) => {
    const scored = score === undefined ? "" : ` (${score})`;
    return `${index + 1}. ${id}${scored}${text === undefined ? "" : `\n   ${text}`}`;
  });
  return firstOf(lines, (left) => `and ${left} more`).join("\n");
}

function changeText({ status, path, from, added, removed }: Record<string, unknown>): string {
  const name = typeof from === "string" ? `${from} → ${path}` : String(path);
  const lines = typeof added === "number" && typeof removed === "number" ? ` +${added} −${removed}` : "";
  return `${status}: ${name}${lines}`;
}
