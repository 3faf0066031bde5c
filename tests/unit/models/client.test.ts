import { describe, expect, it } from "vitest";
import { createModelClient } from "../../../src/models/client.js";
import type { CompletionRequest } from "../../../src/models/completion.js";
import { type ModelSettings, resolveModel } from "../../../src/models/settings.js";
import { until as eventually } from "../../helpers/processes.js";
import { type Handler, serve } from "../../helpers/server.js";

const reply = (message: object, more: object = {}) => ({
  id: "c1",
  object: "chat.completion",
  model: "m-2026",
  choices: [{ index: 0, finish_reason: "stop", message: { role: "assistant", ...message } }],
  usage: { prompt_tokens: 1000, completion_tokens: 500, total_tokens: 1500 },
  ...more,
});

const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Handler =>
  (_, response) =>
    void response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));

const raw =
  (body: string, type = "application/json"): Handler =>
  (_, response) =>
    void response.writeHead(200, { "content-type": type }).end(body);

async function client(handler: Handler, settings: Partial<ModelSettings> = {}) {
  const server = await serve(handler);
  const resolved = resolveModel({ model: "m", url: `${server.url}/v1` }, {}) as ModelSettings;
  const { complete } = createModelClient({ ...resolved, ...settings });
  const ask = (request: Partial<CompletionRequest> = {}) =>
    complete({ messages: [{ role: "user", content: "2 + 2?" }], env: {}, ...request });
  return { ask, server };
}

const error = (message: string, more: object = {}) => ({ error: { message, ...more } });

describe("a completion", () => {
  it("has the text, the tokens and what they cost", async () => {
    const late: Handler = (...call) => void setTimeout(() => json(reply({ content: "4" }))(...call), 100);
    const { ask, server } = await client(late, {
      params: { temperature: 0, stream: true },
      price: { input: 2, output: 10 },
    });
    const started = performance.now();
    const { latencyMs, ...completion } = await ask({ params: { seed: 1 } });
    expect(completion).toEqual({
      text: "4",
      inputTokens: 1000,
      outputTokens: 500,
      costUsd: 0.007,
      model: "m-2026",
      finishReason: "stop",
      toolCalls: [],
      retries: 0,
      error: null,
    });
    expect(latencyMs).toBeGreaterThanOrEqual(99);
    expect(latencyMs).toBeLessThanOrEqual(Math.ceil(performance.now() - started));
    expect(server.requests[0]).toMatchObject({ method: "POST", url: "/v1/chat/completions" });
    expect(JSON.parse(server.requests[0]?.text ?? "")).toEqual({
      temperature: 0,
      seed: 1,
      stream: false,
      model: "m",
      messages: [{ role: "user", content: "2 + 2?" }],
    });
  });

  it("has the calls of tools; arguments that are no JSON stay text", async () => {
    const tool_calls = [
      { id: "1", type: "function", function: { name: "add", arguments: '{"a": 2}' } },
      { id: "2", type: "function", function: { name: "bad", arguments: "{a:" } },
    ];
    const { ask } = await client(json(reply({ content: null, tool_calls })));
    expect(await ask()).toMatchObject({
      text: "",
      error: null,
      toolCalls: [
        { name: "add", arguments: { a: 2 } },
        { name: "bad", arguments: "{a:" },
      ],
    });
  });

  it.each([
    [
      {
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
      },
      "ab",
    ],
    [{ content: null, refusal: "I can't" }, "I can't"],
    [{ content: 0 }, ""],
  ])("of a message like %j", async (message, text) => {
    expect(await (await client(json(reply(message)))).ask()).toMatchObject({ text, error: null });
  });

  it("without usage costs nothing that is known", async () => {
    const { ask } = await client(json(reply({ content: "4" }, { usage: null })), { price: { input: 1, output: 1 } });
    const completion = await ask();
    expect(completion).toMatchObject({ inputTokens: 0, outputTokens: 0, costUsd: undefined });
  });
});

