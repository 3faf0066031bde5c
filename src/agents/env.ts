export interface ExpandedEnv {
  env: Record<string, string>;
  /** Names in `{env:NAME}` that are not set. */
  missing: string[];
  /** Names of the variables whose values came from `{env:NAME}`: they are likely to be secrets. */
  fromEnv: string[];
}

/** Replaces `{env:NAME}` in values from the environment; one that is not set becomes empty. */
export function expandEnv(values: Readonly<Record<string, string>>, parent: NodeJS.ProcessEnv): ExpandedEnv {
  const missing: string[] = [];
  const fromEnv: string[] = [];
  const env = Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const expanded = value.replaceAll(/\{env:([^}]+)\}/g, (_, source: string) => {
        fromEnv.push(name);
        if (parent[source] === undefined) missing.push(source);
        return parent[source] ?? "";
      });
      return [name, expanded];
    }),
  );
  return { env, missing, fromEnv };
}
