import { dirname, join } from "node:path";
import { writeFileAtomic } from "../../../core/atomic.js";
import { envNamesIn, expandEnv } from "../../../core/env.js";
import { describeCauses, isUnreachable } from "../../../core/errors.js";
import { makeDirectory } from "../../../core/make-directory.js";
import { patientDispatcher } from "../../../core/patient-dispatcher.js";
import type { Redactor } from "../../../core/redact.js";
import { parseRetryAfter, type Try, withRetries } from "../../../core/retry.js";
import { startTimeLimit, type TimeLimit } from "../../../core/time-limit.js";
import type { Json } from "../../json.js";
import type { Session } from "../../session.js";
import { taskText } from "../../test-case.js";
import {
  failedSession,
  isAnswerObject,
  MAX_ANSWER,
  sessionFromObject,
  sessionFromOutput,
  sessionFromText,
  unavailable,
} from "../answer.js";
import type { Call } from "../call.js";
import { fillPlaceholders, fillTemplate } from "../placeholders.js";
import type { TargetBase } from "../target-type.js";
import { atPointer } from "./json-pointer.js";

/** The user's service. */
export interface HttpTarget extends TargetBase {
  type: "http";
  url: string;
  method: string;
  headers: Readonly<Record<string, string>>;
  /** With `{input}`, `{task}` and `{case_id}`; undefined: no body. */
  body: Json | undefined;
  /** A JSON pointer to the output; undefined: the answer as a whole. */
  output?: string | undefined;
}

const MAX_REDIRECTS = 5;
const REFUSED = new Set([429, 503]);

interface Request {
  url: URL;
  method: string;
  headers: Headers;
  body: string | null;
}

/** What came back, or why nothing did; `unreachable`: nothing was sent either. */
type Exchange = { status: number; text: string; retryAfter: string | null } | { unreachable: string } | string;

/** Sends the input to the user's service; waits and asks again where it says that it is busy. */
export async function callHttp(target: HttpTarget, call: Call): Promise<Session> {
  const { context, timeoutMs } = call;
  const request = buildRequest(target, call);
  if (typeof request === "string") return unavailable(request);
  const deadline = timeoutMs === undefined ? undefined : performance.now() + timeoutMs;
  const once = async (): Promise<Try<Exchange>> => {
    const limit = startTimeLimit(deadline === undefined ? undefined : deadline - performance.now(), context.signal);
    const value = await exchange(request, limit, call).finally(limit.release);
    const refused = typeof value === "object" && "status" in value && REFUSED.has(value.status);
    return { value, ...(refused && { retryAfterMs: parseRetryAfter(value.retryAfter) }) };
  };
  const { value, retries, durationMs, gaveUp } = await withRetries(once, { signal: context.signal, deadline });
  const figures = { durationMs, retries };
  if (typeof value === "string") return { ...failedSession(value), ...figures };
  if ("unreachable" in value) return { ...unavailable(value.unreachable), ...figures };
  const session = readAnswer(value, target, call);
  const error = session.error !== null && gaveUp !== "" ? `${session.error} (${gaveUp})` : session.error;
  return { ...session, ...figures, error, evidence: keep(value.text, call) };
}

function buildRequest(target: HttpTarget, { input, caseId, context }: Call): Request | string {
  const written = { url: target.url, ...target.headers };
  const missing = envNamesIn(written).find((name) => context.env[name] === undefined);
  if (missing !== undefined) return `the variable ${missing} is not set: the target's url or headers name it`;
  const task = taskText(input);
  const inUrl = { task: encodeURIComponent(task.toWellFormed()), case_id: encodeURIComponent(caseId.toWellFormed()) };
  // First the variables: what the task holds is no reference.
  const address = fillPlaceholders(expandEnv({ url: target.url }, context.env).env["url"] ?? "", inUrl);
  if (!/^https?:/i.test(address) || !URL.canParse(address))
    return `no http or https URL: '${context.redactor.line(address, 200)}'`;
  try {
    const headers = new Headers(expandEnv(target.headers, context.env).env);
    const body =
      target.body === undefined ? null : fillTemplate(target.body, input, { input: task, task, case_id: caseId });
    // A template that is a text is sent as it is.
    const isText = typeof body === "string" && target.body !== "{input}";
    if (body !== null && !headers.has("content-type")) {
      headers.set("content-type", isText ? "text/plain; charset=utf-8" : "application/json");
    }
    return {
      url: new URL(address),
      method: target.method,
      headers,
      body: target.body === undefined ? null : isText ? body : JSON.stringify(body),
    };
  } catch (error) {
    return `the request can't be sent: ${(error as Error).message}`;
  }
}

