import { parseJson } from "../../core/json.js";
import { formsOf, type SchemaNode } from "../format/schema-at.js";

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * A cell as the value that its field takes; as the text that it is where it looks like none, for the schema to refuse.
 * A list is JSON, or split at `|`. Where a text is what is usual (a regular expression, a rubric) only JSON makes a list:
 * `|` means something there.
 */
export function typedCell(cell: string, schema: SchemaNode): unknown {
  const forms = formsOf(schema);
  const takes = (type: string) => forms.some((form) => form.type === type);
  const word = cell.trim();
  if ((takes("integer") || takes("number")) && NUMBER.test(word)) return Number(word);
  if (takes("boolean") && /^(?:true|false)$/i.test(word)) return word.toLowerCase() === "true";
  if (takes("object") && word.startsWith("{")) return jsonOr(cell, word);
  if (!takes("array")) return cell;
  const isText = forms[0]?.type === "string";
  const list = word.startsWith("[") ? jsonOr(undefined, word) : undefined;
  if (Array.isArray(list) && (!isText || list.every((part) => typeof part === "string"))) return list;
  if (isText) return cell;
  return cell
    .split("|")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function jsonOr(fallback: unknown, text: string): unknown {
  const { value, problems } = parseJson(text);
  return problems.length === 0 ? value : fallback;
}
