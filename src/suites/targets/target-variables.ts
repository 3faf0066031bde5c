import { envNamesIn } from "../../core/env.js";
import type { Target } from "./target.js";

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
