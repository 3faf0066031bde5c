import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import Module from "node:module";
import { dirname } from "node:path";
import { Script } from "node:vm";

type Loader = (module: NodeJS.Module, filename: string) => void;

/**
 * Keeps the compiled code of the program's own files beside them, and takes it from there: half of the time that a
 * short command takes is compiling. A cache that does not fit (another Node, a changed file) is not looked at or
 * ignored, and one is written anew; where nothing can be written, nothing is kept.
 */
export function useCodeCache(): void {
  const loaders = (Module as unknown as { _extensions: Record<string, Loader> })._extensions;
  const compiled: { script: Script; cacheFile: string }[] = [];
  loaders[".cjs"] = (module, filename) => {
    // V8 itself compares no more than the length of the source.
    const { ctimeMs, size } = statSync(filename);
    const cacheFile = `${filename}.${process.version}-${process.arch}-${size}-${ctimeMs}.cache`;
    const cachedData = readIfThere(cacheFile);
    const source = Module.wrap(readFileSync(filename, "utf8"));
    const script = new Script(source, { filename, ...(cachedData && { cachedData }) });
    if (!cachedData || script.cachedDataRejected) compiled.push({ script, cacheFile });
    const run = script.runInThisContext();
    run.call(module.exports, module.exports, module.require.bind(module), module, filename, dirname(filename));
  };
  // At the end: by then the functions that were used are compiled, too.
  process.on("exit", () => {
    for (const { script, cacheFile } of compiled) keep(script, cacheFile);
  });
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

function keep(script: Script, path: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, script.createCachedData());
    renameSync(temporary, path);
  } catch {
    // The package may stand where its user can't write.
    rmSync(temporary, { force: true });
  }
}
