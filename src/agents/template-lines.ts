import { tomlValue } from "../config/template.js";
import { builtinAgents } from "./templates.js";

/** The built-in agents as commented TOML, for `eb init`. */
export function agentTemplateLines(): string[] {
  return [
    "# Agents that can be judges. What is not set here is as shown; a table of another name defines a new agent.",
    ...Object.entries(builtinAgents).flatMap(([name, template]) => [
      "",
      `# [agents.${name}]`,
      ...Object.entries(template).map(([key, value]) => `# ${key} = ${tomlValue(value)}`),
    ]),
  ];
}
