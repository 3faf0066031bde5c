import { existsSync, lstatSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { findProject, PROJECT_DIR } from "../../../config/project.js";
import { writeFileAtomic } from "../../../core/atomic.js";
import { UserError } from "../../../core/errors.js";
import { makeDirectory } from "../../../core/make-directory.js";
import { shellQuote, shortPath } from "../../../core/text.js";
import { DEFAULT_SUITE, DEFAULT_TARGET } from "../../../suites/default-paths.js";
import { ownSuite, standIn, starterSuite, starterTask, TASK_PATH } from "../../../suites/starter/starter-files.js";
import { starterTarget } from "../../../suites/starter/starter-target.js";
import { showWarnings } from "../../show-error.js";
import type { InitPlan } from "../../suite-wizard.js";

export interface InitOptions {
  name?: string;
  config?: string;
  interactive: boolean;
  force?: boolean;
  cwd?: string;
}

const TARGETS = dirname(DEFAULT_TARGET);

/** Writes a first suite and a target that runs offline. On a terminal it asks what, before it writes anything. */
export async function init(output: string | undefined, options: InitOptions): Promise<number> {
  const { cwd = ".", force = false } = options;
  const { root } = findProject(cwd, { useConfig: true });
  const script = join(root, TARGETS, "stand-in.mjs");
  const given: InitPlan = {
    root,
    name: options.name ?? (basename(root) || "My suite"),
    suite: output === undefined ? join(root, DEFAULT_SUITE) : resolve(cwd, output),
    config: options.config === undefined ? join(root, DEFAULT_TARGET) : resolve(cwd, options.config),
    // A target that is named and is there is the one that was meant.
    target:
      options.config !== undefined && existsSync(resolve(cwd, options.config))
        ? undefined
        : { kind: "stand-in", script: nameFrom(root, script), json: false },
  };
  // Some terminals that no one looks at have no width; questions could not be laid out there.
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY && process.stdout.columns > 0;
  const plan = isTerminal && options.interactive ? await askAbout(given, output, options) : given;
  if (plan === undefined) return 130;

  const files = filesOf(plan, script);
  const existing = new Set([...files.keys()].filter(exists));
  refuseExisting(plan.suite, { force });
  for (const [path, content] of files) {
    // What someone may have made their own is no less right for the suite.
    if (existing.has(path) && !force) continue;
    makeDirectory(dirname(path));
    writeFileAtomic(path, content);
  }
  const told = [...files.keys()].map(
    (path) => `${existing.has(path) && !force ? "kept" : "wrote"} ${shortPath(path)}\n`,
  );
  process.stdout.write(`${told.join("")}${nextSteps(plan)}`);
  showWarnings(missingFiles(plan).map((file) => `there is no ${file}: the target names it`));
  return 0;
}

/** Asks for what the command line does not say. Undefined: it was cancelled. */
async function askAbout(
  given: InitPlan,
  output: string | undefined,
  { name, cwd = ".", force = false }: InitOptions,
): Promise<InitPlan | undefined> {
  // Before anyone answers questions in vain.
  if (output !== undefined) refuseExisting(given.suite, { force });
  const { askForSuite } = await import("../../suite-wizard.js");
  return await askForSuite(given, { cwd, force, asksName: name === undefined, asksSuite: output === undefined });
}

/** The files by their paths, the suite last: what it names is there when it is. */
function filesOf({ root, name, suite, config, target }: InitPlan, script: string): Map<string, string> {
  if (target?.kind !== "stand-in") {
    return new Map([
      ...(target ? [[config, starterTarget(target)] as const] : []),
      [suite, ownSuite({ name, config: nameFrom(root, config) })],
    ]);
  }
  const tools = join(root, TARGETS, "tools.yaml");
  const standInFor = { kind: "stand-in", script: nameFrom(root, script) } as const;
  return new Map([
    [script, standIn],
    [config, starterTarget(target)],
    [tools, starterTarget({ ...standInFor, json: true })],
    [join(dirname(suite), TASK_PATH), starterTask],
    [suite, starterSuite({ name, config: nameFrom(root, config), toolsConfig: nameFrom(root, tools) })],
  ]);
}

/** A path as a file names it: from the root where it is below, with slashes. */
function nameFrom(root: string, path: string): string {
  const short = relative(root, path);
  return (short.startsWith("..") ? path : short).replaceAll("\\", "/");
}

/** @throws UserError (`io`) for a directory */
function exists(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory()) throw new UserError(`it is a directory: ${path}`, { code: "io" });
  return stat !== undefined;
}

function refuseExisting(suite: string, { force }: { force: boolean }): void {
  if (force || !exists(suite)) return;
  throw new UserError(`there is a suite already: ${shortPath(suite)}`, {
    code: "usage",
    hint: "--force overwrites it, and its targets; with another OUTPUT another suite is written",
  });
}

/** What looks like a file of the program, and is none. */
function missingFiles({ root, config, target }: InitPlan): string[] {
  if (target?.kind !== "command" && target?.kind !== "module") return [];
  const words =
    target.kind === "module"
      ? [target.path]
      : target.command.filter((word) => /^[^-{][^{]*\.(?:[cm]?[jt]sx?|py|rb|sh)$/.test(word));
  const places = target.kind === "module" ? [dirname(config), root] : [root];
  return words.filter((word) => !places.some((place) => existsSync(resolve(place, word))));
}

function nextSteps({ root, suite, target }: InitPlan): string {
  const isDefault = suite === join(root, DEFAULT_SUITE);
  const run = `eb suite run${isDefault ? "" : ` ${shellQuote(shortPath(suite))}`}`;
  const first = target?.kind === "stand-in" ? "" : `put your own questions into ${shortPath(suite)}, then `;
  return `next: ${first}${run}\nput ${PROJECT_DIR}/results/ and ${PROJECT_DIR}/cache/ into .gitignore\n`;
}