async function exchange(request: Request, limit: TimeLimit, { timeoutMs = 0, context }: Call): Promise<Exchange> {
  const { line } = context.redactor;
  try {
    const response = await followRedirects(request, limit.signal, line);
    if (typeof response === "string") return response;
    const text = await readBody(response);
    if (text === undefined) return `the answer is larger than ${MAX_ANSWER} bytes`;
    return { status: response.status, text, retryAfter: response.headers.get("retry-after") };
  } catch (error) {
    if (limit.timedOut()) return `timed out after ${timeoutMs / 1000} s`;
    const words = `the service could not be asked: ${line(describeCauses(error), 500)}`;
    return isUnreachable(error) ? { unreachable: words } : words;
  }
}

/** Redirects within the host are followed; another one would get headers that are meant for this one. */
async function followRedirects(
  request: Request,
  signal: AbortSignal,
  line: Redactor["line"],
): Promise<Response | string> {
  let { url, method, body } = request;
  const dispatcher = patientDispatcher();
  const common = { headers: request.headers, signal, redirect: "manual" as const, ...(dispatcher && { dispatcher }) };
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const response = await fetch(url, { ...common, method, body });
    const location = response.headers.get("location");
    if (![301, 302, 303, 307, 308].includes(response.status) || location === null) return response;
    await response.body?.cancel();
    if (!URL.canParse(location, url.href)) return `HTTP ${response.status}: redirects to '${line(location, 200)}'`;
    const next = new URL(location, url);
    const isUpgrade = next.hostname === url.hostname && next.protocol === "https:" && url.protocol === "http:";
    if (next.origin !== url.origin && !isUpgrade) {
      return `HTTP ${response.status}: redirects to another host, ${next.origin}, which is not followed: set url to it`;
    }
    // As browsers do.
    if (response.status === 303 || (response.status < 303 && method === "POST")) [method, body] = ["GET", null];
    url = next;
  }
  return `it redirects more than ${MAX_REDIRECTS} times`;
}

/** Undefined: there is more than is read. */
async function readBody(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    // Leaving the loop ends the connection.
    if (size > MAX_ANSWER) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function readAnswer({ status, text }: { status: number; text: string }, target: HttpTarget, call: Call): Session {
  const start = call.context.redactor.line(text, 300);
  if (status >= 400) return failedSession(`HTTP ${status}${start ? `: ${start}` : ""}`);
  if (target.output === undefined) {
    const value = parse(text);
    return isAnswerObject(value) ? sessionFromObject(value, call) : sessionFromText(text.trimEnd(), call);
  }
  const document = parse(text);
  if (document === undefined) return failedSession(`malformed answer: expected JSON, found ${start || "nothing"}`);
  const value = atPointer(document, target.output);
  if (value === undefined) return failedSession(`malformed answer: there is nothing at ${target.output} in ${start}`);
  return sessionFromOutput(value as Json, call);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Keeps an answer for whoever wonders what the service said. */
function keep(text: string, { context }: Call): Record<string, string> {
  if (text === "") return {};
  const relative = `${context.prefix}.response.txt`;
  const path = join(context.runDir, relative);
  makeDirectory(dirname(path));
  writeFileAtomic(path, context.redactor.text(text));
  return { response: relative };
}
