import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { callsOf, caseOf, runSuite, suiteProject, suiteReport } from "../helpers/suite.js";

const SUITE = `runs: 5
cases:
  - { id: a, task: "say one", expect_keywords: [one] }
  - { id: b, task: "say two", expect_keywords: [two], runs: 1 }
`;

function cacheFiles(root: string): string[] {
  const directory = join(root, ".eval-banana/cache/sessions");
  return readdirSync(directory).flatMap((part) =>
    readdirSync(join(directory, part)).map((name) => join(directory, part, name)),
  );
}

describe("the cache of a suite", () => {
  it("keeps a session for each run: a second run calls nothing, and says so", async () => {
    const p = suiteProject(SUITE);
    await runSuite(p);
    expect(callsOf(p)).toEqual(["a 1", "a 2", "a 3", "a 4", "a 5", "b 1"]);
    const { stdout } = await runSuite(p);
    expect(callsOf(p)).toHaveLength(6);
    expect(stdout).toContain("6 of 6 runs from the cache");
    expect(suiteReport(p)).toMatchObject({ cached_runs: 6, cost_usd: expect.closeTo(0.06), spent_usd: null });
    expect(caseOf(p, "a")).toMatchObject({ cached: 5, passed: true, total_input_tokens: 50 });
    await runSuite(p, ["--no-cache"]);
    expect(callsOf(p)).toHaveLength(12);
  });

  it("is by content: what changed is run, and nothing else", async () => {
    const p = suiteProject(SUITE);
    await runSuite(p);
    const callsAfter = async (change: () => void, args: string[] = []) => {
      const before = callsOf(p).length;
      change();
      await runSuite(p, args);
      return callsOf(p).length - before;
    };
    const suite = (text: string) => p.write({ ".eval-banana/evals/suite.yaml": text });
    expect(await callsAfter(() => suite(SUITE.replace("[one]", "[ONE, o]")))).toBe(0);
    expect(await callsAfter(() => suite(`# A comment\n${SUITE}`))).toBe(0);
    expect(await callsAfter(() => suite(SUITE.replace("say two", "say 2")))).toBe(1);
    expect(await callsAfter(() => suite(SUITE), ["--runs", "7"])).toBe(2);
    expect(await callsAfter(() => suite(SUITE.replace("runs: 5", "runs: 6")))).toBe(0);
    expect(await callsAfter(() => p.write({ "target.cjs": `${p.read("target.cjs")}\n// changed` }))).toBe(7);
    const target = p.read(".eval-banana/targets/default.yaml");
    expect(await callsAfter(() => p.write({ "other.yaml": `${target}env: { X: "1" }\n` }), ["-c", "other.yaml"])).toBe(
      7,
    );
    expect(await callsAfter(() => {})).toBe(0);
  });

  it("calls a module again when a file that it imports has changed", async () => {
    const p = suiteProject("cases:\n  - { id: a, task: x, expect_keywords: [polite] }\n", {
      ".eval-banana/targets/default.yaml": "type: module\npath: ask.mjs\n",
      ".eval-banana/targets/ask.mjs": 'import { tone } from "./prompt.mjs";\nexport default () => tone;\n',
      ".eval-banana/targets/prompt.mjs": 'export { tone } from "./deep/tone.mjs";\n',
      ".eval-banana/targets/deep/tone.mjs": 'export const tone = "polite";\n',
    });
    expect((await runSuite(p, ["--ci"])).code).toBe(0);
    p.write({ ".eval-banana/targets/deep/tone.mjs": 'export const tone = "rude";\n' });
    expect((await runSuite(p, ["--ci"])).code).toBe(1);
  });

  it("never keeps an error or a timeout", async () => {
    const p = suiteProject(`cases:
  - { id: crash, task: crash, expect_keywords: [x] }
  - { id: slow, task: sleep 20000, expect_keywords: [x], timeout_seconds: 1 }
`);
    await runSuite(p);
    await runSuite(p);
    expect(callsOf(p)).toEqual(["crash 1", "crash 1", "slow 1", "slow 1"]);
    expect(caseOf(p, "slow").error_message).toContain("timed out after 1 s");
  });

  it("warns of a file that is cut off or is something else, and calls again", async () => {
    const p = suiteProject(SUITE);
    await runSuite(p);
    const [first = "", second = "", third = ""] = cacheFiles(p.root);
    writeFileSync(first, '{"key":"');
    writeFileSync(second, "");
    writeFileSync(third, '{"key":"x","value":{"session":{"output":"one two"}}}');
    const { code, stderr } = await runSuite(p, ["--ci"]);
    expect(code).toBe(0);
    expect(stderr).toContain("warning: an entry of the cache");
    expect(callsOf(p)).toHaveLength(9);
  });

  it("calls again where the value that was kept is another one", async () => {
    const p = suiteProject(SUITE);
    await runSuite(p);
    const files = cacheFiles(p.root);
    const values = ["{}", "null", "5", '{"session":{"output":"one two","toolCalls":null}}'];
    for (const [index, value] of values.entries()) {
      const path = files[index] ?? "";
      const entry = JSON.parse(readFileSync(path, "utf8"));
      writeFileSync(path, JSON.stringify({ ...entry, value: JSON.parse(value) }));
    }
    const { code, stderr } = await runSuite(p, ["--ci"]);
    expect(code).toBe(0);
    expect(stderr).toContain("warning: an entry of the cache");
    expect(callsOf(p)).toHaveLength(6 + values.length);
  });

  it("is by what the variables stand for that the target names, unless they are secret", async () => {
    const p = suiteProject(SUITE);
    const target = p.read(".eval-banana/targets/default.yaml");
    const env = "env: { MODEL: '{env:MY_MODEL}', AUTH: '{env:MY_API_KEY}' }\n";
    p.write({ ".eval-banana/targets/default.yaml": `${target}${env}` });
    await runSuite(p, [], { MY_MODEL: "small", MY_API_KEY: "key-number-1" });
    await runSuite(p, [], { MY_MODEL: "small", MY_API_KEY: "key-number-2" });
    expect(callsOf(p)).toHaveLength(6);
    await runSuite(p, [], { MY_MODEL: "large", MY_API_KEY: "key-number-2" });
    expect(callsOf(p)).toHaveLength(12);
  });

  it.each([
    [
      "installed packages",
      "mkdir -p app/node_modules/x; echo 1 > app/node_modules/x/index.js",
      "app/node_modules/x/index.js",
    ],
    ["wrote a file that is too large for a patch", "head -c 22000000 /dev/zero > big.bin", "big.bin"],
    ["committed", "git -c user.name=a -c user.email=a@b commit -q --allow-empty -m made", ".git/COMMIT_EDITMSG"],
  ])("calls again where the target %s, which no patch can repeat", async (_, work, path) => {
    const target = `type: command\ncommand: [sh, -c, ${JSON.stringify(`${work}; git status >&2; echo hi`)}]\n`;
    const suite = `workspace: { files: { app/a.txt: a }, setup: ["git init -q"] }
cases:
  - { id: works, task: x, expect_keywords: [hi], checks: { files: { must_exist: ["${path}"] } } }
  - { id: looks, task: x, expect_keywords: [hi], config: looks.yaml }
`;
    const looks = 'type: command\ncommand: [sh, -c, "git status >&2; echo hi"]\n';
    const p = suiteProject(suite, { ".eval-banana/targets/default.yaml": target, "looks.yaml": looks });
    await runSuite(p);
    expect((await runSuite(p, ["--ci"])).code).toBe(0);
    expect([caseOf(p, "works").cached, caseOf(p, "looks").cached]).toEqual([0, 1]);
  });

  it("can be looked at and cleared", async () => {
    const p = suiteProject(SUITE);
    await runSuite(p);
    expect((await p.eb(["cache", "stats"])).stdout).toContain("6 sessions");
    expect(JSON.parse((await p.eb(["cache", "stats", "--json"])).stdout)).toMatchObject({
      entries: { sessions: 6, verdicts: 0 },
    });
    expect((await p.eb(["cache", "clear"])).code).toBe(0);
    expect((await p.eb(["cache", "stats"])).stdout).toContain("0 sessions");
    await runSuite(p);
    expect(callsOf(p)).toHaveLength(12);
  });
});
