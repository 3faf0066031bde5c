type Dispatcher = NonNullable<RequestInit["dispatcher"]>;

/**
 * Where Node's fetch keeps what it sends requests with; undici, which it is made of, documents the names. The newer one
 * comes first: from Node 26 on what the older one holds is only a wrapper for old programs.
 */
const GLOBALS = [Symbol.for("undici.globalDispatcher.2"), Symbol.for("undici.globalDispatcher.1")];

let shared: Dispatcher | undefined;

/**
 * What lets `fetch` wait as long as its signal says. Left alone it gives up when a service is silent for five minutes,
 * which a model that thinks or an agent that works often is. Undefined where this Node has none of its kind.
 */
export function patientDispatcher(): Dispatcher | undefined {
  shared ??= createDispatcher(0);
  return shared;
}

/** @param silenceMs how long a service may be silent; 0 = no limit */
export function createDispatcher(silenceMs: number): Dispatcher | undefined {
  // Naming one of its classes loads fetch, which makes the dispatcher.
  void globalThis.Headers;
  const global = GLOBALS.map((name) => (globalThis as Record<symbol, unknown>)[name]).find(
    (found) => found !== undefined,
  );
  if (typeof global !== "object" || global === null) return undefined;
  const Kind = global.constructor as new (options: object) => Dispatcher;
  return new Kind({ headersTimeout: silenceMs, bodyTimeout: silenceMs });
}
