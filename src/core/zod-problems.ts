import type { core } from "zod/mini";
import type { Problem } from "./errors.js";
import { didYouMean } from "./suggest.js";
import { describeValue } from "./text.js";

type Path = readonly PropertyKey[];

export interface ProblemContext {
  /** The value that was validated. */
  value: unknown;
  /** How a value is shown that is not what is wanted; for what may hold secrets. */
  describe?: (value: unknown) => string;
  /** The names that are known at `path`, for suggestions. */
  known?: (path: Path) => readonly string[];
  /** A message of its own for an unknown key. */
  unknownKey?: (key: string, path: Path) => string | undefined;
  /** File, line and column of a value, or of a key. */
  locate: (path: Path, part: "key" | "value") => Pick<Problem, "file" | "line" | "column">;
}

/**
 * The issues of a failed validation as problems. Our schemas say in their messages what is wanted
 * (`a whole number of at least 1`); what was found is taken from the value.
 */
export function zodProblems(error: core.$ZodError, context: ProblemContext): Problem[] {
  return error.issues.flatMap((issue) => issueProblems(issue, context));
}

function issueProblems(issue: core.$ZodIssue, context: ProblemContext): Problem[] {
  const inner = issue.code === "invalid_union" ? nearestOption(issue.errors) : undefined;
  if (inner) return inner.flatMap((part) => issueProblems({ ...part, path: [...issue.path, ...part.path] }, context));
  if (issue.code === "invalid_key") {
    const message = issue.issues[0]?.message ?? issue.message;
    return [{ ...context.locate(issue.path, "key"), field: formatPath(issue.path), message }];
  }
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => unknownKey(key, issue.path, context));
  const found = valueAt(context.value, issue.path);
  const missing = found === undefined;
  const message =
    issue.code === "custom" || (missing && issue.path.length === 0)
      ? issue.message
      : missing
        ? `is required: ${issue.message}`
        : `expected ${issue.message}, found ${(context.describe ?? describeValue)(found)}`;
  const field = formatPath(issue.path);
  return [{ ...context.locate(issue.path, "value"), ...(field && { field }), message }];
}

/** What is wrong with the one form of a union that the value has in the main: of the others not even the type fits. */
function nearestOption(options: readonly core.$ZodIssue[][]): core.$ZodIssue[] | undefined {
  const near = options.filter((issues) =>
    issues.every(({ path, code }) => path.length > 0 || code === "unrecognized_keys"),
  );
  return near.length === 1 ? near[0] : undefined;
}

function unknownKey(key: string, path: Path, context: ProblemContext): Problem {
  const known = context.known?.(path) ?? [];
  const suggestion = didYouMean(key, known);
  const list = suggestion === "" && known.length > 0 ? `; the known ones are ${known.join(", ")}` : "";
  return {
    ...context.locate([...path, key], "key"),
    field: formatPath([...path, key]),
    message: context.unknownKey?.(key, path) ?? `unknown field${suggestion}${list}`,
  };
}

/** `tags[1]`, `agents.claude.command`. */
export function formatPath(path: Path): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === "number") return `${text}[${part}]`;
    return text ? `${text}.${String(part)}` : String(part);
  }, "");
}

/** The value at a path; undefined where there is none. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined | null)?.[key], value);
}