describe("the key", () => {
  it("is that of the variable, and the headers are those of the settings", async () => {
    const headers = { "x-team": "{env:TEAM}" };
    const { ask, server } = await client(json(reply({ content: "4" })), { apiKeyEnv: "MY_KEY", headers });
    expect((await ask({ env: { MY_KEY: "k1", TEAM: "t" } })).error).toBeNull();
    expect(server.requests[0]?.headers).toMatchObject({ authorization: "Bearer k1", "x-team": "t" });
  });

  it("that is not set is an error that names it; nothing is sent", async () => {
    const { ask, server } = await client(json(reply({})), { apiKeyEnv: "MY_KEY" });
    for (const env of [{}, { MY_KEY: "" }]) {
      expect((await ask({ env })).error).toBe("the variable MY_KEY is not set: the model is called with it");
    }
    expect(server.requests).toEqual([]);
  });

  it("is not taken from variables that are meant for another service", async () => {
    const names = [
      "OPENAI_API_KEY",
      "OPENAI_ADMIN_KEY",
      "OPENAI_ORG_ID",
      "OPENAI_PROJECT_ID",
      "OPENAI_CUSTOM_HEADERS",
      "OPENAI_BASE_URL",
    ];
    for (const name of names) process.env[name] = name.endsWith("HEADERS") ? "x-own: stray" : "stray";
    try {
      const { ask, server } = await client(json(reply({ content: "4" })));
      expect((await ask()).error).toBeNull();
      expect(JSON.stringify(server.requests[0]?.headers)).not.toContain("stray");
      expect(server.requests[0]?.headers.authorization).toBeUndefined();
    } finally {
      for (const name of names) delete process.env[name];
    }
  });

  it("never goes to where the service redirects to", async () => {
    const other = await serve(json(reply({ content: "stolen" })));
    const { ask } = await client(json({}, 307, { location: `${other.url}/v1` }), { apiKeyEnv: "MY_KEY" });
    const { error } = await ask({ env: { MY_KEY: "k1" } });
    expect(error).toBe(`HTTP 307: the service is now at ${other.url}/v1; the key is not sent there: set url to it`);
    expect(other.requests).toEqual([]);
  });
});

describe("what goes wrong is an error in words", () => {
  it.each([
    [json(error("boom"), 500), "HTTP 500: boom"],
    [json(error("no such model"), 404), "HTTP 404: no such model"],
    [json(error("bad key"), 401), "HTTP 401: bad key"],
    [json(error("no money", { code: "insufficient_quota" }), 429), "HTTP 429: no money"],
    [json(reply({}, { choices: [] })), 'the answer has no choices: {"id":"c1"'],
    [json(error("overloaded")), "overloaded"],
    [raw("{oops"), "the model could not be asked: "],
    [raw("<html>hello", "text/html"), "the answer is no chat completion: <html>hello"],
    [raw("null"), "the answer is no chat completion: "],
    [raw("[]"), "the answer is no chat completion: []"],
  ])("%#", async (handler, message) => {
    const { ask, server } = await client(handler);
    const completion = await ask();
    expect(completion.error?.slice(0, message.length)).toBe(message);
    expect(completion).toMatchObject({ text: "", retries: 0 });
    expect(server.requests).toHaveLength(1);
  });

  it("a connection that is cut off, or is none", async () => {
    const before = await client((request) => void request.socket.destroy());
    expect((await before.ask()).error).toMatch(/^the model could not be asked: .*(socket|closed|ECONNRESET)/i);
    const within = await client((request, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "100" });
      response.write('{"id":', () => request.socket.destroy());
    });
    expect((await within.ask()).error).toMatch(/^the model could not be asked: /);
    const nobody = createModelClient(resolveModel({ model: "m", url: "http://127.0.0.1:1/v1" }, {}) as ModelSettings);
    expect((await nobody.complete({ messages: [], env: {} })).error).toMatch(/^the model could not be asked: /);
  });

  it("taking too long, with the head or the body", async () => {
    const head = await client(() => {});
    expect((await head.ask({ timeoutMs: 200 })).error).toBe("timed out after 0.2 s");
    const body = await client((_, response) => {
      response.writeHead(200, { "content-type": "application/json" }).write("{");
    });
    expect((await body.ask({ timeoutMs: 200 })).error).toBe("timed out after 0.2 s");
  });

  it("being stopped, also while it waits for its turn", async () => {
    const stop = new AbortController();
    const { ask, server } = await client(() => stop.abort(), { maxConcurrency: 1 });
    const both = await Promise.all([ask({ signal: stop.signal }), ask({ signal: stop.signal })]);
    expect(both.map(({ error }) => error)).toEqual(["it was stopped", "it was stopped"]);
    expect(server.requests).toHaveLength(1);
  });
});

