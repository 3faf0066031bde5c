import { expect, it } from "vitest";
import { INTERRUPTED } from "../../../../src/report/schema.js";
import { callTarget } from "../../../../src/suites/targets/types.js";
import { project } from "../../../helpers/project.js";
import { type Handler, serve } from "../../../helpers/server.js";
import { type CallOptions, targetCall, targetIn } from "../../../helpers/target-call.js";

const reply: Handler = (_, response) => {
  const body = {
    model: "m-2026",
    choices: [{ message: { content: "4" } }],
    usage: { prompt_tokens: 9, completion_tokens: 1 },
  };
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
};

async function ask(handler: Handler, fields: Record<string, unknown> = {}, options: CallOptions = {}) {
  const server = await serve(handler);
  const p = project({ "target.yaml": JSON.stringify({ type: "model", model: "m", url: server.url, ...fields }) });
  const session = await callTarget(targetIn(p), targetCall(p, options));
  return { session, sent: server.requests.map(({ text }) => JSON.parse(text)), requests: server.requests };
}

it("answers the task in one completion", async () => {
  const fields = { instructions: "Be brief.", params: { temperature: 0 }, api_key_env: "MY_KEY" };
  const { session, sent, requests } = await ask(reply, fields, { input: "2 + 2?", env: { MY_KEY: "k" } });
  const messages = [
    { role: "system", content: "Be brief." },
    { role: "user", content: "2 + 2?" },
  ];
  expect(sent).toMatchObject([{ model: "m", temperature: 0, messages }]);
  expect(requests[0]?.headers.authorization).toBe("Bearer k");
  expect(session).toMatchObject({
    output: "4",
    messages: [...messages, { role: "assistant", content: "4" }],
    turns: 1,
    inputTokens: 9,
    outputTokens: 1,
    model: "m-2026",
    error: null,
  });
  expect(session.costUsd).toBeUndefined();
});

it("takes a list of chat messages as they are, and any other input as text", async () => {
  const chat = [
    { role: "user", content: "a" },
    { role: "assistant", content: "b" },
  ];
  expect((await ask(reply, {}, { input: chat })).sent[0].messages).toEqual(chat);
  const list = [{ role: "user", content: 1 }];
  expect((await ask(reply, {}, { input: list })).sent[0].messages).toEqual([
    { role: "user", content: JSON.stringify(list, null, 2) },
  ]);
});

it("what goes wrong is the session's error", async () => {
  const { session } = await ask((_, response) => void response.writeHead(500).end("boom"));
  expect(session).toMatchObject({ error: "HTTP 500: boom", output: "", turns: 0 });
  expect((await ask(reply, { api_key_env: "MY_KEY" })).session.error).toContain("the variable MY_KEY is not set");
  const stop = new AbortController();
  expect((await ask(() => stop.abort(), {}, { signal: stop.signal })).session.error).toBe(INTERRUPTED);
});

it("all calls of a run share the limit of their model", async () => {
  let [running, most] = [0, 0];
  const server = await serve((request, response, number) => {
    most = Math.max(most, ++running);
    setImmediate(() => {
      running--;
      reply(request, response, number);
    });
  });
  const p = project({
    "target.yaml": JSON.stringify({ type: "model", model: "m", url: server.url, max_concurrency: 2 }),
  });
  const { context, ...call } = targetCall(p);
  const sessions = Array.from({ length: 8 }, () => callTarget(targetIn(p), { ...call, context: { ...context } }));
  expect((await Promise.all(sessions)).every(({ error }) => error === null)).toBe(true);
  expect(most).toBe(2);
});
