import { expect, it } from "vitest";
import { serve } from "../helpers/server.js";
import { runSuite, suiteProject, suiteReport } from "../helpers/suite.js";

const at = ".eval-banana/targets/default.yaml";

it("a service is called anew with --ci, unless its target says cache: true", async () => {
  const { url, requests } = await serve((_, response) => response.end("x"));
  const p = suiteProject("name: Shop\ncases:\n  - { id: a, input: x, checks: { equals: x } }\n", {
    [at]: `type: http\nurl: ${url}/\n`,
  });
  await runSuite(p);
  const cached = await runSuite(p);
  expect(requests).toHaveLength(1);
  expect(cached.stdout).toMatch(/^✓ a cached$/m);
  expect(cached.stdout).toMatch(/^PASSED .* · 1 of 1 run cached · /m);
  expect((await runSuite(p, ["--ci"])).stdout).not.toContain("cached");
  expect(requests).toHaveLength(2);
  p.write({ [at]: `type: http\nurl: ${url}/\ncache: true\n` });
  await runSuite(p, ["--ci"]);
  expect((await runSuite(p, ["--ci"])).stdout).toContain("1 of 1 run cached");
  expect(requests).toHaveLength(3);
});

it("a gate that said nothing has no tick; JUnit has a test for each gate, and the name of the suite", async () => {
  const suite = (word: string) =>
    `name: Shop & Co\ngates: { min_pass_rate: 0, max_drop: 0.03, max_cost_increase: 0.5 }\ncases:\n  - { id: a, input: say x, checks: { equals: ${word} } }\n  - { id: b, input: say x, checks: { equals: x } }\n`;
  const p = suiteProject(suite("x"));
  const first = await runSuite(p, ["--reporter", "junit:first.xml"]);
  expect(first.stdout).toMatch(/^– drop: no baseline to compare with$/m);
  expect(p.read("first.xml")).toContain('tests="5" failures="0" errors="0" skipped="2"');
  await p.eb(["suite", "baseline", "update", suiteReport(p).run_id]);
  p.write({ "target.cjs": p.read("target.cjs").replace("answer(verb ===", 'answer(case_id === "a" ? "y" : verb ===') });
  const worse = await runSuite(p, ["--reporter", "junit:second.xml", "--min-pass-rate", "0.9"]);
  expect(worse.stdout).toMatch(
    /^– drop 50 points \(100% to 50% over 2 cases\), at most 3 points allowed, .* can't be missed$/m,
  );
  const xml = p.read("second.xml");
  expect(xml).toContain('<testsuite name="Shop &amp; Co" tests="5" failures="2" errors="0" skipped="1"');
  expect(xml).toContain('<testcase name="a" classname="Shop &amp; Co"');
  expect(xml).toContain('<testcase name="gate: min_pass_rate" classname="Shop &amp; Co" time="0.000">\n      <failure');
  expect(suiteReport(p).gates.map(({ name, decided }) => [name, decided])).toEqual([
    ["min_pass_rate", true],
    ["max_drop", false],
    ["max_cost_increase", true],
  ]);
});

it("a script that fails shows its traceback and where it is, and repeats the time of one run", async () => {
  const p = suiteProject(
    "runs: 3\ncases:\n  - { id: a, input: say x, checks: { script: \"def look():\\n    raise KeyError('gone')\\nlook()\" } }\n",
  );
  const { stdout } = await runSuite(p);
  expect(stdout).toMatch(/^✗ a failed 3 × [\d.]+ (ms|s)$/m);
  expect(stdout).toMatch(/^ {4}│ Traceback|^ {4}│ .*in look$/m);
  expect(stdout).toMatch(/^ {2}script: +\S+run-1\S*script-1\S*stderr\.txt$/m);
});

it("a text that looks like the answer object is told where it keeps an assertion from being met", async () => {
  const p = suiteProject(
    "cases:\n  - { id: a, input: say x, checks: { trajectory: { must_call: [search] } } }\n  - { id: b, input: say x, checks: { valid_json: { type: array } } }\n",
  );
  p.write({ [at]: p.read(at).replace("output: json\n", "") });
  await runSuite(p);
  for (const { failure_reasons } of suiteReport(p).cases) {
    expect(failure_reasons.join()).toMatch(/; this looks like the answer object: set `output: json` in the target$/);
  }
});