describe("a service that refuses is asked again", () => {
  const busyUntil =
    (last: number, status: number, headers: Record<string, string>): Handler =>
    (request, response, number) =>
      number < last
        ? json(error("slow down"), status, headers)(request, response, number)
        : json(reply({ content: "4" }))(request, response, number);

  it.each([
    [429, { "retry-after": "0" }],
    [503, { "retry-after-ms": "1" }],
    [529, { "retry-after": "0" }],
  ])("HTTP %i with %j", async (status, headers) => {
    const { ask, server } = await client(busyUntil(3, status, headers));
    expect(await ask()).toMatchObject({ text: "4", error: null, retries: 2 });
    expect(server.requests).toHaveLength(3);
  });

  it("as late as it says; the latency is that of the call", async () => {
    const { ask } = await client(busyUntil(2, 429, { "retry-after": "1" }));
    const started = performance.now();
    const { latencyMs, retries } = await ask();
    expect(performance.now() - started).toBeGreaterThan(1000);
    expect(retries).toBe(1);
    expect(latencyMs).toBeLessThan(900);
  });

  it("at most five times, and never beyond the time limit", async () => {
    const always = await client(json(error("slow down"), 429, { "retry-after": "0" }));
    expect(await always.ask()).toMatchObject({ error: "HTTP 429: slow down (tried 5 times)", retries: 4 });
    const late = await client(json(error("slow down"), 429, { "retry-after": "60" }));
    const { error: told } = await late.ask({ timeoutMs: 5000 });
    expect(told).toBe("HTTP 429: slow down (the next try would have to wait 60 s)");
    expect(late.server.requests).toHaveLength(1);
  });
});

it("no more calls in a minute than the settings say, those that were refused too", async () => {
  const { ask, server } = await client(json(error("slow down"), 429, { "retry-after": "0" }), { rpm: 2 });
  const completion = await ask({ timeoutMs: 5000 });
  expect(completion.error).toMatch(/^HTTP 429: slow down \(the next try would have to wait \d\d s\)$/);
  expect(completion.retries).toBe(1);
  expect(server.requests).toHaveLength(2);
});

it("no more calls at a time than the settings say, and fewer after a refusal", async () => {
  const held: (() => void)[] = [];
  const { ask, server } = await client(
    (request, response, number) => {
      if (number <= 4) json(error("slow down"), 429, { "retry-after": "0" })(request, response, number);
      else held.push(() => json(reply({ content: "4" }))(request, response, number));
    },
    { maxConcurrency: 4 },
  );
  const all = Array.from({ length: 6 }, () => ask());
  await eventually("all four were refused and are there again", () => held.length === 4);
  held.shift()?.();
  await Promise.race(all);
  // Halved: one of four has ended, and three are still more than two.
  const other = await serve(json({}));
  for (let i = 0; i < 5; i++) await fetch(other.url);
  expect(server.requests).toHaveLength(8);
  await eventually("the others", () => {
    held.shift()?.();
    return server.requests.length === 10 && held.length === 0;
  });
  expect((await Promise.all(all)).map(({ text }) => text)).toEqual(Array(6).fill("4"));
});
