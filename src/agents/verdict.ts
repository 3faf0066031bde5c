import { type Fields, scanObjects } from "./scan-objects.js";

export interface Verdict {
  score: 0 | 1;
  reason: string | null;
  /** Whether it carries the token that the prompt asked for. */
  token: boolean;
}

export interface VerdictOptions {
  /** What the prompt asked the verdict to carry. */
  token: string;
  /** Accept only a verdict with the token. */
  strict?: boolean;
}

/**
 * The verdict in a final answer: the last well-formed JSON object whose `score` is the number 0 or 1 and whose `reason`,
 * if there, is a string. One that carries the token beats every other; one with a wrong token never counts.
 * Takes time linear in the text.
 */
export function findVerdict(text: string, { token, strict = false }: VerdictOptions): Verdict | undefined {
  let last: Verdict | undefined;
  scanObjects(text, FIELDS, (fields) => {
    const verdict = toVerdict(fields, token);
    // Objects come in order of their ends.
    if (verdict && (verdict.token || !last?.token)) last = verdict;
  });
  return strict && !last?.token ? undefined : last;
}

const FIELDS = ["score", "reason", "token"] as const;

function toVerdict(fields: Fields<(typeof FIELDS)[number]>, token: string): Verdict | undefined {
  const { score } = fields;
  if (score === undefined || !/^[-\d]/.test(score)) return undefined;
  const number = Number(score);
  if (number !== 0 && number !== 1) return undefined;
  if (fields.reason !== undefined && !fields.reason.startsWith('"')) return undefined;
  const carried =
    fields.token === undefined ? undefined : JSON.parse(fields.token.startsWith('"') ? fields.token : "null");
  if (fields.token !== undefined && carried !== token) return undefined;
  return {
    score: number === 1 ? 1 : 0,
    reason: fields.reason === undefined ? null : JSON.parse(fields.reason),
    token: carried === token,
  };
}
