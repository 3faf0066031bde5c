import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { suiteReportSchema } from "../../src/report/suite-schema.js";
import { agentTable, STAND_IN_HEAD } from "../helpers/agent.js";
import { type Project, PYTHON } from "../helpers/project.js";
import { serve } from "../helpers/server.js";
import { callsOf, caseOf, runSuite, suiteProject, suiteReport } from "../helpers/suite.js";

// No hexadecimal digits: pieces of it stand in no digest.
const TOKEN = "sk-zyxwvutsrqponmlkjihg";
const HANDED = "handed-out-4567";
const VERDICT = 'verdict(1, "fine", token=token())';

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}

/** What eb wrote in a project, and what it printed. */
function allOf(p: Project, printed: string): [string, string][] {
  const places = [".eval-banana/results", ".eval-banana/cache", "out"].filter((place) => p.has(place));
  const files = places.flatMap((place) => filesBelow(p.path(place)));
  return [["printed", printed], ...files.map((path): [string, string] => [path, readFileSync(path, "utf8")])];
}

/** Six characters in a row of a secret are too many: it was cut before it was masked. */
function expectNoPiece(texts: readonly [string, string][], secret: string): void {
  const pieces = Array.from({ length: secret.length - 5 }, (_, at) => secret.slice(at, at + 6));
  for (const [name, text] of texts) expect([name, pieces.filter((piece) => text.includes(piece))]).toEqual([name, []]);
}

function target(script: string, more = ""): Record<string, string> {
  return {
    "t.cjs": `const { readFileSync, writeFileSync } = require("node:fs");\nconst env = process.env;\n${script}`,
    ".eval-banana/targets/default.yaml": `type: command\ncommand: [node, "{project_root}/t.cjs"]\n${more}`,
  };
}

function judge(body: string): Record<string, string> {
  return {
    "judge.py": `${STAND_IN_HEAD}\n${body}\n`,
    ".eval-banana/config.toml": agentTable("stand-in", { command: [PYTHON, "-S", "judge.py"] }),
  };
}

