import { realAgents } from "./agents.js";
import type { Installed } from "./find-agents.js";

const notes = new Map<string, Map<string, string[]>>();

/** What was seen of the agents while they were tested, for the table of docs/agents.md. */
export const seen = {
  note(agent: string, what: string, how: string): void {
    const row = notes.get(what) ?? new Map<string, string[]>();
    row.set(agent, [...(row.get(agent) ?? []), how]);
    notes.set(what, row);
  },

  /** Prints it as Markdown. An agent that was not tested has no cell that says otherwise. */
  print(installed: Record<string, Installed>): void {
    const names = Object.keys(realAgents);
    const title = (name: string) =>
      "bin" in (installed[name] ?? {}) ? `${name} ${realAgents[name]?.version}` : `${name}: NOT TESTED`;
    const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
    const rows = [...notes].map(([what, row]) =>
      line([what, ...names.map((name) => row.get(name)?.join(", ") ?? "—")]),
    );
    const head = [line(["", ...names.map(title)]), line(["", ...names].map(() => "---"))];
    process.stdout.write(`\nWhat was seen:\n\n${[...head, ...rows].join("\n")}\n`);
  },
};
