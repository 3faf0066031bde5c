import { describe, expect, it } from "vitest";
import { createEventBus, type Reporter, type RunEvent } from "../../../src/report/events.js";

function recording(name: string, more?: (event: RunEvent) => void | Promise<void>) {
  const seen: string[] = [];
  const reporter: Reporter = {
    name,
    on: async (event) => {
      seen.push(event.type === "warning" ? event.message : event.type === "item.start" ? event.id : event.type);
      await more?.(event);
    },
  };
  return { reporter, seen };
}

function start(id: string): RunEvent {
  return { type: "item.start", id, started_at: "" };
}

describe("createEventBus", () => {
  it("goes on past a reporter that throws, and tells everyone of its first failure", async () => {
    const before = recording("before");
    const after = recording("after");
    const broken = recording("broken", () => {
      throw new Error("no");
    });
    const bus = createEventBus([before.reporter, broken.reporter, after.reporter]);
    await bus.emit(start("a"));
    await bus.emit(start("b"));
    const warning = "the broken reporter failed: no";
    expect(before.seen).toEqual(["a", warning, "b"]);
    expect(broken.seen).toEqual(["a", warning, "b"]);
    expect(after.seen).toEqual([warning, "a", "b"]);
    expect(bus.failures()).toEqual([{ name: "broken", error: new Error("no") }]);
  });

  it("survives reporters that fail in a row, late, with something that is no error, and on a warning", async () => {
    const late = recording("late", () => Promise.reject("a string"));
    const onWarning = recording("on warning", (event) => {
      if (event.type === "warning") throw new TypeError("also");
    });
    const last = recording("last");
    const bus = createEventBus([late.reporter, onWarning.reporter, last.reporter]);
    await bus.emit(start("a"));
    await bus.emit(start("b"));
    expect(bus.failures().map(({ name }) => name)).toEqual(["late", "on warning"]);
    expect(last.seen).toEqual(["the on warning reporter failed: also", "the late reporter failed: a string", "a", "b"]);
  });

  it("tells a slow reporter of one event at a time, and all reporters in the same order", async () => {
    let inside = 0;
    let most = 0;
    const slow = recording("slow", async (event) => {
      most = Math.max(most, ++inside);
      // The first event takes the most turns.
      const turns = event.type === "item.start" ? 20 - Number(event.id) : 0;
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
      inside--;
    });
    const quick = recording("quick");
    const bus = createEventBus([slow.reporter, quick.reporter]);
    const ids = Array.from({ length: 20 }, (_, index) => String(index));
    await Promise.all(ids.map((id) => bus.emit(start(id))));
    expect(most).toBe(1);
    expect(slow.seen).toEqual(ids);
    expect(quick.seen).toEqual(ids);
  });

  it("names the file that could not be written in words", async () => {
    const full = Object.assign(new Error("ENOSPC: x"), { code: "ENOSPC", syscall: "write", path: "/out/report.json" });
    const bad = recording("json", () => {
      throw full;
    });
    const other = recording("other");
    await createEventBus([bad.reporter, other.reporter]).emit(start("a"));
    expect(other.seen[0]).toBe("the json reporter failed: no space left on the disk (ENOSPC): /out/report.json");
  });
});
