// Scores 10,000 sessions with six assertions each and prints what that takes: `node bench/scorers.mjs`.
import { bundled } from "./bundled.mjs";

const CASES = 10_000;
const { scoreSession } = await bundled("src/suites/scorers/score-session.ts");

const pattern = (source) => ({ type: "matches", source, flags: "i", written: source });
const mixes = {
  "texts, a schema, a ranking, calls": (i) => [
    { type: "contains", text: `answer ${i}` },
    { type: "not_contains", text: "sorry" },
    pattern("total: \\d+"),
    {
      type: "valid_json",
      stripFences: false,
      schema: { type: "object", required: ["text"], properties: { n: { const: i % 50 } } },
    },
    { type: "retrieval", expectIds: ["a", "b"], k: 5, minRecall: 1 },
    { type: "trajectory", mustCall: [{ name: "search", arguments: { q: i } }], mustNotCall: ["pay"], noErrors: true },
  ],
  "six patterns that go to the worker": () =>
    Array.from({ length: 6 }, (_, n) => pattern(`(answer|total)+.*:.*(${n})*`)),
};

for (const [name, assertionsOf] of Object.entries(mixes)) {
  for (const concurrency of [1, 8]) {
    const clock = performance.now();
    const cpu = process.cpuUsage();
    let next = 0;
    let failed = 0;
    const work = async () => {
      while (next < CASES) {
        const scores = await scoreSession(request(next++, assertionsOf));
        if (scores.length !== 7 || scores.some(({ status }) => status !== "passed")) failed++;
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    const { user, system } = process.cpuUsage(cpu);
    const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`;
    const memory = Math.round(process.memoryUsage.rss() / 2 ** 20);
    console.log(
      `${name}, ${concurrency} at a time: ${seconds(performance.now() - clock)}, CPU ${seconds((user + system) / 1000)}, ${memory} MiB, ${failed} failed`,
    );
  }
}
rmSync(directory, { recursive: true });

function request(i, assertionsOf) {
  const output = JSON.stringify({
    text: `This is the answer ${i}. ${"More words. ".repeat(30)}Total: ${i}`,
    n: i % 50,
  });
  const session = {
    output,
    messages: [],
    toolCalls: [{ name: "search", arguments: { q: i, more: true } }],
    retrieved: [{ id: "x" }, { id: "a" }, { id: "b" }],
    turns: 1,
    inputTokens: 1,
    outputTokens: 1,
    error: null,
    durationMs: 1,
    retries: 0,
    evidence: {},
  };
  const testCase = {
    id: String(i),
    input: "x",
    tags: [],
    mustSucceed: true,
    assertions: assertionsOf(i),
    source: { file: "/s", line: 1 },
    digest: "",
  };
  const context = { signal: new AbortController().signal, redactor: { text: (text) => text } };
  return { testCase, session, context, judge: undefined };
}
