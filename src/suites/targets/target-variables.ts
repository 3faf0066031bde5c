import { envNamesIn } from "../../core/env.js";
import { looksSecret } from "../../core/redact.js";
import type { Target } from "./target.js";

/**
 * What the variables that a target names stand for: another address or model answers otherwise. Not so another key, which
 * is new in every job of some CI.
 */
export function targetSettings(target: Target, env: NodeJS.ProcessEnv): [string, string | null][] {
  const names = new Set(targetVariables(target).filter((name) => !looksSecret(name)));
  return [...names].sort().map((name) => [name, env[name] ?? null]);
}

/** The environment variables that a target names: what they hold is handed out, and is to be masked in all that is written. */
export function targetVariables(target: Target): string[] {
  switch (target.type) {
    case "command":
      return envNamesIn(target.env);
    case "http":
      return envNamesIn({ url: target.url, ...target.headers });
    case "agent":
      return envNamesIn(target.agent.env);
    case "model": {
      const { apiKeyEnv, headers } = target.settings;
      return [...(apiKeyEnv === undefined ? [] : [apiKeyEnv]), ...envNamesIn({ ...headers })];
    }
    case "team":
      return target.members.flatMap(targetVariables);
    case "module":
    case "replay":
      return [];
  }
}
