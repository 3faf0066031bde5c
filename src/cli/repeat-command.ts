import { shellQuote } from "../core/text.js";

/** Options that select checks or cases, or say where the report goes: not what comes out. */
const LEFT_OUT = new Set([
  ...["--check-id", "--tag", "--case", "--filter", "--sample", "--seed", "--resume"],
  ...["--output-dir", "--reporter", "--output", "-o"],
]);
const FLAGS_LEFT_OUT = new Set(["--last-failed", "--flat-output", "--json", "--verbose"]);

/**
 * The command line of a run as a shell would take it, without what selects items or places the report. What npm or npx
 * started is found by a shell only through npx.
 */
export function repeatCommand(args: readonly string[], env: NodeJS.ProcessEnv): string {
  const kept: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] ?? "";
    const [name = ""] = argument.split("=", 1);
    if (FLAGS_LEFT_OUT.has(name)) continue;
    if (!LEFT_OUT.has(name)) kept.push(argument);
    else if (name === argument) index++;
  }
  return [...(env["npm_command"] ? ["npx"] : []), "eb", ...kept].map(shellQuote).join(" ");
}
