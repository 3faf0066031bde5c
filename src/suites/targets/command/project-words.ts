import { isAbsolute, relative, resolve } from "node:path";
import { isFile } from "../../find-beside.js";
import type { CommandTarget } from "./call-command.js";

interface Directories {
  root: string;
  /** Whether there is such a file, relative to the workspace. */
  isInWorkspace: (path: string) => boolean;
}

/** Words of a command that name a file of the project, and none in the workspace where it runs. */
export function wordsOfProject(
  { command, cwd }: Pick<CommandTarget, "command" | "cwd">,
  { root, isInWorkspace }: Directories,
): string[] {
  return command.filter((word, index) => {
    // A program without a slash is looked for in PATH.
    if (isAbsolute(word) || isAbsolute(cwd) || (index === 0 && !word.includes("/"))) return false;
    const path = relative(root, resolve(root, cwd, word));
    return !path.startsWith("..") && isFile(resolve(root, path)) && !isInWorkspace(path);
  });
}

/** How such a word is written so that it is found: `{project_root}/app/bot.py`. */
export function fromRoot(word: string, { cwd }: Pick<CommandTarget, "cwd">): string {
  return `{project_root}/${relative("/", resolve("/", cwd, word))}`;
}
