import { parseJson } from "../../core/json.js";
import type { UncheckedCases } from "../format/written-case.js";

/** The cases in a JSONL text: one JSON object per line. Lines count as an editor counts them, blank ones too. */
export function readJsonl(text: string, file: string): UncheckedCases {
  const found: UncheckedCases = { cases: [], problems: [] };
  // Only these: U+2028 and the like may stand in a JSON string.
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "") continue;
    const { value, problems, locate } = parseJson(line);
    if (problems.length > 0) found.problems.push(...problems.map((problem) => ({ ...problem, file, line: index + 1 })));
    else
      found.cases.push({
        value,
        file,
        locate: (path, part) => ({ line: index + 1, column: locate(path, part).column }),
      });
  }
  return found;
}
