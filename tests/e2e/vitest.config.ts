import { defineConfig } from "vitest/config";

/** `make e2e-agents`: the agents' real programs, which are fetched from the registry where they are not there yet. */
export default defineConfig({
  test: {
    root: ".",
    include: ["tests/e2e/*.test.ts"],
    globalSetup: ["tests/helpers/build.ts", "tests/e2e/install-agents.ts"],
    testTimeout: 120_000,
    // An agent at work takes most of a core.
    sequence: { concurrent: true },
    fileParallelism: false,
    maxConcurrency: 2,
    reporters: ["verbose"],
  },
});
