import type { Problem } from "../../core/errors.js";
import type { ParsedYaml } from "../../core/yaml.js";

/** A case before it is looked at: a value, and where its parts stand. */
export interface UncheckedCase {
  value: unknown;
  /** Absolute path of the file that holds it. */
  file: string;
  /** Line and column of its parts; of the case itself for `[]`. */
  locate: (path: readonly PropertyKey[], part?: "key" | "value") => Pick<Problem, "line" | "column">;
}

/** The unchecked cases of a file, and what makes the rest of it unreadable. */
export interface UncheckedCases {
  cases: UncheckedCase[];
  problems: Problem[];
}

/** A case at `path` in a parsed file. */
export function caseIn(parsed: ParsedYaml, file: string, path: readonly PropertyKey[], value: unknown): UncheckedCase {
  return { value, file, locate: (inner, part) => parsed.locate([...path, ...inner], part) };
}
