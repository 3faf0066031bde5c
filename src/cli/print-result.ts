import { print } from "./print.js";

/** Prints what a command found out, on standard output. */
export function printLine(text: string): void {
  print(`${text}\n`);
}

/** The same for other programs: one document. */
export function printJson(document: object): void {
  printLine(JSON.stringify(document, null, 2));
}
