import { statSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { checksView } from "../../../../src/report/checks-view.js";
import type { Reporter, RunEnd } from "../../../../src/report/events.js";
import { consoleReporter } from "../../../../src/report/reporters/console.js";
import { htmlReporter } from "../../../../src/report/reporters/html.js";
import { jsonReporter } from "../../../../src/report/reporters/json.js";
import { junitReporter } from "../../../../src/report/reporters/junit.js";
import { markdownReporter } from "../../../../src/report/reporters/markdown.js";
import { temporaryDirectory } from "../../../helpers/project.js";
import { result, runEnd } from "../../../helpers/results.js";

const RESULTS = 20_000;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** 20,000 failures of 2 KB, each made when it is asked for; `onEach` sees how many there were. */
function manyFailures(onEach: (n: number) => void): RunEnd {
  const pad = "x".repeat(1000);
  function* results() {
    for (let n = 0; n < RESULTS; n++) {
      onEach(n);
      yield result({
        check_id: `c${n}`,
        status: "failed",
        reason: `${n} no`,
        stdout: `${n} ${pad}`,
        stderr: `${n} ${pad}`,
      });
    }
  }
  return { ...runEnd(results), results };
}

/** How many MB more are in use at most while the reporter handles the end of the run. */
async function growth(reporter: Reporter): Promise<number> {
  let before = 0;
  let most = 0;
  const measure = (n: number) => {
    if (n % 4000 !== 3999) return;
    collectGarbage();
    const used = process.memoryUsage().heapUsed;
    before ||= used;
    most = Math.max(most, used - before);
  };
  await reporter.on(manyFailures(measure));
  return most / 1e6;
}

describe("memory does not grow with the number of results", () => {
  it.each([
    ["html", htmlReporter, 40e6],
    ["json", jsonReporter, 40e6],
    ["junit", junitReporter, 40e6],
    ["markdown", markdownReporter, 40e6],
  ] as const)("%s", async (name, make, size) => {
    const path = join(temporaryDirectory(), name);
    expect(await growth(make(checksView)(path))).toBeLessThan(8);
    expect(statSync(path).size).toBeGreaterThan(size);
  });

  it("console, which stops reading after the failures it lists", async () => {
    let last = 0;
    const stream = new PassThrough();
    const reporter = consoleReporter(checksView, {
      stream,
      color: false,
      live: false,
      cwd: "/",
      again: "eb run",
      resume: String,
    });
    const end = manyFailures((n) => {
      last = n;
    });
    last = 0;
    await reporter.on(end);
    const text = String(stream.read());
    expect(text.match(/^✗ /gm)).toHaveLength(50);
    expect(text).toContain("… and 19950 more that did not pass");
    expect(last).toBe(49);
  });
});
