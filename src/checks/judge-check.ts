import { judgePrompt } from "../agents/prompt.js";
import type { ItemContext } from "../run/context.js";
import { runJudge } from "../run/judge.js";
import type { Outcome } from "../run/outcome.js";
import type { JudgeCheck } from "./schema.js";

/** Has a check judged by the agent of the run. */
export function judgeCheck(definition: JudgeCheck, context: ItemContext): Promise<Outcome> {
  const { description, instructions, votes, retries, model, timeout_seconds: timeoutSeconds } = definition;
  const maxChars = context.config["core.llm_max_input_chars"];
  const prompt = (token: string) => judgePrompt({ description, instructions, token, maxChars });
  return runJudge({ prompt, votes, retries, model, timeoutSeconds }, context);
}
