import { shellQuote } from "../core/text.js";

/** Options that select checks or cases, or say where the report goes: not what comes out. */
const LEFT_OUT = new Set([
  ...["--check-id", "--tag", "--case", "--filter", "--sample", "--seed", "--resume"],
  ...["--output-dir", "--reporter", "--output", "-o"],
]);
const FLAGS_LEFT_OUT = new Set(["--last-failed", "--flat-output", "--json", "--verbose"]);

/** The command line of a run as a shell would take it, without what selects items or places the report. */
export function repeatCommand(args: readonly string[], env: NodeJS.ProcessEnv): string {
  return commandWithout(args, env, { options: LEFT_OUT, flags: FLAGS_LEFT_OUT });
}

/** The command line that completes `run`: the same one, but for a directory that holds what is to be taken over. */
export function resumeCommand(args: readonly string[], env: NodeJS.ProcessEnv, run: string): string {
  const options = new Set(["--resume", ...(args.includes("--flat-output") ? ["--output-dir"] : [])]);
  const command = commandWithout(args, env, { options, flags: new Set(["--flat-output"]) });
  return `${command} --resume ${shellQuote(run)}`;
}

/** What npm or npx started is found by a shell only through npx. */
function commandWithout(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  { options, flags }: { options: ReadonlySet<string>; flags: ReadonlySet<string> },
): string {
  const kept: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] ?? "";
    const [name = ""] = argument.split("=", 1);
    if (flags.has(name)) continue;
    if (!options.has(name)) kept.push(argument);
    else if (name === argument) index++;
  }
  return [...(env["npm_command"] ? ["npx"] : []), "eb", ...kept].map(shellQuote).join(" ");
}
