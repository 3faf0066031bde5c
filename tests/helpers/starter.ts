import { execFileSync } from "node:child_process";
import { parse } from "yaml";
import type { Assertion } from "../../src/suites/assertion.js";
import { loadSuite } from "../../src/suites/load-suite.js";
import { targetPath } from "../../src/suites/target-path.js";
import { taskText } from "../../src/suites/test-case.js";
import type { Project } from "./project.js";

/**
 * Asks the targets of a suite its tasks, and returns the assertions that do not hold: those on the output's text.
 * As simple as can be: the judgement of a second implementation.
 */
export function failedAssertions(p: Project, suitePath: string): string[] {
  const { suite, problems, warnings } = loadSuite(p.path(suitePath), { projectRoot: p.root });
  if (!suite || problems.length + warnings.length > 0) throw new Error(JSON.stringify({ problems, warnings }));
  const directory = p.path(suitePath, "..");
  return suite.cases.flatMap(({ id, input, config, assertions }) => {
    const target = parse(p.read(targetPath(config ?? suite.config, { directory, root: p.root }).slice(p.root.length)));
    const [program, ...args] = target.command as [string, ...string[]];
    const printed = execFileSync(program, args, { cwd: p.root, input: taskText(input), encoding: "utf8" });
    const session = target.output === "json" ? JSON.parse(printed) : { output: printed.trim() };
    return assertions.filter((assertion) => !holds(assertion, session)).map(({ type }) => `${id}: ${type}`);
  });
}

interface Answer {
  output: string;
  turns?: number;
  tool_calls?: { name: string; arguments: unknown }[];
}

function holds(assertion: Assertion, { output, turns = 1, tool_calls = [] }: Answer): boolean {
  const text = output.toLowerCase();
  switch (assertion.type) {
    case "contains":
      return text.includes(assertion.text.toLowerCase());
    case "not_contains":
      return !text.includes(assertion.text.toLowerCase());
    case "matches":
      return new RegExp(assertion.source, assertion.flags).test(output);
    case "starts_with":
      return output.startsWith(assertion.text);
    case "max_words":
      return output.trim().split(/\s+/).length <= assertion.limit;
    case "max_turns":
      return turns <= assertion.limit;
    case "trajectory":
      return assertion.mustCall.every((wanted) =>
        tool_calls.some(
          ({ name, arguments: given }) =>
            name === wanted.name && JSON.stringify(given) === JSON.stringify(wanted.arguments ?? given),
        ),
      );
    default:
      throw new Error(`this helper knows no ${assertion.type}`);
  }
}