describe("a secret is masked in all that a run of a suite writes", () => {
  /** A target that puts a secret wherever it can: names of fields and files, too. */
  const LEAK = `
const { X_TOKEN: token, GIVEN_KEY: given } = env;
console.error(token, given, Buffer.from("user:" + token).toString("base64"), JSON.stringify(JSON.stringify({ token })));
if (env.EVAL_BANANA_WORKSPACE) {
  writeFileSync("leak.txt", token);
  writeFileSync(given + ".txt", "x");
}
console.log(JSON.stringify({
  output: "hi " + token,
  messages: [{ role: "assistant", name: token, content: given }],
  tool_calls: [{ name: token, arguments: { [token]: given, __proto__: 1 }, result: { [given]: [token] }, error: given }],
  retrieved: [{ id: token, text: given }],
  model: given,
}));
`;
  const SUITE = `judge: { agent: stand-in }
cases:
  - { id: plain, task: "say ${TOKEN}", expect_keywords: [hi], checks: { rubric: "Is it?" } }
  - id: worked
    task: x
    workspace: { files: { a.txt: x }, setup: ["echo $X_TOKEN"], keep: never }
    checks: { files: { must_change: [leak.txt] }, rubric: "Is it?" }
  - { id: wrong, task: x, checks: { equals: "${TOKEN}x", trajectory: { must_not_call: [x], no_errors: true } } }
  - { id: twice, task: x, runs: 2, expect_keywords: [hi] }
`;

  it("cache, journal, lines, prompts, verdicts; what holds one is not cached", async () => {
    const p = suiteProject(SUITE, {
      ...target(LEAK, 'output: json\nenv: { GIVEN_KEY: "{env:HANDED}" }\n'),
      ...judge('verdict(1, "leak " + os.environ["X_TOKEN"], token=token())'),
    });
    const args = ["-o", "out/cases.jsonl", "--verbose", "--reporter", "junit:out/j.xml", "--reporter", "console"];
    const env = { X_TOKEN: TOKEN, HANDED };
    const first = await runSuite(p, args, env);
    expect(caseOf(p, "plain")).toMatchObject({ passed: true, judge: { asked: 1 } });
    expect(caseOf(p, "worked")).toMatchObject({ passed: true, judge: { asked: 1 } });
    const again = await runSuite(p, ["--json"], env);
    expect(suiteReport(p).cached_runs).toBe(0);
    expect(p.has(".eval-banana/cache/sessions")).toBe(false);

    const written = allOf(p, first.stdout + first.stderr + again.stdout + again.stderr);
    expect(written.length).toBeGreaterThan(15);
    for (const secret of [TOKEN, HANDED, Buffer.from(TOKEN.slice(2, 20)).toString("base64").slice(2, 20)]) {
      expectNoPiece(written, secret);
    }
  });

  it("the prompt of an agent, which reads it as it is", async () => {
    const read = `const { readFileSync, readdirSync } = require("node:fs");
const { EVAL_BANANA_RUN_OUTPUT_DIR: dir, X_TOKEN } = process.env;
const kept = readdirSync(dir + "/cases", { recursive: true }).filter((name) => name.endsWith("prompt.txt"));
const masked = kept.every((name) => !readFileSync(dir + "/cases/" + name, "utf8").includes(X_TOKEN));
console.log(readFileSync(process.argv.at(-1), "utf8") + " " + kept.length + " " + masked);`;
    const p = suiteProject(`cases: [{ id: it, task: "use ${TOKEN}", checks: { equals: "use ${TOKEN} 1 true" } }]\n`, {
      ".eval-banana/config.toml": agentTable("mine", {
        command: ["node", "-e", read],
        prompt_via: "file",
        prompt_file_flag: "--",
        output_format: "text",
      }),
      ".eval-banana/targets/default.yaml": "type: agent\nagent: mine\n",
    });
    const { stdout, stderr } = await runSuite(p, [], { X_TOKEN: TOKEN });
    expect(caseOf(p, "it").failure_reasons).toEqual([]);
    expectNoPiece(allOf(p, stdout + stderr), TOKEN);
  });

  it("what `eb suite score` prints", async () => {
    const p = suiteProject(
      `cases:\n  - id: it\n    task: x\n    workspace: { files: { a.txt: x } }\n    checks: { equals: ok, script: "import sys; sys.exit('${TOKEN}')" }\n`,
    );
    p.write({ [`made/${TOKEN}.txt`]: "x", "answer.txt": `it is ${TOKEN}` });
    const args = ["suite", "score", "--case", "it", "--workspace", "made", "--output", "answer.txt"];
    for (const more of [[], ["--json"]]) {
      const { stdout, stderr } = await p.eb([...args, ...more], { env: { X_TOKEN: TOKEN } });
      expect(stdout).toContain("***X_TOKEN***.txt");
      expectNoPiece([["printed", stdout + stderr]], TOKEN);
    }
  });
});

