import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Plugin, rolldown } from "rolldown";

/** Makes `page.html` with its script and style one text; a policy lets a browser take nothing but these two, by their hashes. */
export const pageAsText: Plugin = {
  name: "page-as-text",
  async load(id) {
    if (!id.endsWith("page.html")) return undefined;
    const folder = dirname(id);
    const style = readFileSync(join(folder, "style.css"), "utf8")
      .replaceAll(/\/\*.*?\*\//gs, "")
      .replaceAll(/\s+/g, " ")
      .trim();
    const script = await bundle(join(folder, "main.ts"));
    const policy = [
      "default-src 'none'",
      `script-src ${hash(script)}`,
      `style-src ${hash(style)}`,
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join("; ");
    const parts: Record<string, string> = {
      policy: `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
      style: `<style>${style}</style>`,
      script: `<script>${script}</script>`,
    };
    const page = readFileSync(id, "utf8").replaceAll(/<!--(\w+)-->/g, (whole, name) => parts[name] ?? whole);
    return { code: `export default ${JSON.stringify(page)}`, moduleType: "js" };
  },
};

/** The hash of what stands between the tags. */
function hash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

async function bundle(input: string): Promise<string> {
  const build = await rolldown({
    input,
    platform: "browser",
    resolve: { extensionAlias: { ".js": [".ts", ".js"] } },
    // What the page takes from our other rooms needs nothing of Node.
    external: [/^node:/],
    treeshake: { moduleSideEffects: false },
    transform: { target: "es2022" },
  });
  const { output } = await build.generate({ format: "iife", minify: true });
  await build.close();
  const script = output[0].code.trim();
  if (/<\/script|<!--|\brequire\(/i.test(script)) throw new Error("the script of the page can't stand in a page");
  return script;
}
