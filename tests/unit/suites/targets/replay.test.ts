import { describe, expect, it } from "vitest";
import { callTarget } from "../../../../src/suites/targets/types.js";
import { type Project, project } from "../../../helpers/project.js";
import { targetCall, targetIn } from "../../../helpers/target-call.js";

const recorded = (text: string) => project({ "target.yaml": "type: replay\npath: r.jsonl\n", "r.jsonl": text });
const lines = (...records: unknown[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");

async function replay(p: Project, caseId: string, run = 1) {
  const { output, error, durationMs } = await callTarget(targetIn(p), targetCall(p, { caseId, run }));
  return error ?? (durationMs === 0 ? output : durationMs);
}

it("gives what was recorded, by the id of the case", async () => {
  const p = recorded(
    lines({ case_id: "a", output: 0 }, { id: "b", output: "B", more: [] }, { case_id: "c", error: "no" }),
  );
  expect(await Promise.all(["a", "b", "c"].map((id) => replay(p, id)))).toEqual(["0", "B", "no"]);
  expect(await replay(p, "d")).toBe(`r.jsonl has no recorded output of case 'd'`);
});

it("gives each run its own, and those without a number in order", async () => {
  const p = recorded(
    lines(
      { case_id: "a", run: 2, output: "two" },
      { case_id: "a", run: 1, output: "one" },
      { case_id: "b", output: "first" },
      { case_id: "b", output: "second" },
    ),
  );
  expect(await Promise.all([1, 2].map((run) => replay(p, "a", run)))).toEqual(["one", "two"]);
  expect(await replay(p, "a", 3)).toBe(`r.jsonl has no recorded output of run 3 of case 'a', only of run 2, 1`);
  const outputs = [1, 2, 3].map((run) => replay(p, "b", run));
  expect(await Promise.all(outputs)).toEqual(["first", "second", "first"]);
});

describe("the file", () => {
  it("may have blank lines, CRLF, a byte order mark, U+2028 and no last newline", async () => {
    const p = recorded('\ufeff{"case_id": "a", "output": "x\u2028y"}\r\n\r\n  \n{"case_id": "b", "output": "你"}');
    expect(await replay(p, "a")).toBe("x\u2028y");
    expect(await replay(p, "b")).toBe("你");
  });

  it("has a bad line: the others can be used, and who misses something is told its number", async () => {
    const good = Array.from({ length: 150 }, (_, index) => ({ case_id: `c${index}`, output: index }));
    const p = recorded(`${lines(...good.slice(0, 142))}{"case_id": "bad", "out\n${lines(...good.slice(142))}`);
    expect(await replay(p, "c149")).toBe("149");
    expect(await replay(p, "bad")).toMatch(/has no recorded output of case 'bad'; line 143 is no JSON: /);
  });

  it("has a line that is no recording", async () => {
    expect(await replay(recorded(lines([1], { output: 1 })), "a")).toMatch(
      /; line 1 is no JSON object; and 1 more such lines$/,
    );
    expect(await replay(recorded(lines({ case_id: 1, output: 1 })), "1")).toMatch(
      /; line 1 has no `case_id`, a string$/,
    );
    expect(await replay(recorded(lines({ case_id: "a" })), "a")).toContain("malformed answer: it has no `output`");
  });

  it("was changed since it was read", async () => {
    const p = recorded(lines({ case_id: "a", output: 1 }, { case_id: "b", output: 2 }));
    const target = targetIn(p);
    p.write({ "r.jsonl": lines({ case_id: "other", output: 1 }, { case_id: "b", output: 2 }) });
    const { error } = await callTarget(target, targetCall(p, { caseId: "b" }));
    expect(error).toBe(`r.jsonl was changed since the run began`);
  });
});

it("lines across the pieces that it is read in are whole", async () => {
  const big = "你".repeat(500_000);
  const p = recorded(
    lines({ case_id: "a", output: big }, { case_id: "b", output: `${big}!` }, { case_id: "c", output: "end" }),
  );
  expect(await replay(p, "b")).toBe(`${big}!`);
  expect(await replay(p, "c")).toBe("end");
});

it("ten thousand cases are looked up without reading the file again", async () => {
  const p = recorded(
    lines(...Array.from({ length: 10_000 }, (_, index) => ({ case_id: `c${index}`, output: "x".repeat(500) }))),
  );
  const target = targetIn(p);
  const call = targetCall(p);
  const started = performance.now();
  for (let index = 0; index < 10_000; index++) {
    const { error } = await callTarget(target, { ...call, caseId: `c${index}` });
    if (error !== null) throw new Error(error);
  }
  // Reading 5 MB each time would take minutes.
  expect(performance.now() - started).toBeLessThan(10_000);
});
