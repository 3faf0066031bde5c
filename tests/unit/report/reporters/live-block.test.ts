import { PassThrough } from "node:stream";
import { createColors } from "picocolors";
import { describe, expect, it } from "vitest";
import { createLiveBlock } from "../../../../src/report/reporters/live-block.js";
import { eventually } from "../../../helpers/eventually.js";

const UP = "\u001b[1A";

/** What is written to a terminal of a given size, which can change. */
function terminal(columns: number, rows = 24) {
  const stream = Object.assign(new PassThrough(), { columns, rows });
  return { stream, block: createLiveBlock(stream, createColors(false)), written: () => String(stream.read() ?? "") };
}

describe("createLiveBlock", () => {
  it("erases as many rows as its lines take after the terminal became narrower", async () => {
    const { stream, block, written } = terminal(100);
    block.start(2);
    block.add("a".repeat(50));
    // 58 columns with mark and time, and a bar of 34.
    await eventually(() => written().includes("░ 0/2"), "the first frame");
    stream.columns = 20;
    block.aside(() => {});
    expect(written().split(UP)).toHaveLength(1 + 3 + 2);
    block.stop();
  });

  it("takes a terminal that does not tell its size for one of 80 columns and 24 rows", async () => {
    const { block, written } = terminal(0, 0);
    block.start(30);
    for (let n = 0; n < 30; n++) block.add(`c${n}${"x".repeat(100)}`);
    let frame = "";
    await eventually(() => {
      frame += written();
      return frame.includes("0/30\n");
    }, "a frame");
    const lines = frame.trimEnd().split("\n");
    expect(lines).toHaveLength(22);
    expect(lines.at(-2)).toBe("… and 10 more running");
    expect(Math.max(...lines.slice(1).map((line) => line.length))).toBeLessThan(80);
    block.stop();
  });

  it("prints what waits, shows the cursor and leaves the process no listener when it stops", () => {
    const before = process.listenerCount("exit");
    const { block, written } = terminal(80);
    block.start(1);
    block.print(["✓ a"]);
    block.stop();
    expect(written()).toBe("\u001b[?25l✓ a\n\u001b[?25h");
    expect(process.listenerCount("exit")).toBe(before);
  });
});
