import { describe, expect, it } from "vitest";
import { createEventStream } from "../../../src/report/event-stream.js";
import type { RunEvent } from "../../../src/report/events.js";
import { result, runEnd } from "../../helpers/results.js";

const END = runEnd(() => [result()]);

function warning(message: string): RunEvent {
  return { type: "warning", message };
}

async function collect(events: AsyncIterable<RunEvent>): Promise<string[]> {
  const seen: string[] = [];
  for await (const event of events) seen.push(event.type === "warning" ? event.message : event.type);
  return seen;
}

describe("createEventStream", () => {
  it("gives what was reported since the iteration began, in order, and ends with the run", async () => {
    const stream = createEventStream();
    await stream.reporter.on(warning("missed"));
    const seen = collect(stream.iterate());
    await stream.reporter.on(warning("1"));
    await Promise.resolve();
    await stream.reporter.on(warning("2"));
    await stream.reporter.on(END);
    stream.end(END);
    expect(await seen).toEqual(["1", "2", "run.end"]);
  });

  it("serves several iterations at once with all events each", async () => {
    const stream = createEventStream();
    const both = Promise.all([collect(stream.iterate()), collect(stream.iterate())]);
    await stream.reporter.on(warning("1"));
    await new Promise((resolve) => setImmediate(resolve));
    await stream.reporter.on(warning("2"));
    stream.end(END);
    expect(await both).toEqual([
      ["1", "2", "run.end"],
      ["1", "2", "run.end"],
    ]);
  });

  it("loses nothing that happens while the consumer is busy", async () => {
    const stream = createEventStream();
    const seen: string[] = [];
    const consumer = (async () => {
      for await (const event of stream.iterate()) {
        seen.push(event.type);
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    for (let n = 0; n < 100; n++) await stream.reporter.on(warning(String(n)));
    stream.end(END);
    await consumer;
    expect(seen).toHaveLength(101);
  });

  it("keeps nothing for an iteration that was left, and another one can begin", async () => {
    const stream = createEventStream();
    await stream.reporter.on(warning("0"));
    const iteration = stream.iterate();
    await stream.reporter.on(warning("1"));
    for await (const _ of iteration) break;
    await stream.reporter.on(warning("2"));
    expect(await iteration.next()).toEqual({ done: true, value: undefined });
    const rest = collect(stream.iterate());
    await stream.reporter.on(warning("3"));
    stream.end(END);
    expect(await rest).toEqual(["3", "run.end"]);
  });

  it("gives the last event to an iteration that begins after the end", async () => {
    const stream = createEventStream();
    stream.end(END);
    expect(await collect(stream.iterate())).toEqual(["run.end"]);
  });

  it("throws the error of the run after the events before it, now and later", async () => {
    const stream = createEventStream();
    const seen: RunEvent[] = [];
    const consumer = (async () => {
      for await (const event of stream.iterate()) seen.push(event);
    })();
    await stream.reporter.on(warning("1"));
    stream.fail(new Error("gone"));
    await expect(consumer).rejects.toThrow("gone");
    expect(seen).toHaveLength(1);
    await expect(collect(stream.iterate())).rejects.toThrow("gone");
  });
});
