import type { SuiteReport } from "../../src/report/suite-schema.js";
import type { Project } from "./project.js";

/** Runs a suite; returns the ids of the cases that did not pass. */
export async function failedCases(p: Project, suitePath: string): Promise<string[]> {
  const { code, stdout, stderr } = await p.eb(["suite", "run", suitePath, "--json", "--no-cache"]);
  if (code !== 0) throw new Error(stderr);
  const { cases }: SuiteReport = JSON.parse(stdout);
  return cases.flatMap(({ case_id, passed }) => (passed ? [] : case_id));
}
