import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkResult } from "../../../src/checks/result.js";
import type { RunStart } from "../../../src/report/events.js";
import { openJournal } from "../../../src/report/journal.js";
import { temporaryDirectory } from "../../helpers/project.js";

const start: RunStart = {
  type: "run.start",
  run_id: "20260101_000000_00000000",
  project_root: "/p",
  output_dir: "/p/out",
  started_at: "2026-01-01T00:00:00.000Z",
  pass_threshold: 1,
  total: 3,
};

function result(id: string) {
  const identity = {
    check_id: id,
    check_type: "deterministic",
    description: "ä\u2028\n",
    source_path: "/p",
    tags: [],
  } as const;
  return checkResult({ ...identity, tags: [], check_definition_sha256: null }, new Date(0), 1, { status: "passed" });
}

describe("openJournal", () => {
  it("gives the results back by their places, whenever they ended", () => {
    const path = join(temporaryDirectory(), "journal.jsonl");
    const journal = openJournal(path, start);
    journal.append(2, result("last"));
    journal.append(0, result("first"));
    expect([...journal.results()].map(({ check_id }) => check_id)).toEqual(["first", "last"]);
    journal.append(1, result("middle"));
    expect([...journal.results()]).toEqual(["first", "middle", "last"].map(result));
    expect([0, 1, 2, 3].map(journal.has)).toEqual([true, true, true, false]);
    journal.close();
    const lines = readFileSync(path, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines).toEqual([
      start,
      ...["last", "first", "middle"].map((id) => ({ type: "item.end", result: result(id) })),
    ]);
  });

  it("keeps a result that can't be written, and says that it could not", () => {
    const journal = openJournal(join(temporaryDirectory(), "journal.jsonl"), start);
    journal.append(0, result("a"));
    journal.close();
    expect(() => journal.append(1, result("b"))).toThrow(/EBADF/);
    expect(journal.has(1)).toBe(true);
  });

  it("never writes over a journal that is there", () => {
    const path = join(temporaryDirectory(), "journal.jsonl");
    openJournal(path, start).close();
    expect(() => openJournal(path, start)).toThrow(/EEXIST/);
  });
});
