import type { Reporter, TestModule } from "vitest/node";

/** Names the tests that were skipped at the end of a run: their titles say why, and how they could run. */
export default class ListSkipped implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) => [...module.children.allTests("skipped")]);
    for (const test of skipped) console.log(`skipped: ${test.module.relativeModuleId}: ${test.fullName}`);
  }
}
