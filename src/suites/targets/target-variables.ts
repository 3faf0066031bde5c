import { looksSecret } from "../../core/redact.js";
import { type Target, typeOf } from "./types.js";

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
  return typeOf(target).variables?.(target) ?? [];
}
