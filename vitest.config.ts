import { readFileSync } from "node:fs";
import { configDefaults, defineConfig } from "vitest/config";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));

export default defineConfig({
  define: { __VERSION__: JSON.stringify(version) },
  plugins: [
    {
      name: "python-as-text",
      transform: (code, id) => (id.endsWith(".py") ? `export default ${JSON.stringify(code)}` : undefined),
    },
  ],
  test: {
    include: ["tests/**/*.test.ts"],
    // The agents' real programs have to be fetched: `make e2e-agents`.
    exclude: [...configDefaults.exclude, "tests/e2e/*.test.ts"],
    globalSetup: "tests/helpers/build.ts",
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
  },
});
