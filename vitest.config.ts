import { readFileSync } from "node:fs";
import { configDefaults, defineConfig } from "vitest/config";
import { pageAsText } from "./src/viewer/page-as-text.ts";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));

export default defineConfig({
  define: { __VERSION__: JSON.stringify(version) },
  plugins: [
    {
      name: "python-as-text",
      transform: (code, id) => (id.endsWith(".py") ? `export default ${JSON.stringify(code)}` : undefined),
    },
    { ...pageAsText, enforce: "pre" },
  ],
  test: {
    globalSetup: "tests/helpers/build.ts",
    hookTimeout: 60_000,
    maxWorkers: 2,
    reporters: ["default", "./tests/helpers/list-skipped.ts"],
    projects: [
      {
        extends: true,
        test: {
          name: "eb",
          include: ["tests/**/*.test.ts"],
          exclude: [...configDefaults.exclude, "tests/e2e/*.test.ts"],
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          // The agents' real programs, where they are installed: `make e2e-agents`.
          name: "agents",
          include: ["tests/e2e/*.test.ts"],
          globalSetup: "tests/e2e/find-agents.ts",
          testTimeout: 120_000,
          // They are other people's programs, and take most of a core each.
          retry: 1,
          sequence: { groupOrder: 1 },
          fileParallelism: false,
          // Half of the time they wait for a limit.
          maxConcurrency: 3,
        },
      },
    ],
  },
});
