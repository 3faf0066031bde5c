/** What kind of target a first suite has, and what that needs. */
export type StarterTarget =
  | { kind: "stand-in"; script: string; json: boolean }
  | { kind: "command"; command: readonly string[]; input: "stdin" | "arg" | "json-stdin"; output: "text" | "json" }
  | { kind: "http"; url: string; output: string }
  | { kind: "module"; path: string; export: string }
  | { kind: "agent"; agent: string; model: string };

// Flow style as in JSON: YAML takes it, whatever a path or a URL holds.
const quoted = (value: string | readonly string[]) =>
  typeof value === "string" ? JSON.stringify(value) : `[${value.map((word) => JSON.stringify(word)).join(", ")}]`;

/** The text of a target file. */
export function starterTarget(target: StarterTarget): string {
  switch (target.kind) {
    case "stand-in": {
      const command = ["node", target.script, ...(target.json ? ["--json"] : [])];
      return [
        target.json
          ? "# A target that prints a JSON object: { output, turns, tool_calls, usage, cost_usd, … }."
          : "# What the suite tests: a program that reads the task from standard input and prints the answer.",
        "# This one only stands in for yours, so that everything runs offline. Put your own program here.",
        ...commandLines({ command, input: "stdin", output: target.json ? "json" : "text" }),
      ].join("\n");
    }
    case "command":
      return [
        "# What the suite tests: a program. {task}, {case_id} and {config} can stand in its arguments.",
        ...commandLines(target),
      ].join("\n");
    case "http":
      return `# What the suite tests: a service. {env:NAME} in a header takes a value from the environment.
type: http
url: ${quoted(target.url)}
method: POST
headers: { content-type: application/json }
body: { task: "{task}" }
output: ${quoted(target.output)} # where the answer stands in what it sends back, as a JSON pointer
`;
    case "module":
      return `# What the suite tests: a function (input, context) => output.
type: module
path: ${quoted(target.path)}
export: ${quoted(target.export)}
`;
    case "agent":
      return `# What the suite tests: an agent's own program; eb agents prints those that are installed.
type: agent
agent: ${quoted(target.agent)}
${target.model === "" ? "# model: …" : `model: ${quoted(target.model)}`}
`;
  }
}

function commandLines({ command, input, output }: { command: readonly string[]; input: string; output: string }) {
  return ["type: command", `command: ${quoted(command)}`, `input: ${input}`, `output: ${output}`, ""];
}
