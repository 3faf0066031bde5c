import { join, relative, sep } from "node:path";
import { PROJECT_DIR } from "../../config/project.js";
import { describeSystemError } from "../../core/errors.js";
import { isDirectory } from "../../core/make-directory.js";
import { oneLine } from "../../core/text.js";
import type { ItemContext } from "../../run/context.js";
import { findIgnored } from "./ignored.js";
import { copyEntries, type Entry, isWithin, leavingLink, listTree, pathOf, textOf } from "./tree.js";

export interface CopyTemplateOptions {
  /** An existing directory. */
  to: string;
  context: ItemContext;
  /** The folder of the suite: no workspace may hold what is expected. */
  suiteFolder: string;
}

/**
 * Copies a template into a workspace, less what .gitignore leaves out, its own `.git`, and what belongs to the suite.
 * Returns why it can't be done.
 */
export async function copyTemplate(
  template: string,
  { to, context, suiteFolder }: CopyTemplateOptions,
): Promise<string | undefined> {
  if (!isDirectory(template)) return `the template is not a directory: ${template}`;
  if (template === suiteFolder) {
    return `the template is the folder of the suite itself, and would show what is expected: ${template}; use a folder in it`;
  }
  try {
    const entries = await templateEntries(template, { context, suiteFolder });
    for (const { path, kind } of entries) {
      const leads = kind === "link" ? leavingLink(template, path) : undefined;
      if (leads !== undefined) return leavesTemplate(textOf(path), leads);
    }
    await copyEntries(template, to, entries);
    return undefined;
  } catch (error) {
    return `the template can't be copied: ${describeSystemError(error)}`;
  }
}

/**
 * What a copy of a template holds.
 * @throws the file system's error for a directory that can't be read
 */
export async function templateEntries(
  template: string,
  { context, suiteFolder }: Pick<CopyTemplateOptions, "context" | "suiteFolder">,
): Promise<Entry[]> {
  const hidden = hiddenIn(template, { context, suiteFolder });
  const isIgnored = await findIgnored(template, context);
  const skip = (entry: Entry) => entry.path === ".git" || hidden.includes(entry.path) || isIgnored(entry);
  return listTree(template, { skip });
}

/** What no workspace may hold of a directory: the folder of the suite, and eb's own of the project; paths of bytes. */
export function hiddenIn(
  directory: string,
  { context, suiteFolder }: Pick<CopyTemplateOptions, "context" | "suiteFolder">,
): string[] {
  return [suiteFolder, join(context.projectRoot, PROJECT_DIR)]
    .filter((folder) => folder !== directory && isWithin(folder, directory))
    .map((folder) => pathOf(relative(directory, folder).replaceAll(sep, "/")));
}

function leavesTemplate(path: string, leads: string): string {
  return `the link '${oneLine(path)}' in the template leads out of it, to '${oneLine(leads)}': put a copy in its place, make it relative, or let setup make it`;
}
