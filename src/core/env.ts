/** `{env:NAME}` in a value of `harness.env` or `provider_env`. */
const REFERENCE = /\{env:([^}]+)\}/g;

export interface ExpandedEnv {
  env: Record<string, string>;
  /** Names in `{env:NAME}` that are not set. */
  missing: string[];
}

/** Replaces `{env:NAME}` in values from the environment; one that is not set becomes empty. */
export function expandEnv(values: Readonly<Record<string, string>>, parent: NodeJS.ProcessEnv): ExpandedEnv {
  const expand = (value: string) => value.replaceAll(REFERENCE, (_, name: string) => parent[name] ?? "");
  return {
    env: Object.fromEntries(Object.entries(values).map(([name, value]) => [name, expand(value)])),
    missing: envNamesIn(values).filter((name) => parent[name] === undefined),
  };
}

/** The names in `{env:NAME}` of all values. */
export function envNamesIn(values: Readonly<Record<string, string>>): string[] {
  return variablesIn(values).map(({ name }) => name);
}

/** A variable that something is told to take from the environment. */
export interface Variable {
  name: string;
  /** What it is taken for: the variable, the header or the field whose value names it. */
  place: string;
}

/** The variables in `{env:NAME}` of all values. */
export function variablesIn(values: Readonly<Record<string, string>>): Variable[] {
  return Object.entries(values).flatMap(([place, value]) =>
    [...value.matchAll(REFERENCE)].map(([, name = ""]) => ({ name, place })),
  );
}
