import { describe, expect, it } from "vitest";
import { loaded, problemsOf, suiteOf } from "../../../helpers/loaded-suite.js";

/** The suite with one file of cases. */
const suite = (path: string) => `cases_file: ${JSON.stringify(path)}\n`;

const casesOf = (path: string, content: string) => suiteOf(suite(path), { [path]: content }).cases;
const problemsIn = (path: string, content: string | Uint8Array) => problemsOf(suite(path), { [path]: content });

describe("a JSONL file", () => {
  const line = (id: string, input: unknown = "x") => JSON.stringify({ id, input, expect_keywords: ["k"] });

  it("may have a BOM, CRLF, blank lines, U+2028 in a string, and no final newline", () => {
    const text = `\ufeff${line("a", "1\u20282\u0085")}\r\n\r\n  \n${line("b", 0)}\n${line("c", false)}`;
    expect(casesOf("c.jsonl", text).map(({ id, input, source }) => [id, input, source.line])).toEqual([
      ["a", "1\u20282\u0085", 1],
      ["b", 0, 4],
      ["c", false, 5],
    ]);
  });

  it("is told what is wrong with its lines, by their real numbers", () => {
    const lines = Array.from({ length: 150 }, (_, n) => (n % 10 === 3 ? "" : line(`c${n}`)));
    lines[142] = '{"id": "bad", "input": }';
    lines[144] = '{"id": "odd", "input": 1, "expect_keyword": ["k"]}';
    lines[145] = '["no case"]';
    lines[146] = '{"id": "twice", "input": 1, "id": "twice", "expect_keywords": ["k"]}';
    lines[147] = line("c1");
    expect(problemsIn("c.jsonl", lines.join("\n"))).toEqual([
      expect.stringMatching(/^c\.jsonl:143:24 not valid JSON: /),
      "c.jsonl:145:27 odd: expect_keyword: unknown field (did you mean 'expect_keywords'?)",
      "c.jsonl:146:1 expected a case (a mapping with id, task and what is expected), found a list",
      "c.jsonl:147:29 the same key stands twice in one object",
      "c.jsonl:148:7 id: 'c1' is the id of another case too: line 2",
    ]);
  });
});

describe("a CSV file", () => {
  it("has columns that are named like fields", () => {
    const text = [
      "id,tags,input,must_succeed,max_turns,expect_keywords,expect_regex,checks.valid_json,checks.max_cost_usd,checks.retrieval.expect_ids,checks.retrieval.k,checks.retrieval.min_recall,checks.rubric",
      '1.10,a|b | c,0,FALSE,3,"x|y","a|b",true,0.5,"[""d|1"",""d2""]",2,1,"One?\nTwo?"',
      'two,"[""t,|""]","{""a"": 1}",,,,"[""p"",""q""]","{""type"": ""object""}",,,,,',
    ].join("\n");
    expect(casesOf("c.csv", text)).toMatchObject([
      {
        id: "1.10",
        tags: ["a", "b", "c"],
        input: "0",
        mustSucceed: false,
        assertions: [
          { type: "max_turns", limit: 3 },
          { type: "contains", text: "x" },
          { type: "contains", text: "y" },
          // What a list is split at means something in a regular expression.
          { type: "matches", source: "a|b", flags: "i", written: "a|b" },
          { type: "valid_json", stripFences: false },
          { type: "max_cost_usd", limit: 0.5 },
          { type: "retrieval", expectIds: ["d|1", "d2"], k: 2, minRecall: 1 },
          { type: "rubric", questions: ["One?", "Two?"] },
        ],
        source: { line: 2 },
      },
      {
        id: "two",
        tags: ["t,|"],
        input: '{"a": 1}',
        assertions: [
          { type: "matches", written: "p" },
          { type: "matches", written: "q" },
          { type: "valid_json", schema: { type: "object" } },
        ],
        source: { line: 4 },
      },
    ]);
  });

  it.each(["\n", "\r\n", "\r"])("counts lines that end with %j as an editor does, also inside of quotes", (end) => {
    const rows = ["\ufeffid,task,checks.equals", '"a","x', '""y"",', 'z","1, 2"', "", " , ,", "b,x,1", "c,x,2"];
    expect(casesOf("c.csv", rows.join(end)).map(({ id, input, source }) => [id, input, source.line])).toEqual([
      ["a", `x${end}"y",${end}z`, 2],
      ["b", "x", 7],
      ["c", "x", 8],
    ]);
  });

  it.each<[string, string[]]>([
    [
      "id,tsk,checks.must_contian\na,b,c",
      [
        "c.csv:1 no field is named like the column 'tsk' (did you mean 'task'?)",
        "c.csv:1 no field is named like the column 'checks.must_contian' (did you mean 'checks.must_contain'?)",
      ],
    ],
    ["id,task,id\na,b,c", ["c.csv:1 the column 'id' is there twice"]],
    [
      "id,task,max_turns,must_succeed\na,x,many,maybe\nb,x,1,true,more",
      [
        'c.csv:2 a: must_succeed: expected true or false, found "maybe"',
        'c.csv:2 a: max_turns: expected a whole number of at least 0, found "many"',
        "c.csv:3 has 5 cells, and the header 4",
      ],
    ],
    [
      'id,task,checks.trajectory\na,x,{oops}\nb,x,"{""max_calls"": -1}"',
      [
        'c.csv:2 a: checks.trajectory: expected a mapping, found "{oops}"',
        "c.csv:3 b: checks.trajectory.max_calls: expected a whole number of at least 0, found -1 (a number)",
      ],
    ],
    ['id,task\na,"x', [expect.stringMatching(/^c\.csv:2 not valid CSV: Quote Not Closed/)]],
    ['id,task\r\nb,x\r\na,b"c\r\n', [expect.stringMatching(/^c\.csv:3 not valid CSV: Invalid Opening Quote/)]],
    ["id,task,checks\na,x,", [expect.stringMatching(/^c\.csv:2 a: asserts nothing/)]],
  ])("is told what is wrong with %j", (text, problems) => {
    expect(problemsIn("c.csv", text)).toEqual(problems);
  });
});

