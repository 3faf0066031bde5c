import type { Problem } from "../../core/errors.js";
import type { ParsedYaml } from "../../core/yaml.js";
import { formatPath } from "../../core/zod-problems.js";

/** A case before it is looked at: a value, and where its parts stand. */
export interface UncheckedCase {
  value: unknown;
  /** Absolute path of the file that holds it. */
  file: string;
  /** Line and column of its parts; of the case itself for `[]`. */
  locate: Locate;
  /** What it is called where it has neither an id nor a line. */
  label?: string;
}

type Locate = (path: readonly PropertyKey[], part?: "key" | "value") => Pick<Problem, "line" | "column">;

/** A file as it was parsed, or the same given by a program, in which nothing has a line. */
export type ParsedSource = Pick<ParsedYaml, "value" | "problems"> & { locate: Locate };

/** The unchecked cases of a file, and what makes the rest of it unreadable. */
export interface UncheckedCases {
  cases: UncheckedCase[];
  problems: Problem[];
}

/** A case at `path` in a parsed file. */
export function caseIn(
  parsed: ParsedSource,
  file: string,
  path: readonly PropertyKey[],
  value: unknown,
): UncheckedCase {
  return { value, file, label: formatPath(path), locate: (inner, part) => parsed.locate([...path, ...inner], part) };
}
