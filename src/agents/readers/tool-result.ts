import { isObject, numberAt, stringAt, type ToolCall, textOf } from "../answer.js";
import { parsePrinted } from "../parse-printed.js";

/** The text of a result that is a list of nothing but text; any other as it is. */
export function plainResult(content: unknown): unknown {
  const isText = Array.isArray(content) && content.every((part) => stringAt(part, "type") === "text");
  return isText ? textOf(content) : content;
}

/** Grok's result of a command is JSON in a text, with the output as a list of bytes: what its model was shown of it. */
export function grokCommand(content: unknown): Pick<ToolCall, "result" | "error"> | undefined {
  if (typeof content !== "string" || !content.startsWith('{"type":"Bash",')) return undefined;
  const document = parsePrinted(content);
  if (!isObject(document) || stringAt(document, "output_for_prompt") === undefined) return undefined;
  const failed = (numberAt(document, "exit_code") ?? 0) !== 0;
  return { result: document["output_for_prompt"], ...(failed && { error: true }) };
}
