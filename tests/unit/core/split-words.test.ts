import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { splitWords } from "../../../src/core/split-words.js";
import { PYTHON } from "../../helpers/project.js";

it.each([
  "node answer.mjs --short",
  "  a   b\tc ",
  "a 'b c' \"d e\"",
  "say'ing' \"it\"'s'",
  "a\\ b c\\\\d",
  '"a \\" b" "\\\\" "\\n"',
  "'a\\b' ''",
])("splits %j as Python's shlex does", (line) => {
  const script = "import json, shlex, sys; print(json.dumps(shlex.split(sys.argv[1])))";
  const expected: unknown = JSON.parse(execFileSync(PYTHON, ["-c", script, line], { encoding: "utf8" }));
  expect(splitWords(line)).toEqual(expected);
});
