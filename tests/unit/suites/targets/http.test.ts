import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createRedactor } from "../../../../src/core/redact.js";
import { INTERRUPTED } from "../../../../src/report/schema.js";
import { callTarget } from "../../../../src/suites/targets/types.js";
import { project } from "../../../helpers/project.js";
import { type Handler, serve } from "../../../helpers/server.js";
import { type CallOptions, callOnce, targetCall, targetIn } from "../../../helpers/target-call.js";

const say =
  (body: string, status = 200, headers: Record<string, string> = {}): Handler =>
  (_, response) =>
    void response.writeHead(status, headers).end(body);

/** Calls a target at a server that answers like this. */
async function ask(handler: Handler, fields: Record<string, unknown> = {}, options: CallOptions = {}) {
  const server = await serve(handler);
  const called = await callOnce({ type: "http", url: `${server.url}/ask`, ...fields }, options);
  return { ...called, requests: server.requests, url: server.url };
}

describe("the request", () => {
  it("is by default a POST of the input as JSON", async () => {
    const { requests, session } = await ask(say("hello\n"), {}, { input: { q: "你" } });
    expect(requests).toMatchObject([{ method: "POST", url: "/ask", headers: { "content-type": "application/json" } }]);
    expect(requests[0]?.text).toBe('{"input":{"q":"你"}}');
    expect(session).toMatchObject({ output: "hello", error: null, turns: 1, retries: 0 });
  });

  it("has a body of one's own, of which only strings are filled in", async () => {
    const body = {
      messages: [{ role: "user", content: "Q: {task}" }],
      id: "{case_id}",
      raw: "{input}",
      n: 0,
      x: "{y}",
    };
    const { requests } = await ask(say("ok"), { body }, { input: 'say "{case_id}"', caseId: "c" });
    expect(JSON.parse(requests[0]?.text ?? "")).toEqual({
      messages: [{ role: "user", content: 'Q: say "{case_id}"' }],
      id: "c",
      raw: 'say "{case_id}"',
      n: 0,
      x: "{y}",
    });
  });

  it("has a text as body where the template is one, and the input alone where it is just that", async () => {
    const text = await ask(say("ok"), { body: "Q: {task}" });
    expect(text.requests[0]).toMatchObject({
      text: "Q: do it",
      headers: { "content-type": "text/plain; charset=utf-8" },
    });
    const alone = await ask(say("ok"), { body: "{input}" }, { input: [1, "x"] });
    expect(alone.requests[0]).toMatchObject({ text: '[1,"x"]', headers: { "content-type": "application/json" } });
  });

  it("has no body with GET; the task stands in the URL, escaped", async () => {
    const server = await serve(say("ok"));
    const url = `${server.url}/ask?q={task}&id={case_id}`;
    await callOnce({ type: "http", url, method: "get" }, { input: "a&b=c {case_id} ü", caseId: "c/1" });
    expect(server.requests).toMatchObject([
      { method: "GET", url: "/ask?q=a%26b%3Dc%20%7Bcase_id%7D%20%C3%BC&id=c%2F1", text: "" },
    ]);
  });

  it("has headers from the environment; one that is not set is an error that names it", async () => {
    const headers = { authorization: "Bearer {env:SERVICE_KEY}", "x-a": "b" };
    const { requests } = await ask(say("ok"), { headers }, { env: { SERVICE_KEY: "k" } });
    expect(requests[0]?.headers).toMatchObject({ authorization: "Bearer k", "x-a": "b" });
    const unset = await ask(say("ok"), { headers });
    expect(unset.session.error).toBe("the variable SERVICE_KEY is not set: the target's url or headers name it");
    expect(unset.requests).toEqual([]);
    const broken = await ask(say("ok"), { headers }, { env: { SERVICE_KEY: "a\nb" } });
    expect(broken.session.error).toContain("the request can't be sent: ");
    expect(broken.requests).toEqual([]);
  });
});

