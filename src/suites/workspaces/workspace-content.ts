import { randomUUID } from "node:crypto";
import { sha256Hex } from "../../core/ids.js";
import type { ItemContext } from "../../run/context.js";
import type { Workspace, WorkspaceLayer } from "../workspace.js";
import { contentId } from "./content-id.js";
import { commitOf } from "./repository.js";
import { templateEntries } from "./template.js";
import { bytesOf } from "./tree.js";

export interface ContentOptions {
  context: ItemContext;
  suiteFolder: string;
}

/**
 * Says by content what a workspace is laid out from, as far as that is known before it is: all but what setup makes of
 * it. What can't be known is never equal.
 */
export async function workspaceContent({ from, files = {}, setup }: WorkspaceLayer, options: ContentOptions) {
  return {
    from: from && (await sourceContent(from, options)),
    files: Object.entries(files).map(([path, file]) => [
      path,
      "from" in file ? contentId(Buffer.from(file.from), 40) : sha256Hex(file.content),
    ]),
    setup,
  };
}

async function sourceContent(from: NonNullable<Workspace["from"]>, options: ContentOptions): Promise<string> {
  if ("repo" in from) return (await commitOf(from, options)) ?? randomUUID();
  try {
    const entries = await templateEntries(from.template, options);
    const content = entries.map(({ path, kind }) => [
      path,
      kind === "directory" ? "" : contentId(bytesOf(from.template, path), 40),
    ]);
    return sha256Hex(JSON.stringify(content.sort()));
  } catch {
    return randomUUID();
  }
}
