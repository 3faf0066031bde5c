import { computeCheckDefinitionSha256 } from "../../checks/snapshot.js";
import { print } from "../print.js";
import { showError } from "../show-error.js";

/** Prints `digest  path` for each file, and what is wrong with the others. */
export function digest(files: readonly string[]): number {
  let code = 0;
  for (const sourcePath of files) {
    try {
      print(`${computeCheckDefinitionSha256({ sourcePath })}  ${sourcePath}\n`);
    } catch (error) {
      code = showError(error);
    }
  }
  return code;
}
