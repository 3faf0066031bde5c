import { readFileSync } from "node:fs";
import { defineConfig, type RolldownOptions } from "rolldown";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));

const common: RolldownOptions = {
  platform: "node",
  resolve: { extensionAlias: { ".js": [".ts", ".js"] } },
  moduleTypes: { ".py": "text" },
  // In the TOML parser, and made to be tried and given up in a bundle.
  checks: { eval: false },
  transform: { target: "node20", define: { __VERSION__: JSON.stringify(version) } },
};

export default defineConfig([
  {
    // The program: CommonJS starts fastest; a part for each command, loaded when it is used.
    ...common,
    input: { main: "src/cli/main.ts" },
    output: {
      dir: "dist/cli",
      format: "cjs",
      entryFileNames: "[name].cjs",
      chunkFileNames: "[name].cjs",
      minify: true,
      cleanDir: true,
    },
  },
  {
    // The library. What its types mention stays a dependency.
    ...common,
    input: { index: "src/index.ts", "write-schemas": "src/write-schemas.ts" },
    external: ["zod"],
    output: { dir: "dist/lib", format: "esm", chunkFileNames: "[name].js", cleanDir: true },
  },
]);