describe("a secret is masked before a text is cut", () => {
  // A cut at 200, 300 or 500 characters meets one of them.
  const row = (start: string) => `"${start}" + (env.X_TOKEN + "/").repeat(60)`;

  it.each([
    ["a malformed answer", target(`process.stdout.write(${row("{")})`, "output: json\n")],
    ["a short malformed answer", target(`process.stdout.write("no " + env.X_TOKEN)`, "output: json\n")],
    ["what a program says at its end", target(`console.error(${row("")}); process.exit(1)`)],
    ["the name of a program", { ".eval-banana/targets/default.yaml": 'type: command\ncommand: ["./{task}"]\n' }],
    ["an address", { ".eval-banana/targets/default.yaml": 'type: http\nurl: "{env:X_TOKEN}://{task}"\n' }],
    [
      "an exception of a module",
      {
        "t.mjs": `const { env } = process;\nexport default () => new Promise(() => setTimeout(() => { throw new Error(${row("")}); }));\n`,
        ".eval-banana/targets/default.yaml": "type: module\npath: t.mjs\n",
      },
    ],
    [
      "an agent's failure",
      {
        ".eval-banana/config.toml": agentTable("mine", {
          command: [
            "node",
            "-e",
            `const { env } = process; console.log(JSON.stringify({ type: "result", is_error: true, result: ${row("")} }))`,
          ],
          output_format: "claude",
        }),
        ".eval-banana/targets/default.yaml": "type: agent\nagent: mine\n",
      },
    ],
  ])("%s", async (_, files) => {
    const long = `${TOKEN}/`.repeat(30);
    const suite = `cases:
  - id: it
    task: "${long}"
    checks: { equals: "x${long}", must_match: "y${long}", must_contain: ["z${long}"], files: { must_exist: ["${long}a"] } }
    workspace: { setup: ["true ${long}"] }
`;
    const p = suiteProject(suite, files);
    const { stdout, stderr } = await runSuite(p, ["-o", "out/lines.jsonl"], { X_TOKEN: TOKEN });
    expect(caseOf(p, "it").failure_reasons.join()).toContain("***X_TOKEN***");
    expectNoPiece(allOf(p, stdout + stderr), TOKEN);
  });

  it("an answer of a service", async () => {
    const long = `${TOKEN}/`.repeat(60);
    const { url } = await serve((_, response, number) => {
      if (number === 1) response.writeHead(500).end(long);
      else if (number === 2) response.end(long);
      else response.writeHead(302, { location: `http://[${long}` }).end();
    });
    const p = suiteProject(
      "cases: [{ id: a, task: x, expect_keywords: [y] }, { id: b, task: x, expect_keywords: [y] }, { id: c, task: x, expect_keywords: [y] }]\n",
      {
        ".eval-banana/targets/default.yaml": `type: http\nurl: ${url}\noutput: /x\n`,
      },
    );
    const { stdout, stderr } = await runSuite(p, ["--max-parallel", "1"], { X_TOKEN: TOKEN });
    for (const id of ["a", "b", "c"]) expect(caseOf(p, id).failure_reasons.join()).toContain("***X_TOKEN***");
    expectNoPiece(allOf(p, stdout + stderr), TOKEN);
  });
});

describe("words of eb's that are the values of secrets", () => {
  const words = ["status", "passed", "failed", "output", "messages", "tool_calls", "arguments", "interrupted"];
  const more = ["assistant", "contains", "reason", "command", "session_id", "case_id", "trials", "sha256", "details"];
  const env = Object.fromEntries([...words, ...more].map((word, index) => [`SORT_KEY_${index}`, word]));

  it("break no report, cache, line or resumed run", async () => {
    const suite = `judge: { agent: stand-in }
cases:
  - { id: passed, task: "say one", runs: 2, expect_keywords: [one] }
  - { id: output, task: "say two", expect_keywords: [three] }
  - { id: messages, task: "say four", checks: { rubric: "Is it?" } }
`;
    const p = suiteProject(suite, judge(VERDICT));
    await runSuite(p, ["-o", "out/lines.jsonl"], env);
    const report = suiteReportSchema.parse(suiteReport(p));
    expect(report.cases.map(({ case_id, status }) => [case_id, status])).toEqual([
      ["passed", "passed"],
      ["output", "failed"],
      ["messages", "passed"],
    ]);
    expect(JSON.parse(p.read("out/lines.jsonl").split("\n")[0] ?? "")).toMatchObject({ passed: expect.any(Boolean) });
    const { stdout } = await runSuite(p, ["--json"], env);
    expect(suiteReportSchema.parse(JSON.parse(stdout))).toMatchObject({ cached_runs: 4, passed_cases: 2 });
    expect(caseOf(p, "messages").trials[0]?.scores.at(-1)?.details).toMatchObject({ cached: true });
    await runSuite(p, ["--resume", "latest", "--no-cache"], env);
    expect(callsOf(p)).toHaveLength(4);
  });
});

