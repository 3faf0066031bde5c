#!/usr/bin/env node
import { partLoader } from "./part-loader.js";
import { print } from "./print.js";

const args = process.argv.slice(2);

if (args.length === 1 && (args[0] === "--version" || args[0] === "-V")) {
  print(`${__VERSION__}\n`);
} else {
  const load = partLoader(module, args[0] === "run" ? "run" : "usual");
  // By the name that the bundler gives it: what it imports is found like this, too.
  void (load("./program.cjs") as typeof import("./program.js")).main(args);
}
