import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import Module from "node:module";
import { basename, dirname, join } from "node:path";
import { Script } from "node:vm";

type Exporting = { exports: unknown };
type Loader = (module: NodeJS.Module, filename: string) => void;

/**
 * Keeps the compiled code of the program's own files beside them, and takes it from there: half of the time that a
 * short command takes is compiling. A cache that does not fit (another Node, a changed file) is not looked at or
 * ignored, and one is written anew; where nothing can be written, nothing is kept.
 * @param variant tells apart commands that use the files differently: only what the first one used is kept compiled
 */
export function useCodeCache(variant: string): void {
  const loaders = (Module as unknown as { _extensions: Record<string, Loader> })._extensions;
  const compiled: { script: Script; cacheFile: string }[] = [];
  const load = (module: Exporting, path: string, requireAny: (name: string) => unknown) => {
    // V8 itself compares no more than the length of the source.
    const { ctimeMs, size } = statSync(path);
    const cacheFile = `${path}.${process.version}-${process.arch}-${size}-${ctimeMs}-${variant}.cache`;
    const cachedData = readIfThere(cacheFile);
    const source = readFileSync(path, "latin1");
    const script = new Script(source, { filename: path, ...(cachedData && { cachedData }) });
    if (!cachedData || script.cachedDataRejected) {
      if (compiled.length === 0) setFlushing(false);
      compiled.push({ script, cacheFile });
    }
    const run = script.runInThisContext();
    run.call(module.exports, module.exports, requireAny, module, path, dirname(path));
  };
  // Our files know each other by name. Node would look for each in the file system, and for package.json around it:
  // a twentieth of what a run takes to start.
  const ours = new Map<string, Exporting>([["./main.cjs", module]]);
  loaders[".cjs"] = (module, filename) => {
    const requireAny = (name: string): unknown => {
      if (!name.startsWith("./")) return module.require(name);
      const known = ours.get(name);
      if (known) return known.exports;
      const fresh: Exporting = { exports: {} };
      ours.set(name, fresh);
      load(fresh, join(dirname(filename), name), requireAny);
      return fresh.exports;
    };
    ours.set(`./${basename(filename)}`, module);
    load(module, filename, requireAny);
  };
  // At the end: by then the functions that were used are compiled, too.
  process.on("exit", () => {
    // Code fits only the flags that it was kept with.
    if (compiled.length > 0) setFlushing(true);
    for (const { script, cacheFile } of compiled) keep(script, cacheFile);
  });
}

/** V8 forgets code that was not used for some time: what a long first run keeps would be of little use to the next one. */
function setFlushing(on: boolean): void {
  process.getBuiltinModule("node:v8").setFlagsFromString(on ? "--flush-bytecode" : "--no-flush-bytecode");
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
