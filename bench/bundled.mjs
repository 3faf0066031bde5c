import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

/** What a file of the source exports, and all that it needs, without the program around it. */
export async function bundled(input) {
  const directory = mkdtempSync(join(tmpdir(), "eb-bench-"));
  process.once("exit", () => rmSync(directory, { recursive: true, force: true }));
  const bundle = await rolldown({
    input,
    platform: "node",
    resolve: { extensionAlias: { ".js": [".ts", ".js"] } },
    moduleTypes: { ".py": "text" },
  });
  await bundle.write({ dir: directory, format: "esm", entryFileNames: "it.mjs" });
  return import(pathToFileURL(join(directory, "it.mjs")).href);
}
