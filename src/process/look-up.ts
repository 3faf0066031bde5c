import { accessSync, constants, statSync } from "node:fs";
import { delimiter, resolve } from "node:path";

/**
 * Where a program is: on the `PATH`, or where its path says, relative to `cwd`. Undefined when it is not there or
 * not executable.
 */
export function lookUpProgram(
  command: string,
  { env, cwd }: { env: NodeJS.ProcessEnv; cwd: string },
): string | undefined {
  if (/[\\/]/.test(command)) {
    const path = resolve(cwd, command);
    return isExecutable(path) ? path : undefined;
  }
  const endings = process.platform === "win32" ? [".exe", ".bat", ".cmd", ""] : [""];
  // A copy of the environment tells upper from lower case, also where the system does not.
  const [, path = ""] = Object.entries(env).find(([name]) => name.toUpperCase() === "PATH") ?? [];
  const places = path.split(delimiter).filter(Boolean);
  return places.flatMap((place) => endings.map((ending) => resolve(cwd, place, command + ending))).find(isExecutable);
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
