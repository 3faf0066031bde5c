import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Project, PYTHON, temporaryDirectory } from "../helpers/project.js";
import { callsOf, caseOf, runSuite, suiteProject, suiteReport } from "../helpers/suite.js";
import { git } from "../helpers/trial.js";

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

  it("keeps what --no-cache was answered, in place of what was kept", async () => {
    // A file that nobody can see to be read.
    const p = suiteProject("cases: [{ id: a, task: x, expect_keywords: [good] }]", {
      ".eval-banana/targets/default.yaml": "type: command\ncommand: [sh, -c, cat answer]\n",
      answer: "good",
    });
    const run = async (...args: string[]) => (await runSuite(p, ["--ci", ...args])).code;
    expect(await run()).toBe(0);
    p.write({ answer: "bad" });
    expect(await run()).toBe(0);
    expect(await run("--no-cache")).toBe(1);
    expect([await run(), caseOf(p, "a").cached]).toEqual([1, 1]);
    p.write({ answer: "good" });
    expect(await run("--no-cache")).toBe(0);
    // An error is not kept, and what was there before it is no longer true.
    rmSync(p.path("answer"));
    expect(await run("--no-cache")).toBe(1);
    expect(await run()).toBe(1);
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
      "Python",
      `["${PYTHON}", bot.py]`,
      { "bot.py": "import os\nos.getenv('MY_API_KEY')\nprint(os.environ.get('MODEL'))" },
    ],
    [
      "JavaScript",
      "[node, bot.mjs]",
      { "bot.mjs": "const { MODEL, MY_API_KEY: key } = process.env; console.log(MODEL);" },
    ],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: nothing is to be put in its place
    ["a shell", '[sh, -c, "echo ${MODEL:-none}; : $MY_API_KEY"]', {}],
  ])("is by the variables that the program names in %s, unless they are secret", async (_, command, files) => {
    const p = suiteProject("cases: [{ id: a, task: x, expect_keywords: [small] }]", {
      ".eval-banana/targets/default.yaml": `type: command\ncommand: ${command}\n`,
      ...(files as Record<string, string>),
    });
    const run = async (env: NodeJS.ProcessEnv, ...args: string[]) => {
      const { code } = await runSuite(p, ["--ci", ...args], env);
      return [code, caseOf(p, "a").cached];
    };
    expect(await run({ MODEL: "small", MY_API_KEY: "key-number-1" })).toEqual([0, 0]);
    expect(await run({ MODEL: "small", MY_API_KEY: "key-number-2" })).toEqual([0, 1]);
    expect(await run({ MODEL: "large" }, "--resume", "latest")).toEqual([1, 0]);
    expect(await run({ MODEL: "small" })).toEqual([0, 1]);
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

const TWO = `cases:
  - { id: a, task: one, expect_keywords: [polite] }
  - { id: b, task: two, expect_keywords: [polite] }
`;

/** Answers with what `tone()` of a module says, which reads a prompt; and counts its calls. */
const APP: Record<string, string> = {
  ".gitignore": ".eval-banana/\n*.log\n",
  "app/__init__.py": "",
  "app/main.py": `import json, os, sys
from app.lib import tone
case = json.load(sys.stdin)
with open(os.environ["CALLS"], "a") as calls:
    calls.write(json.dumps({"case_id": case["case_id"], "run": case["run"]}) + "\\n")
print(tone())
`,
  "app/lib.py": 'import os\ndef tone():\n    return open(os.path.join("app", "prompts", "tone.txt")).read()\n',
  "app/prompts/tone.txt": "polite",
  ".eval-banana/targets/default.yaml": `type: command\ncommand: ["${PYTHON}", -m, app.main]\ninput: json-stdin\n`,
  ".eval-banana/evals/suite.yaml": TWO,
};

function appProject(files: Record<string, string> = {}): Project {
  return suiteProject(TWO, { ...APP, ...files });
}

function commit(p: Project): Project {
  git(p.root, "init", "-q");
  git(p.root, "add", "-f", ".");
  git(p.root, "commit", "-qm", "all");
  return p;
}

/** How many calls of the target a run makes after a change. */
async function callsAfter(p: Project, change: () => void, args: string[] = [], env: NodeJS.ProcessEnv = {}) {
  const before = callsOf(p).length;
  change();
  const { stderr } = await runSuite(p, args, env);
  return { calls: callsOf(p).length - before, stderr };
}

const nothing = () => {};

describe("the cache of a suite in a git repository", () => {
  it("holds the state of the project's files, for targets that run its code", async () => {
    const p = commit(appProject());
    const calls = async (change: () => void, args?: string[]) => (await callsAfter(p, change, args)).calls;
    expect(await calls(nothing)).toBe(2);
    // What the target wrote there is not tracked, and is no part of it.
    expect(await calls(nothing)).toBe(0);
    expect(await calls(() => p.write({ "app/prompts/tone.txt": "rude" }))).toBe(2);
    expect(caseOf(p, "a").passed).toBe(false);
    expect(await calls(() => p.write({ "app/prompts/tone.txt": "polite" }))).toBe(0);
    expect(await calls(() => p.write({ "app/lib.py": `${p.read("app/lib.py")}# changed\n` }))).toBe(2);
    // What was changed and what was committed are the same.
    expect(await calls(() => void git(p.root, "commit", "-qam", "changed"))).toBe(0);
    expect(await calls(() => rmSync(p.path("app/__init__.py")))).toBe(2);
    expect(await calls(() => chmodSync(p.path("app/main.py"), 0o755))).toBe(2);
  });

  it("runs one case where one case was edited, and none for what only compares", async () => {
    const p = commit(
      appProject({
        ".eval-banana/evals/suite.yaml": `${TWO}cases_file: more.jsonl\n`,
        ".eval-banana/evals/more.jsonl": '{"id":"c","task_file":"c.txt","checks":{"script_path":"s.py"}}\n',
        ".eval-banana/evals/c.txt": "three",
        ".eval-banana/evals/s.py": "pass",
      }),
    );
    const calls = async (change: () => void, args?: string[]) => (await callsAfter(p, change, args)).calls;
    const suite = p.read(".eval-banana/evals/suite.yaml");
    expect(await calls(nothing)).toBe(3);
    expect(await calls(() => p.write({ ".eval-banana/evals/suite.yaml": suite.replace("one", "uno") }))).toBe(1);
    expect(await calls(() => p.write({ ".eval-banana/evals/c.txt": "3" }))).toBe(1);
    // Others may read it, too.
    expect(await calls(() => p.write({ ".eval-banana/evals/s.py": "assert True" }))).toBe(3);
    await p.eb(["suite", "baseline", "update", "latest"]);
    git(p.root, "add", "-f", ".eval-banana/evals/suite.baseline.json");
    expect(await calls(nothing)).toBe(0);
    const own = p.read(".eval-banana/targets/default.yaml");
    p.write({ "own.yaml": own });
    git(p.root, "add", "own.yaml");
    const withOwn = suite.replace("one", "uno").replace("id: b,", "id: b, config: own.yaml,");
    expect(await calls(() => p.write({ ".eval-banana/evals/suite.yaml": withOwn }))).toBe(0);
    expect(await calls(() => p.write({ "own.yaml": `${own}name: Mine\n` }))).toBe(1);
    expect(await calls(nothing, ["-o", "app/prompts/out.txt"])).toBe(0);
    expect(await calls(nothing, ["-o", "app/prompts/out.txt"])).toBe(0);
  });

  it("sees files that git is told not to look at, new ones beside tracked ones, and links", async () => {
    const p = appProject({ "app/prompts/else.txt": "x" });
    const outside = temporaryDirectory();
    writeFileSync(join(outside, "shared.md"), "one");
    symlinkSync(join(outside, "shared.md"), p.path("app/shared.md"));
    commit(p);
    const calls = async (change: () => void) => (await callsAfter(p, change)).calls;
    expect(await calls(nothing)).toBe(2);
    git(p.root, "update-index", "--assume-unchanged", "app/prompts/else.txt");
    expect(await calls(() => p.write({ "app/prompts/else.txt": "y" }))).toBe(2);
    git(p.root, "update-index", "--skip-worktree", "app/lib.py");
    expect(await calls(() => p.write({ "app/lib.py": `${p.read("app/lib.py")}#\n` }))).toBe(2);
    expect(await calls(() => p.write({ "app/prompts/new.txt": "1" }))).toBe(2);
    expect(await calls(() => p.write({ "app/prompts/new.txt": "2" }))).toBe(2);
    expect(await calls(() => p.write({ "app/prompts/run.log": "ignored", "new.txt": "1" }))).toBe(0);
    expect(await calls(() => p.write({ "new.cjs": "1" }))).toBe(2);
    expect(await calls(() => writeFileSync(join(outside, "shared.md"), "two"))).toBe(2);
    git(p.root, "add", "-N", "new.txt");
    expect(await calls(nothing)).toBe(2);
    expect(await calls(() => p.write({ "new.txt": "3" }))).toBe(2);
    const odd = { "app/a\n\"b\\'.txt": "1", "app/ü .txt": "1" };
    expect(await calls(() => void git(p.write(odd).root, "add", "app"))).toBe(2);
    expect(await calls(() => p.write({ "app/a\n\"b\\'.txt": "2" }))).toBe(2);
    expect(await calls(() => p.write({ "app/ü .txt": "2" }))).toBe(2);
    expect(await calls(nothing)).toBe(0);
  });

  it("counts what a case names for the others, too: their target may read it", async () => {
    const p = appProject({
      ".eval-banana/evals/suite.yaml": `cases:
  - { id: a, task: x, expect_keywords: [polite], workspace: { files: { x.txt: { from: ../../app/prompts/tone.txt } } } }
  - { id: b, task: x, expect_keywords: [polite] }
  - { id: c, task: x, expect_keywords: [polite], workspace: { template: shop } }
  - { id: d, task: x, expect_keywords: [polite], checks: { script_path: ../../app/check.py } }
`,
      ".eval-banana/evals/shop/cart.txt": "1",
      "app/check.py": "pass",
      // Not to be seen by its text.
      ".eval-banana/targets/default.yaml": `type: command
command: ["${PYTHON}", -c, "import os, sys; sys.path.insert(0, os.environ['PROJECT']); os.chdir(os.environ['PROJECT']); __import__('app.' + 'main')"]
input: json-stdin
`,
    });
    commit(p);
    const calls = async (files: Record<string, string>) =>
      (await callsAfter(p, () => p.write(files), [], { PROJECT: p.root })).calls;
    expect(await calls({})).toBe(4);
    expect(await calls({})).toBe(0);
    expect(await calls({ "app/prompts/tone.txt": "rude" })).toBe(4);
    expect(caseOf(p, "b").passed).toBe(false);
    expect(await calls({ ".eval-banana/evals/shop/cart.txt": "2" })).toBe(4);
    expect(await calls({ "app/check.py": "assert True" })).toBe(4);
    expect(await calls({})).toBe(0);
  });

  it("sees untracked and ignored files that the target's own ones import", async () => {
    const p = commit(appProject({ "app/lib.py": "from .made import tone\n", ".gitignore": "made.py\n" }));
    git(p.root, "rm", "-q", "--cached", "--ignore-unmatch", "app/made.py");
    const calls = async (text: string) => (await callsAfter(p, () => p.write({ "app/made.py": text }))).calls;
    expect(await calls('tone = lambda: "polite"')).toBe(2);
    expect(await calls('tone = lambda: "polite"')).toBe(0);
    expect(await calls('tone = lambda: "rude"')).toBe(2);
  });

  it("holds what is outside of the project, and in submodules and other repositories in it", async () => {
    const outer = temporaryDirectory();
    const inner = appProject();
    const p = suiteProject(TWO, {});
    for (const [path, text] of Object.entries(APP)) p.write({ [`evals/${path}`]: text });
    p.write({ "lib/shared.py": "1", "vendor/own/x.py": "1" });
    rmSync(p.path(".eval-banana"), { recursive: true });
    mkdirSync(join(outer, "sub"));
    writeFileSync(join(outer, "sub/x.py"), "1");
    git(outer, "init", "-q");
    git(outer, "add", ".");
    git(outer, "commit", "-qm", "sub");
    commit(p);
    git(p.root, "-c", "protocol.file.allow=always", "submodule", "add", "-q", outer, "evals/module");
    git(p.root, "commit", "-qm", "module");
    const calls = async (change: () => void) => {
      const before = callsOf(p).length;
      change();
      await p.eb(["suite", "run"], { cwd: p.path("evals"), env: { CALLS: p.path("calls.jsonl") } });
      return callsOf(p).length - before;
    };
    expect(await calls(nothing)).toBe(2);
    expect(await calls(nothing)).toBe(0);
    expect(await calls(() => p.write({ "lib/shared.py": "2" }))).toBe(2);
    expect(await calls(() => p.write({ "evals/module/sub/x.py": "2" }))).toBe(2);
    expect(await calls(nothing)).toBe(0);
    mkdirSync(p.path("evals/clone"));
    git(p.path("evals/clone"), "init", "-q");
    p.write({ "evals/clone/x.py": "1" });
    git(p.path("evals/clone"), "add", ".");
    expect(await calls(nothing)).toBe(2);
    expect(await calls(() => p.write({ "evals/clone/x.py": "2" }))).toBe(2);
    expect(inner.root).not.toBe(p.root);
  });

  it("counts without commits, too, and with a sparse index", async () => {
    const p = appProject({ "other/x.txt": "x", "other/deep/y.txt": "y" });
    git(p.root, "init", "-q");
    git(p.root, "add", "app", "other", ".gitignore");
    const calls = async (change: () => void) => (await callsAfter(p, change)).calls;
    expect(await calls(nothing)).toBe(2);
    expect(await calls(() => p.write({ "app/prompts/tone.txt": "rude" }))).toBe(2);
    git(p.root, "commit", "-qam", "all");
    expect(await calls(nothing)).toBe(0);
    git(p.root, "sparse-checkout", "set", "--sparse-index", "app");
    expect(p.has("other/x.txt")).toBe(false);
    expect(await calls(nothing)).toBe(2);
    expect(await calls(nothing)).toBe(0);
    expect(await calls(() => p.write({ "app/prompts/tone.txt": "polite" }))).toBe(2);
  });

  it("keeps nothing of such targets, and says why, where git can't tell", async () => {
    const p = commit(appProject());
    await runSuite(p);
    p.writeProgram("bin/git", "#!/bin/sh\necho 'fatal: it is broken' >&2\nexit 128\n");
    const env = { PATH: `${p.path("bin")}:${process.env["PATH"]}` };
    for (const _ of [1, 2]) {
      const { calls, stderr } = await callsAfter(p, nothing, [], env);
      expect(calls).toBe(2);
      expect(stderr).toContain("it is broken");
      expect(stderr).toContain("nothing is taken from the cache");
    }
    const none = temporaryDirectory();
    symlinkSync(process.execPath, join(none, "node"));
    const { calls, stderr } = await callsAfter(p, nothing, [], { PATH: none });
    expect(calls).toBe(2);
    expect(stderr).toContain("git was not found");
    const files = 'cache: { files: ["app/**"] }\n';
    p.write({ ".eval-banana/targets/default.yaml": p.read(".eval-banana/targets/default.yaml") + files });
    await runSuite(p, [], env);
    expect(await callsAfter(p, nothing, [], env)).toEqual({ calls: 0, stderr: expect.not.stringContaining("warning") });
  });

  it("asks git nothing for targets that call something outside", async () => {
    const p = suiteProject("cases:\n  - { id: a, task: x, expect_keywords: [x] }\n", {
      ".eval-banana/targets/default.yaml": "type: http\nurl: http://127.0.0.1:9/\n",
    });
    commit(p);
    p.writeProgram("bin/git", `#!/bin/sh\ntouch ${p.path("asked")}\nexit 1\n`);
    await runSuite(p, [], { PATH: `${p.path("bin")}:${process.env["PATH"]}` });
    expect(p.has("asked")).toBe(false);
  });

  it("says so when files changed while it ran, and keeps nothing then", async () => {
    const p = commit(appProject({ "app/prompts/seen.txt": "" }));
    const main = p.read("app/main.py");
    p.write({ "app/main.py": `${main}open("app/prompts/seen.txt", "a").write("x")\n` });
    const { stderr } = await runSuite(p);
    expect(stderr).toContain("app/prompts/seen.txt");
    expect((await callsAfter(p, nothing)).calls).toBe(2);
    // Not even when all is as it was.
    git(p.root, "checkout", "-q", "app/prompts/seen.txt");
    expect((await callsAfter(p, nothing)).calls).toBe(2);
  });
});

describe("the field `cache` of a target", () => {
  const withCache = (p: Project, cache: string) => {
    const { ".eval-banana/targets/default.yaml": target } = APP;
    return p.write({ ".eval-banana/targets/default.yaml": `${target}cache: ${cache}\n` });
  };

  it("that is false has it called every time", async () => {
    const p = withCache(appProject(), "false");
    expect((await callsAfter(p, nothing)).calls).toBe(2);
    expect((await callsAfter(p, nothing)).calls).toBe(2);
  });

  it("that names files lets only these count", async () => {
    const p = commit(withCache(appProject({ "docs/x.md": "x" }), '{ files: ["app/**/*.txt", "!app/prompts/no.txt"] }'));
    const calls = async (change: () => void) => (await callsAfter(p, change)).calls;
    expect(await calls(nothing)).toBe(2);
    expect(await calls(() => p.write({ "docs/x.md": "y", "app/lib.py": `${p.read("app/lib.py")}#\n` }))).toBe(0);
    expect(await calls(() => p.write({ "app/prompts/no.txt": "1" }))).toBe(0);
    expect(await calls(() => p.write({ "app/prompts/tone.txt": "rude" }))).toBe(2);
    expect(await calls(() => p.write({ "app/prompts/more.txt": "new" }))).toBe(2);
  });

  it("that names no file is an error: nothing would ever be seen to change", async () => {
    const p = withCache(appProject(), "{ files: [ap/**] }");
    const { code, stdout } = await p.eb(["suite", "validate"]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/default\.yaml:\d+:\d+: cache\.files\[0\]: .*'ap\/\*\*'/);
    const unknown = await withCache(p, "{ file: [x] }").eb(["suite", "validate"]);
    expect(unknown.stdout).toContain("did you mean");
  });
});

describe("the cache of a suite outside of a repository", () => {
  it.each<[string, string, Record<string, string>]>([
    ["a Python module of a package", `["${PYTHON}", -m, app.main]`, {}],
    [
      "a Python script",
      `["${PYTHON}", app/run.py]`,
      { "app/run.py": "import runpy, sys\nsys.path.insert(0, '.')\nimport app.main\n" },
    ],
    [
      "a shell script that starts one",
      "[sh, app.sh]",
      {
        "app.sh": `exec "${PYTHON}" app/run.py`,
        "app/run.py": "import sys\nsys.path.insert(0, '.')\nimport app.main\n",
      },
    ],
  ])("follows %s to what it imports and reads", async (_, command, files) => {
    const p = appProject({
      ...files,
      ".eval-banana/targets/default.yaml": `type: command\ncommand: ${command}\ninput: json-stdin\n`,
    });
    const calls = async (change: () => void) => (await callsAfter(p, change)).calls;
    expect(await calls(nothing)).toBe(2);
    expect(await calls(nothing)).toBe(0);
    expect(await calls(() => p.write({ "app/lib.py": `${p.read("app/lib.py")}# changed\n` }))).toBe(2);
    expect(await calls(() => p.write({ "app/prompts/tone.txt": "rude" }))).toBe(2);
    expect(await calls(nothing)).toBe(0);
  });

  it("follows JavaScript, whatever way it imports, and prompts that it names", async () => {
    const p = suiteProject(TWO, {
      "app/main.mjs": `import { appendFileSync, readFileSync } from "node:fs";
import lib from "./lib";
const { case_id, run } = JSON.parse(readFileSync(0, "utf8"));
appendFileSync(process.env.CALLS, JSON.stringify({ case_id, run }) + "\\n");
console.log(readFileSync(new URL("prompts/tone.md", import.meta.url), "utf8"));
`.replace("./lib", "./lib/index.cjs"),
      "app/lib/index.cjs": 'module.exports = require("./deep");',
      "app/lib/deep.js": "module.exports = 1;",
      "app/prompts/tone.md": "polite",
      ".eval-banana/targets/default.yaml": "type: command\ncommand: [node, app/main.mjs]\ninput: json-stdin\n",
    });
    const calls = async (change: () => void) => (await callsAfter(p, change)).calls;
    expect(await calls(nothing)).toBe(2);
    expect(await calls(nothing)).toBe(0);
    expect(await calls(() => p.write({ "app/lib/deep.js": "module.exports = 2;" }))).toBe(2);
    expect(await calls(() => p.write({ "app/prompts/tone.md": "rude" }))).toBe(2);
  });
});
