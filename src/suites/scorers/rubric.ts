import { dirname } from "node:path";
import { makeDirectory } from "../../core/make-directory.js";
import { maskChange } from "../../report/mask.js";
import type { ItemContext } from "../../run/context.js";
import { type JudgeRequest, runJudge } from "../../run/judge.js";
import { type Outcome, outcomeOfError } from "../../run/outcome.js";
import type { JudgeSettings } from "../format/schema.js";
import { taskText } from "../test-case.js";
import { partContext } from "../trial-context.js";
import { rubricPrompt } from "./rubric-prompt.js";
import type { AssertionOf, Trial, Verdict } from "./scorer.js";

/**
 * Asks a judge: {@link runJudge}, or what stands before it, e.g. a store of earlier verdicts. `request.prompt` gives the
 * same text for the same token, so `request.prompt("")` stands for the question.
 */
export type AskJudge = (request: JudgeRequest, context: ItemContext) => Promise<Outcome>;

/** Asks the judge one set of questions; all are to be answered with yes. */
export async function scoreRubric(
  { questions }: AssertionOf<"rubric">,
  { testCase, session, workspace, context: trialContext }: Trial,
  { judge, askJudge = runJudge, part }: { judge: JudgeSettings; askJudge?: AskJudge | undefined; part: number },
): Promise<Verdict> {
  const context = partContext(trialContext, part === 1 ? "judge" : `judge-${part}`);
  const maxChars = context.config["core.llm_max_input_chars"];
  const { text } = context.redactor;
  const input = text(taskText(testCase.input));
  const output = text(session.output);
  const { votes, model, reasoning_effort: reasoningEffort } = judge;
  const left = workspace && {
    directory: workspace.directory,
    changes:
      "error" in workspace.changes ? [] : workspace.changes.files.map((change) => maskChange(change, context.redactor)),
  };
  const request: JudgeRequest = {
    // Masked before it is cut, and not as a whole: words of the prompt may be the values of secrets.
    prompt: (token) =>
      rubricPrompt({ input, output, questions: questions.map(text), workspace: left, token, maxChars }),
    votes,
    retries: 0,
    patient: true,
    model,
    reasoningEffort,
  };
  makeDirectory(dirname(context.stdoutPath));
  const { status, reason, errorDetail, exitCode, details } = await askJudge(request, context).catch(outcomeOfError);
  return {
    status,
    reason: (status === "error" ? errorDetail : reason) ?? "",
    details: { ...(exitCode !== undefined && { exit_code: exitCode }), ...details },
  };
}
