import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { caseLines, caseOf, runSuite, suiteProject, suiteReport } from "../helpers/suite.js";

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function target(text: string): Record<string, string> {
  return { ".eval-banana/targets/default.yaml": text };
}

describe("a team of agents", () => {
  /** An agent that is a program: says who it is, and when it is done. */
  const agent = (name: string, done: string) =>
    `const talk = require("fs").readFileSync(0, "utf8"); const turn = talk.split("${name}-says").length; console.log(JSON.stringify({ output: "${name}-says " + turn + (turn >= 3 ? " ${done}" : ""), usage: { input_tokens: 7, output_tokens: 3 } }))`;
  const team = (stop: string) => `type: team
strategy: round_robin
max_turns: 8
${stop}agents:
  - { name: writer, command: [node, -e, ${JSON.stringify(agent("writer", "draft"))}], output: json }
  - { name: critic, command: [node, -e, ${JSON.stringify(agent("critic", "APPROVED"))}], output: json }
`;
  const suite = "cases:\n  - { id: t, task: Write it, expect_keywords: [APPROVED], max_turns: 8 }\n";

  it("works for three rounds until a keyword of a named agent, and its last message is scored", async () => {
    const p = suiteProject(suite, target(team("stop: { keyword: APPROVED, agents: [critic] }\n")));
    const { code } = await runSuite(p, ["--ci", "-o", "out.jsonl"]);
    const result = caseOf(p, "t");
    expect({ code, reasons: result.failure_reasons }).toEqual({ code: 0, reasons: [] });
    expect(caseLines(p)[0]).toMatchObject({ total_turns: 6, total_input_tokens: 42, total_output_tokens: 18 });
    const said = result.trials[0]?.messages.filter(({ role }) => role === "assistant");
    const round = ["writer", "critic"];
    expect(said?.map(({ name }) => name)).toEqual([...round, ...round, ...round]);
    expect(result.trials[0]?.output).toBe("critic-says 3 APPROVED");
  });

  it("goes on past the keyword of another agent, until it has had its turns", async () => {
    const p = suiteProject(suite, target(team("stop: { keyword: APPROVED, agents: [writer] }\n")));
    await runSuite(p);
    const [trial] = caseOf(p, "t").trials;
    expect(trial?.turns).toBe(8);
    // The last message of the agent that is named.
    expect(trial?.output).toContain("writer-says");
    expect(caseOf(p, "t").passed).toBe(false);
  });
});

describe("a service", () => {
  const cases = (...inputs: string[]) =>
    `cases:\n${inputs.map((input) => `  - { id: ${input}, input: ${input}, checks: { must_contain: [fine] } }`).join("\n")}\n`;
  const http = (url: string, more = "") => target(`type: http\nurl: ${url}/\n${more}`);

  it("answers, fails, is slow, is cut off, answers 5 MB, and answers no JSON", async () => {
    const url = await serve((request, response) => {
      let body = "";
      request.on("data", (chunk) => {
        body += chunk;
      });
      request.on("end", () => {
        const { input } = JSON.parse(body);
        if (input === "ok") response.end(JSON.stringify({ output: "all fine", usage: { input_tokens: 3 } }));
        if (input === "broken") response.writeHead(500).end("no");
        if (input === "large") response.end(JSON.stringify({ output: `fine${"x".repeat(5e6)}` }));
        if (input === "text") response.end("fine, as text");
        if (input === "cut") {
          response.writeHead(200, { "content-length": "1000" });
          response.write("fine");
          setTimeout(() => response.destroy(), 20);
        }
        // "slow" is never answered.
      });
    });
    const suite = `timeout_seconds: 2\n${cases("ok", "broken", "large", "text", "cut", "slow")}`;
    const p = suiteProject(suite, http(url));
    await runSuite(p, ["--max-parallel", "6"]);
    const passed = suiteReport(p).cases.map(({ case_id, passed }) => [case_id, passed]);
    expect(caseOf(p, "large").failure_reasons).toEqual([]);
    expect(Object.fromEntries(passed)).toEqual({
      ok: true,
      broken: false,
      large: true,
      text: true,
      cut: false,
      slow: false,
    });
    expect(caseOf(p, "ok").total_input_tokens).toBe(3);
    expect(caseOf(p, "broken").error_message).toContain("500");
    expect(caseOf(p, "slow").error_message).toContain("timed out after 2 s");
  });

  it("that asks to wait is asked again, and that is no failure", async () => {
    let asked = 0;
    const url = await serve((_, response) => {
      asked++;
      if (asked < 3) response.writeHead(429, { "retry-after": "0" }).end();
      else response.end("fine");
    });
    const p = suiteProject(cases("busy"), http(url));
    expect((await runSuite(p, ["--ci"])).code).toBe(0);
    expect(asked).toBe(3);
    expect(caseOf(p, "busy").trials[0]?.retries).toBe(2);
  });
});

describe("a function in a module", () => {
  it("is called, may fail, and may never end", async () => {
    const module = `export default async function answer(input, { run }) {
  if (input === "fail") throw new Error("not today");
  if (input === "hang") for (;;);
  return { output: \`\${input} fine \${run}\`, turns: 3 };
}`;
    const p = suiteProject(
      `timeout_seconds: 2
cases:
  - { id: good, task: a, expect_keywords: ["a fine 1"] }
  - { id: thrown, task: fail, expect_keywords: [fine] }
  - { id: endless, task: hang, expect_keywords: [fine] }
`,
      { ...target("type: module\npath: answer.mjs\n"), ".eval-banana/targets/answer.mjs": module },
    );
    await runSuite(p);
    expect(caseOf(p, "good")).toMatchObject({ passed: true, total_turns: 3 });
    expect(caseOf(p, "thrown").error_message).toContain("not today");
    expect(caseOf(p, "endless").error_message).toContain("timed out");
  });
});

describe("recorded outputs", () => {
  it("are scored again without calling anything", async () => {
    const p = suiteProject(
      "cases:\n  - { id: a, task: x, expect_keywords: [one] }\n  - { id: b, task: x, expect_keywords: [two] }\n  - { id: c, task: x, expect_keywords: [x] }\n",
      {
        ...target("type: replay\npath: recorded.jsonl\n"),
        ".eval-banana/targets/recorded.jsonl": '{"case_id":"a","output":"One"}\n\n{"case_id":"b","output":"three"}\n',
      },
    );
    await runSuite(p);
    expect(caseOf(p, "a").passed).toBe(true);
    expect(caseOf(p, "b").passed).toBe(false);
    expect(caseOf(p, "c").error_message).toContain("recorded.jsonl");
  });
});