describe("a session is scored as it is", () => {
  it("so that an answer with a key in it can fail for that, and what is no secret can be asked for", async () => {
    const p = suiteProject(
      `cases:
  - { id: leaks, task: x, forbidden_keywords: ["${TOKEN}"] }
  - { id: region, task: x, expect_keywords: [europe-west] }
  - { id: args, task: x, checks: { trajectory: { must_call: [{ name: t, arguments: { key: "${TOKEN}" } }] } } }
`,
      target(
        `console.log(JSON.stringify({ output: env.X_TOKEN + env.WHERE, tool_calls: [{ name: "t", arguments: { key: env.X_TOKEN } }] }))`,
        'output: json\nenv: { WHERE: "{env:REGION}" }\n',
      ),
    );
    for (const _ of [1, 2]) {
      await runSuite(p, [], { X_TOKEN: TOKEN, REGION: "europe-west" });
      expect(caseOf(p, "leaks").failure_reasons).toEqual(['the output contains "***X_TOKEN***", which it must not']);
      expect(caseOf(p, "region")).toMatchObject({ passed: true });
      expect(caseOf(p, "region").trials[0]?.output).toBe("***X_TOKEN***europe-west");
      expect(caseOf(p, "args")).toMatchObject({ passed: true, cached: 0 });
    }
  });

  it("with the files that were made, never with masked ones from the cache", async () => {
    const suite = `cases:
  - { id: it, task: x, workspace: { keep: always }, checks: { files: { contains: { a.txt: "${TOKEN}" } } } }
`;
    const p = suiteProject(suite, target('writeFileSync("a.txt", env.X_TOKEN); console.log("done")'));
    const env = { X_TOKEN: TOKEN, EVAL_BANANA_WORKSPACES: p.path("../workspaces-of-it") };
    for (const _ of [1, 2]) {
      await runSuite(p, [], { ...env, EVAL_BANANA_WORKSPACES: undefined });
      expect(caseOf(p, "it")).toMatchObject({ passed: true, cached: 0 });
    }
  });
});

it("what may be no credential is a part of what a session is kept by", async () => {
  const p = suiteProject(
    "cases: [{ id: it, task: x, expect_keywords: [ok] }]\n",
    target(
      'require("node:fs").appendFileSync(env.CALLS, "{}\\n"); console.log("ok")',
      'env: { N: "{env:MAX_TOKENS}", K: "{env:MY_API_KEY}" }\n',
    ),
  );
  const cachedWith = async (env: NodeJS.ProcessEnv) => {
    await runSuite(p, [], env);
    return caseOf(p, "it").cached;
  };
  expect(await cachedWith({ MAX_TOKENS: "100", MY_API_KEY: "first-key" })).toBe(0);
  expect(await cachedWith({ MAX_TOKENS: "100", MY_API_KEY: "another-key" })).toBe(1);
  expect(await cachedWith({ MAX_TOKENS: "200", MY_API_KEY: "another-key" })).toBe(0);
});

it("a key `__proto__` of a tool's arguments is one like others, and one that would be lost is told of", async () => {
  const p = suiteProject(
    `cases:
  - id: it
    task: x
    checks: { trajectory: { must_call: [{ name: t, arguments: { __proto__: { a: 1 } } }] } }
`,
    target(
      `console.log('{"output":"ok","tool_calls":[{"name":"t","arguments":{"__proto__":{"a":1,"b":"' + env.X_TOKEN + '"}}}]}')`,
      "output: json\n",
    ),
  );
  await runSuite(p, [], { X_TOKEN: TOKEN });
  const found = caseOf(p, "it");
  expect(found).toMatchObject({ passed: true });
  expect(JSON.stringify(found.trials[0]?.tool_calls[0]?.arguments)).toBe('{"__proto__":{"a":1,"b":"***X_TOKEN***"}}');

  const lost = `workspace: { files: { __proto__: s } }
cases:
  - { id: it, task: x, workspace: { files: { __proto__: x } }, checks: { files: { contains: { __proto__: x } } } }
`;
  p.write({ ".eval-banana/evals/suite.yaml": lost });
  const { stdout, stderr, code } = await runSuite(p);
  expect(code).toBe(2);
  expect((stdout + stderr).match(/__proto__: a key of that name can't be used here/g)).toHaveLength(3);
});
