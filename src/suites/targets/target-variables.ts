import type { Variable } from "../../core/env.js";
import { isCredential, looksSecret } from "../../core/redact.js";
import { type Target, typeOf } from "./types.js";

/**
 * What the variables that a target names stand for: another address or model answers otherwise. Not so another key, which
 * is new in every job of some CI; but only what is certainly one is left out, since an old answer would be given for a new
 * question.
 */
export function targetSettings(target: Target, env: NodeJS.ProcessEnv): Settings {
  return settingsOf([...targetVariables(target), ...target.reads.map((name) => ({ name, place: name }))], env);
}

type Settings = [name: string, value: string | null][];

/** The same of variables that something else names. */
export function settingsOf(variables: readonly Variable[], env: NodeJS.ProcessEnv): Settings {
  const settings = variables.filter(({ name, place }) => !isCredential(name) && !isCredential(place));
  return [...new Set(settings.map(({ name }) => name))].sort().map((name) => [name, env[name] ?? null]);
}

/** The variables of a target whose values are masked though their names may not look secret. */
export function targetSecrets(target: Target): string[] {
  const secret = targetVariables(target).filter(({ place }) => looksSecret(place) || isCredential(place));
  return [...secret.map(({ name }) => name), ...(typeOf(target).handedOut?.(target) ?? [])];
}

function targetVariables(target: Target): Variable[] {
  return typeOf(target).variables?.(target) ?? [];
}
