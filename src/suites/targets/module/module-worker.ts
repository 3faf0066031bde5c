/** What the worker is given. */
export interface ModuleTask {
  /** `file:` URL of the module. */
  url: string;
  exportName: string;
  input: unknown;
  context: Record<string, unknown>;
  /** Marks the reply: a module has the same port, and may send messages of its own. */
  mark: string;
}

/** What it says: what the function returned, as JSON; or why there is nothing. Unavailable: there is no function to call. */
export type ModuleReply = { json: string; durationMs: number } | { problem: string; unavailable?: boolean };

/**
 * The code of the worker, which is plain CommonJS: a text, since in the bundle there is no file of its own to start.
 * It answers when all that was printed has been taken over: what is printed later is lost with the worker.
 */
export const moduleWorker = `
const { parentPort, workerData } = require("node:worker_threads");
const { url, exportName, input, context, mark } = workerData;

const stackOf = (error) => (error instanceof Error ? error.stack : undefined);

async function answer() {
  let found;
  try {
    found = await import(url);
  } catch (error) {
    return { problem: "could not be loaded: " + words(error), stack: stackOf(error), unavailable: true };
  }
  // A module that was compiled from ES to CommonJS has what it exports one level down.
  const inner = typeof found.default === "object" && found.default !== null ? found.default : {};
  const call = typeof found[exportName] === "function" ? found[exportName] : inner[exportName];
  if (typeof call !== "function") {
    const names = Object.keys(found).filter((name) => name !== "module.exports").join(", ") || "nothing";
    const what = exportName === "default" ? "has no function 'default'" : "is no function";
    return { problem: what + ": it exports " + names, unavailable: true };
  }
  const started = performance.now();
  const output = await call(input, context);
  const durationMs = Math.round(performance.now() - started);
  if (output === undefined) return { problem: "returned undefined: an output is a text or another JSON value" };
  const json = JSON.stringify(output);
  if (json === undefined) return { problem: "returned a " + typeof output + ": an output is a text or another JSON value" };
  return { json, durationMs };
}

const words = (error) => {
  try {
    return error instanceof Error ? error.name + ": " + error.message : "what is no error: " + String(error);
  } catch {
    return "what is no error: a value that can't be shown as a text";
  }
};
const drained = (stream) => new Promise((resolve) => stream.write("", resolve));

answer()
  .catch((error) => ({ problem: "threw " + words(error), stack: stackOf(error) }))
  .then(async ({ stack, ...reply }) => {
    if (stack) process.stderr.write(stack + "\\n");
    await Promise.all([drained(process.stdout), drained(process.stderr)]);
    parentPort.postMessage({ ...reply, mark });
  });
`;
