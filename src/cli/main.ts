#!/usr/bin/env node
import { print } from "./print.js";

const args = process.argv.slice(2);

if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
  print(`${__VERSION__}\n`);
} else {
  void import("./program.js").then(({ main }) => main(args));
}
