import { extname } from "node:path";
import type { Problem } from "../../core/errors.js";
import { decodeUtf8 } from "../../core/utf8.js";
import { findBeside, type Places } from "../find-beside.js";
import type { UncheckedCase, UncheckedCases } from "../format/written-case.js";
import { fileContent } from "./file-content.js";
import { readCsv } from "./read-csv.js";
import { readJsonl } from "./read-jsonl.js";

export interface CaseFileOptions extends Places {
  /** The suite that names the files. */
  file: string;
  locate: UncheckedCase["locate"];
}

const readers: Readonly<Record<string, (text: string, file: string) => UncheckedCases>> = {
  ".jsonl": readJsonl,
  ".ndjson": readJsonl,
  ".csv": readCsv,
};

/** The cases in the files that `cases_file` names; `at` is where in the suite each name stands. */
export function readCaseFiles(
  named: readonly { path: string; at: readonly PropertyKey[] }[],
  options: CaseFileOptions,
): UncheckedCases {
  const found = named.map(({ path, at }) => {
    const failed = (message: string): UncheckedCases => {
      const problem: Problem = { file: options.file, ...options.locate(at), field: "cases_file", message };
      return { cases: [], problems: [problem] };
    };
    const read = readers[extname(path).toLowerCase()];
    if (!read) return failed(`expected a file that ends with ${Object.keys(readers).join(", ")}: ${path}`);
    const file = findBeside(path, options);
    const content = fileContent(file);
    if ("problem" in content) return failed(content.problem);
    const text = decodeUtf8(content.bytes);
    if (text === undefined) return { cases: [], problems: [{ file, message: "is not valid UTF-8" }] };
    const { cases, problems } = read(text, file);
    return cases.length + problems.length === 0 ? failed(`holds no cases: ${path}`) : { cases, problems };
  });
  return { cases: found.flatMap(({ cases }) => cases), problems: found.flatMap(({ problems }) => problems) };
}