describe("the answer", () => {
  const openAi = { choices: [{ message: { content: "four" } }], "a/b": 0, "m~n": false };

  it.each([
    ["/choices/0/message/content", "four"],
    ["/a~1b", "0"],
    ["/m~0n", "false"],
    ["/choices/0/message", '{"content":"four"}'],
    ["", JSON.stringify(openAi)],
  ])("at the JSON pointer '%s'", async (output, text) => {
    expect((await ask(say(JSON.stringify(openAi)), { output })).session).toMatchObject({ output: text, error: null });
  });

  it("has nothing there, or is no JSON", async () => {
    const nothing = await ask(say(JSON.stringify(openAi)), { output: "/choices/1" });
    expect(nothing.session.error).toMatch(/^malformed answer: there is nothing at \/choices\/1 in \{"choices"/);
    const html = await ask(say("<html>down"), { output: "/choices" });
    expect(html.session.error).toBe("malformed answer: expected JSON, found <html>down");
    expect(html.evidence("response")).toBe("<html>down");
  });

  it("is the object of all targets where it has an output, else the text as it is", async () => {
    const object = await ask(say('{"output": 0, "usage": {"input_tokens": 5}}'));
    expect(object.session).toMatchObject({ output: "0", inputTokens: 5, error: null });
    expect((await ask(say('{"answer": 1}\n'))).session.output).toBe('{"answer": 1}');
    expect((await ask(say('{"output": 1, "turns": -1}'))).session.error).toContain("malformed answer: turns");
    expect((await ask(say(""))).session).toMatchObject({ output: "", error: null });
  });

  it("in pieces that cut characters is put together", async () => {
    const bytes = Buffer.from("你".repeat(50_000));
    const { session } = await ask((_, response) => {
      for (let at = 0; at < bytes.length; at += 1000) response.write(bytes.subarray(at, at + 1000));
      response.end();
    });
    expect(session.output).toBe("你".repeat(50_000));
  });

  it("is kept, with secrets masked", async () => {
    const env = { API_KEY: "very-secret" };
    const { evidence } = await ask(say("it is very-secret"), {}, { redactor: createRedactor({ env, names: [] }) });
    expect(evidence("response")).toBe("it is ***API_KEY***");
  });
});

describe("what the service does wrong is the session's error", () => {
  it("a status of 400 and more", async () => {
    const { session, requests } = await ask(say('{"detail": "no such model"}', 404));
    expect(session).toMatchObject({ error: 'HTTP 404: {"detail": "no such model"}', retries: 0, output: "" });
    expect(requests).toHaveLength(1);
    expect((await ask(say("", 500))).session.error).toBe("HTTP 500");
  });

  it("a connection that is cut off, before and within the answer", async () => {
    const before = await ask((request) => void request.socket.destroy());
    expect(before.session.error).toMatch(/^the service could not be asked: fetch failed: /);
    const within = await ask((request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => request.socket.destroy());
    });
    expect(within.session.error).toMatch(/^the service could not be asked: terminated/);
  });

  it("nobody there", async () => {
    const { session } = await callOnce({ type: "http", url: "http://127.0.0.1:1/" });
    expect(session.error).toMatch(/^the service could not be asked: fetch failed: .+/);
  });

  it("an answer without end", async () => {
    const { session } = await ask((_, response) => {
      const more = () => void response.write(Buffer.alloc(1 << 20), more);
      more();
    });
    expect(session.error).toBe("the answer is larger than 16777216 bytes");
  });

  it("being slow, with the head as with the body", async () => {
    expect((await ask(() => {}, {}, { timeoutMs: 200 })).session.error).toBe("timed out after 0.2 s");
    const body = await ask((_, response) => void response.writeHead(200).write("half"), {}, { timeoutMs: 200 });
    expect(body.session.error).toBe("timed out after 0.2 s");
  });

  it("the run was stopped", async () => {
    const stop = new AbortController();
    const { session } = await ask(() => stop.abort(), {}, { signal: stop.signal });
    expect(session.error).toBe(INTERRUPTED);
  });
});

