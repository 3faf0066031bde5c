import { mkdirSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { loadConfig } from "../../src/config/load.js";
import { noRedactor, type Redactor } from "../../src/core/redact.js";
import type { RunContext } from "../../src/run/context.js";
import { createEvidenceDirs } from "../../src/run/evidence-dirs.js";
import { createPrivateDirs } from "../../src/run/private-dirs.js";
import type { Call } from "../../src/suites/call.js";
import { callTarget } from "../../src/suites/targets/call-target.js";
import { loadTarget, type TargetSources } from "../../src/suites/targets/load-target.js";
import type { Target } from "../../src/suites/targets/target.js";
import { trialContext } from "../../src/suites/trial-context.js";
import { cleanEnv, type Project, project } from "./project.js";

export interface CallOptions extends Partial<Pick<Call, "caseId" | "input" | "run" | "timeoutMs" | "cwd">> {
  env?: NodeJS.ProcessEnv;
  signal?: AbortSignal;
  redactor?: Redactor;
}

/** A call of a target in a project, as a run of a suite makes it: with a run directory in the project. */
export function targetCall(p: Project, options: CallOptions = {}): Call {
  const { caseId = "it", input = "do it", run = 1, cwd = p.root, env = {}, redactor = noRedactor } = options;
  for (const directory of ["run/cases", "scratch"]) mkdirSync(p.path(directory), { recursive: true });
  const context: RunContext = {
    config: loadConfig({ cwd: p.root, useConfig: false, env: {} }).config,
    env: cleanEnv(env),
    projectRoot: p.root,
    runId: "20260101_000000_00000000",
    runDir: p.path("run"),
    folder: "cases",
    scratch: p.path("scratch"),
    privateDirs: createPrivateDirs(p.path("scratch")),
    evidenceDirs: createEvidenceDirs(),
    signal: options.signal ?? new AbortController().signal,
    redactor,
  };
  return { caseId, input, run, cwd, timeoutMs: options.timeoutMs, context: trialContext(context, caseId, run) };
}

/** The target in a file of a project; fails when something is wrong with it. */
export function targetIn(p: Project, file = "target.yaml", sources: Partial<TargetSources> = {}): Target {
  const { target, problems } = loadTarget(p.path(file), { projectRoot: p.root, ...sources });
  if (!target) throw new Error(`not a target: ${JSON.stringify(problems)}`);
  return target;
}

/** Calls a target that is written as plain data, in a project of its own with these files. */
export async function callOnce(
  fields: Record<string, unknown>,
  options: CallOptions & { files?: Record<string, string | Uint8Array>; sources?: Partial<TargetSources> } = {},
) {
  const p = project({ "target.yaml": JSON.stringify(fields), ...options.files });
  const target = targetIn(p, "target.yaml", options.sources);
  const session = await callTarget(target, targetCall(p, options));
  const evidence = (name: string) => p.read(`run/${session.evidence[name]}`);
  return { p, target, session, evidence };
}

export type Handler = (request: IncomingMessage & { text: string }, response: ServerResponse, number: number) => void;

/** A server on loopback that is gone after the test; `number` counts requests from 1. */
export async function serve(handler: Handler) {
  const requests: { method: string; url: string; headers: IncomingMessage["headers"]; text: string }[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString();
    requests.push({ method: request.method ?? "", url: request.url ?? "", headers: request.headers, text });
    handler(Object.assign(request, { text }), response, requests.length);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}
