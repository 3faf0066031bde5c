// @ts-check
// Runs a suite that is written here against a function of this program, and exits like `eb suite run --ci`.
import { runSuite, UserError } from "eval-banana";

/** The feature under test: a stand-in for what calls a model. */
const prices = new Map([
  ["apple", 1],
  ["banana", 2],
]);

/** @type {import("eval-banana").TargetFunction} */
async function shop(input) {
  const name = [...prices.keys()].find((word) => String(input).includes(word));
  if (name === undefined) return "Sorry, we do not sell that.";
  return {
    output: `One ${name} costs ${prices.get(name)} dollars.`,
    tool_calls: [{ name: "look_up", arguments: { name } }],
    usage: { input_tokens: 12, output_tokens: 8 },
  };
}

try {
  const report = await runSuite({
    cwd: import.meta.dirname,
    suite: {
      name: "shop",
      cases: [
        { id: "price", task: "What is a banana?", expect_keywords: ["2 dollars"] },
        { id: "looks-it-up", task: "And an apple?", checks: { trajectory: { must_call: ["look_up"] } } },
        { id: "unknown", task: "A pear, please.", expect_regex: ["sorry"], forbidden_keywords: ["dollars"] },
        { id: "polite", task: "What is an apple?", expect_keywords: ["please"] },
      ],
    },
    target: shop,
    minPassRate: 0.7,
  });
  for (const { case_id, status, failure_reasons } of report.cases) {
    console.log([status, case_id, ...failure_reasons].join(" "));
  }
  for (const { passed, text } of report.gates) console.log(passed ? "met:" : "missed:", text);
  process.exitCode = report.run_passed ? 0 : 1;
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  console.error(error.message, error.problems, error.hint);
  process.exitCode = 2;
}
