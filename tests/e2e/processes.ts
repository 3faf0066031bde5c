import { readdirSync, readFileSync } from "node:fs";

/** The command lines of all processes, those of this machine's other work too, that hold `text`. */
export function commandsHolding(text: string): string[] {
  return readdirSync("/proc").flatMap((pid) =>
    /^\d+$/.test(pid) && commandLine(pid).includes(text) ? [commandLine(pid)] : [],
  );
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

/** The command lines of the processes that carry an entry in their environment. */
export function processesWith(entry: string): string[] {
  return readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const entries = readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
      return entries.includes(entry) ? [commandLine(pid)] : [];
    } catch {
      return [];
    }
  });
}