describe("redirects", () => {
  it("within the host are followed, with the headers", async () => {
    const { session, requests } = await ask(
      (request, response) => {
        if (request.url === "/ask") response.writeHead(307, { location: "/there" }).end();
        else response.end(`${request.method} ${request.text} ${request.headers["x-key"]}`);
      },
      { headers: { "x-key": "k" } },
    );
    expect(session.output).toBe('POST {"input":"do it"} k');
    expect(requests).toHaveLength(2);
  });

  it("a POST that is answered with 302 or 303 goes on as GET (Fetch standard, HTTP-redirect fetch, 12)", async () => {
    for (const status of [302, 303]) {
      const { session } = await ask((request, response) => {
        if (request.url === "/ask") response.writeHead(status, { location: "/there" }).end();
        else response.end(`${request.method}[${request.text}]`);
      });
      expect(session.output).toBe("GET[]");
    }
  });

  it("to another host never get there", async () => {
    const other = await serve(say("stolen"));
    const { session } = await ask(say("", 307, { location: `${other.url}/x` }), {
      headers: { authorization: "secret" },
    });
    expect(session.error).toBe(
      `HTTP 307: redirects to another host, ${other.url}, which is not followed: set url to it`,
    );
    expect(other.requests).toEqual([]);
  });

  it("without end", async () => {
    const { session, requests } = await ask(say("", 307, { location: "/ask" }));
    expect(session.error).toBe("it redirects more than 5 times");
    expect(requests).toHaveLength(6);
  });
});

describe("a service that is busy is asked again", () => {
  const busyUntil =
    (last: number, status: number, headers: Record<string, string>): Handler =>
    (_, response, number) =>
      void (number < last ? response.writeHead(status, headers).end("busy") : response.end("done"));

  it.each([
    [429, { "retry-after": "0" }],
    [503, { "retry-after": new Date(0).toUTCString() }],
  ])("HTTP %i with %j", async (status, headers) => {
    const { session, requests } = await ask(busyUntil(3, status, headers));
    expect(session).toMatchObject({ output: "done", error: null, retries: 2 });
    expect(requests).toHaveLength(3);
  });

  it("as late as it says, which is not counted as duration", async () => {
    const started = performance.now();
    const { session } = await ask(busyUntil(2, 429, { "retry-after": "1" }));
    expect(performance.now() - started).toBeGreaterThan(1000);
    expect(session).toMatchObject({ output: "done", retries: 1 });
    expect(session.durationMs).toBeLessThan(900);
  });

  it("at most five times", async () => {
    const { session, requests } = await ask(say("busy", 429, { "retry-after": "0" }));
    expect(session).toMatchObject({ error: "HTTP 429: busy (tried 5 times)", retries: 4 });
    expect(requests).toHaveLength(5);
  });

  it("not where that would be too late", async () => {
    const { session, requests } = await ask(say("busy", 429, { "retry-after": "30" }), {}, { timeoutMs: 5000 });
    expect(session.error).toBe("HTTP 429: busy (the next try would have to wait 30 s)");
    expect(requests).toHaveLength(1);
  });

  it("not where the run is stopped meanwhile", async () => {
    const stop = new AbortController();
    const handler: Handler = (_, response) => {
      response.writeHead(429, { "retry-after": "60" }).end("busy", () => setImmediate(() => stop.abort()));
    };
    const { session } = await ask(handler, {}, { signal: stop.signal });
    expect(session.error).toBe(INTERRUPTED);
  });
});

it("many calls at once keep their answers apart, and leave no listener behind", async () => {
  const server = await serve((request, response) => void response.end(JSON.parse(request.text).input));
  const p = project({ "target.yaml": JSON.stringify({ type: "http", url: server.url }) });
  const target = targetIn(p);
  const inputs = Array.from({ length: 50 }, (_, index) => `input ${index}`);
  const sessions = await Promise.all(
    inputs.map((input, index) => callTarget(target, targetCall(p, { input, caseId: `c${index}` }))),
  );
  expect(sessions.map(({ output }) => output)).toEqual(inputs);
  expect(readFileSync(p.path("run", sessions[7]?.evidence["response"] ?? ""), "utf8")).toBe("input 7");
});
