#!/usr/bin/env node
import { useCodeCache } from "./code-cache.js";
import { print } from "./print.js";

const args = process.argv.slice(2);

if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
  print(`${__VERSION__}\n`);
} else {
  useCodeCache(args[0] === "run" ? "run" : "usual");
  void import("./program.js").then(({ main }) => main(args));
}
