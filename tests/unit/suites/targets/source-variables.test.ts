import { expect, it } from "vitest";
import { variablesNamedIn } from "../../../../src/suites/targets/source-variables.js";

it.each([
  ["a.py", `os.environ["A"]; environ.get('B', "x"); getenv( "C"); os.environ.setdefault("D", "")`, "ABCD"],
  ["a.ts", "process.env.A ?? process.env['B'] || process.env?.C; process.env?.[`D`]", "ABCD"],
  ["a.js", "const { A, B: b = 'x' } = process.env; const { y } = process.env.C;", "ABC"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: nothing is to be put in its place
  ["a.sh", 'echo "$A" ${B:-x} ${#C} $1 $? $$', "ABC"],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: as above
  ["a.js", "`${A} $B`; environment.C", ""],
])("the variables that %s names: %s", (path, text, expected) => {
  expect(variablesNamedIn(text, path).sort().join("")).toBe(expected);
});