describe("cases_file", () => {
  it("may name several, which come after the cases in the suite", () => {
    const text = "cases_file: [d/a.jsonl, b.CSV]\ncases: [{id: x, task: t, expect_keywords: [k]}]\n";
    const files = {
      "evals/d/a.jsonl": '{"id":"y","task_file":"t.md","expect_keywords":["k"]}',
      "b.CSV": "id,task,expect_keywords\nz,t,k",
      // As in the suite: beside it.
      "evals/t.md": "from a file",
    };
    const { cases } = suiteOf(text, files, "evals/s.yaml");
    expect(cases.map(({ id, input }) => [id, input])).toEqual([
      ["x", "t"],
      ["y", "from a file"],
      ["z", "t"],
    ]);
  });

  it.each<[string, Record<string, string | Uint8Array>, string]>([
    ["gone.jsonl", {}, "s.yaml:1:13 cases_file: cannot be read: no such file or directory (ENOENT): gone.jsonl"],
    ["c.txt", { "c.txt": "x" }, "s.yaml:1:13 cases_file: expected a file that ends with .jsonl, .ndjson, .csv: c.txt"],
    ["c.jsonl", { "c.jsonl": "\n\n" }, "s.yaml:1:13 cases_file: holds no cases: c.jsonl"],
    ["c.csv", { "c.csv": "id,task\n" }, "s.yaml:1:13 cases_file: holds no cases: c.csv"],
    ["c.csv", { "c.csv": "" }, "s.yaml:1:13 cases_file: holds no cases: c.csv"],
    ["c.csv", { "c.csv": Buffer.from([0xff]) }, "c.csv is not valid UTF-8"],
  ])("is told what is wrong with %s", (path, files, problem) => {
    expect(problemsOf(suite(path), files, "s.yaml")).toEqual([problem]);
  });

  it("names the place of an id that stands in another file", () => {
    const text = "cases_file: c.csv\ncases: [{id: a, task: t, expect_keywords: [k]}]\n";
    const { problems } = loaded(text, { "c.csv": "id,task,expect_keywords\na,t,k" });
    expect(problems).toEqual([
      expect.objectContaining({
        line: 2,
        message: expect.stringMatching(/^'a' is the id of another case too: .*suite\.yaml:2$/),
      }),
    ]);
  });
});
