import { duration } from "../core/text.js";
import type { Fact } from "../viewer/page-data.js";
import type { Checks, Page } from "./kind.js";
import { detailFacts, factsBlock, span, textBlock } from "./page-blocks.js";
import { type CheckResult, isInterrupted } from "./schema.js";

/** What the page says of a run of checks. */
export function checksPage(summary: Checks["summary"]): Page<Checks> {
  return {
    figures: {
      title: "Checks",
      score: {
        value: summary.total_points === 0 ? 0 : summary.points_earned / summary.total_points,
        needed: summary.pass_threshold,
      },
      figures: [["points", `${summary.points_earned} of ${summary.total_points}`]],
      gates: [],
      comparison: [],
    },
    detail: (result) => ({
      why: result.reason ?? result.error_detail ?? "",
      tags: result.tags,
      marks: isInterrupted(result) ? ["interrupted"] : [],
      runs: votesOf(result),
      ...span(result, summary),
      blocks: [
        ...textBlock("Standard output", result.stdout),
        ...textBlock("Standard error", result.stderr),
        ...factsBlock([
          ["type", result.check_type],
          result.exit_code !== null && ["exit code", String(result.exit_code)],
          ["duration", duration(result.duration_ms)],
          ...detailFacts(result.details, PATHS),
          result.check_definition_sha256 !== null && ["digest", result.check_definition_sha256],
        ]),
        { kind: "files", files: filesOf(result) },
      ],
    }),
  };
}

const PATHS = ["stdout_path", "stderr_path", "raw_response_path"];

function filesOf({ details }: CheckResult): Fact[] {
  return PATHS.flatMap((name) => {
    const path = details[name];
    // The response of a judge is most often what it printed.
    const twice = name === "raw_response_path" && path === details["stdout_path"];
    return typeof path === "string" && !twice ? [[name.replace(/_path$/, "").replaceAll("_", " "), path] as const] : [];
  });
}

/** How each vote of a judge went. */
function votesOf({ details }: CheckResult): CheckResult["status"][] {
  const votes = details["votes"] as Record<CheckResult["status"], number> | undefined;
  if (votes === undefined) return [];
  return (["passed", "failed", "error"] as const).flatMap((status) =>
    Array.from({ length: Number(votes[status]) || 0 }, () => status),
  );
}
