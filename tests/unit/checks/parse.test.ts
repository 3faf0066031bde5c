import { describe, expect, it } from "vitest";
import { parseCheck } from "../../../src/checks/parse.js";

const HEAD = "schema_version: 1\nid: x\ndescription: d\n";
const DETERMINISTIC = `${HEAD}type: deterministic\n`;
const JUDGE = `${HEAD}type: harness_judge\n`;

/** `line:column: field: message` of everything that is wrong. */
function problemsOf(text: string): string[] {
  const { problems, definition } = parseCheck(Buffer.from(text), "x.yaml");
  expect(problems.length === 0).toBe(definition !== undefined);
  return problems.map(({ file, line, column, field, message }) => {
    expect(file).toBe("x.yaml");
    return [line, column, field, ` ${message}`].filter((part) => part !== undefined).join(":");
  });
}

describe("parseCheck", () => {
  it("fills in the defaults of a judge", () => {
    const text = `${JUDGE}instructions: Look.\n`;
    expect(parseCheck(Buffer.from(text), "x.yaml").definition).toEqual({
      schema_version: 1,
      id: "x",
      description: "d",
      type: "harness_judge",
      instructions: "Look.",
      tags: [],
      votes: 1,
      retries: 0,
    });
  });

  it("keeps a text byte for byte: nothing in it is filled in or trimmed", () => {
    const lines = [
      `{{x}} {% y %} \${HOME} \\n \\`,
      "---",
      "\ttab",
      "trailing   ",
      `"double" 'single' \`back\``,
      "…✓ 你",
    ];
    const text = `${JUDGE}instructions: |\n${lines.map((line) => `  ${line}\n`).join("")}`;
    const { definition } = parseCheck(Buffer.from(text), "x.yaml");
    expect(definition).toMatchObject({ instructions: `${lines.join("\n")}\n` });
  });

  it.each([
    ["  trimmed  ", "trimmed"],
    ["A-z_09", "A-z_09"],
    ["i".repeat(600), "i".repeat(600)],
    ["123", "123"],
  ])("takes the id %j", (written, id) => {
    const text = DETERMINISTIC.replace("id: x", `id: "${written}"`);
    expect(parseCheck(Buffer.from(`${text}script: pass\n`), "x.yaml").definition?.id).toBe(id);
  });

  it.each<[string, string, string[]]>([
    ["an empty file", "", ["1:1: is empty; a check has schema_version, id, type, description …"]],
    ["only a comment", "# later\n", ["1:1: is empty; a check has schema_version, id, type, description …"]],
    ["a list", "- id: x\n", ["1:1: expected a mapping with the fields of a check, found a list"]],
    ["a text", "hello\n", ['1:1: expected a mapping with the fields of a check, found "hello"']],
    [
      "another version, whose fields are not ours to judge",
      "schema_version: 2\nid: 1\nfoo: bar\n",
      ["1:17:schema_version: unsupported schema_version 2, this version reads 1"],
    ],
    [
      "a version of another type",
      `${DETERMINISTIC}script: pass\n`.replace("schema_version: 1", 'schema_version: "1"'),
      ['1:17:schema_version: expected 1, found "1"'],
    ],
    [
      "numbers and booleans where text belongs",
      "schema_version: 1\nid: 123\ntype: deterministic\ndescription: true\nscript: 1\ntags: [no, 1.10, 0o17, null]\ntimeout_seconds: true\n",
      [
        "2:5:id: expected a string, found 123 (a number)",
        "4:14:description: expected a string, found true (a boolean)",
        "5:9:script: expected a string, found 1 (a number)",
        "6:12:tags[1]: expected a string, found 1.1 (a number)",
        "6:18:tags[2]: expected a string, found 15 (a number)",
        "6:24:tags[3]: expected a string, found nothing",
        "7:18:timeout_seconds: expected a whole number of at least 1, found true (a boolean)",
      ],
    ],
    [
      "blank texts",
      'schema_version: 1\nid: " "\ntype: deterministic\ndescription: "  "\ntags: [""]\nscript: ""\n',
      [
        "2:5:id: expected letters, digits, '_' and '-' only, found a blank string",
        "4:14:description: expected a string that is not blank, found a blank string",
        "5:8:tags[0]: expected a string that is not blank, found a blank string",
        "6:9:script: expected a string that is not blank, found a blank string",
      ],
    ],
    [
      "fields that have no value",
      `${DETERMINISTIC}tags:\ntimeout_seconds:\nscript:\n`,
      [
        "5:6:tags: expected a list of strings, found nothing",
        "6:17:timeout_seconds: expected a whole number of at least 1, found nothing",
        "7:8:script: expected a string, found nothing",
      ],
    ],
    [
      "a missing field and both scripts, in one go",
      "schema_version: 1\nid: x\ntype: deterministic\nscript: pass\nscript_path: x.py\n",
      [
        "1:1:description: is required: a string",
        "5:14:script_path: exactly one of 'script' and 'script_path' is required, found both",
      ],
    ],
    ["no script", DETERMINISTIC, ["1:1: exactly one of 'script' and 'script_path' is required"]],
    [
      "misspelt fields",
      `${DETERMINISTIC}scrpt: pass\ntag: [a]\nfoo: 1\n`,
      [
        "1:1: exactly one of 'script' and 'script_path' is required",
        "5:1:scrpt: unknown field (did you mean 'script'?)",
        "6:1:tag: unknown field (did you mean 'tags'?)",
        "7:1:foo: unknown field; the known ones are schema_version, id, description, tags, timeout_seconds, type, script, script_path",
      ],
    ],
    [
      "a misspelt field of a judge",
      `${JUDGE}instruction: Look.\n`,
      ["1:1:instructions: is required: a string", "5:1:instruction: unknown field (did you mean 'instructions'?)"],
    ],
    [
      "fields of the other type",
      `${DETERMINISTIC}script: pass\ninstructions: Look.\nvotes: 3\n`,
      [
        "5:1:instructions: belongs to checks of type harness_judge; this one is deterministic",
        "6:1:votes: belongs to checks of type harness_judge; this one is deterministic",
      ].map((line) => line.replace(/^\d/, (digit) => String(Number(digit) + 1))),
    ],
    [
      "names that every object inherits",
      `${DETERMINISTIC}script: pass\n__proto__: 1\nconstructor: 1\ntoString: 1\n`,
      ["6:1:__proto__", "7:1:constructor", "8:1:toString"].map(
        (place) =>
          `${place}: unknown field; the known ones are schema_version, id, description, tags, timeout_seconds, type, script, script_path`,
      ),
    ],
    [
      "an even number of votes and half a retry",
      `${JUDGE}instructions: Look.\nvotes: 2\nretries: 0.5\n`,
      [
        "6:8:votes: must be odd, so that there is always a majority",
        "7:10:retries: expected a whole number of at least 0, found 0.5 (a number)",
      ],
    ],
    [
      "a time limit that is no time",
      `${DETERMINISTIC}script: pass\ntimeout_seconds: 0\n`,
      ["6:18:timeout_seconds: expected a whole number of at least 1, found 0 (a number)"],
    ],
    [
      "a time limit beyond whole numbers",
      `${DETERMINISTIC}script: pass\ntimeout_seconds: 99999999999999999999\n`,
      ["6:18:timeout_seconds: expected a whole number of at least 1, found 100000000000000000000 (too large a number)"],
    ],
    [
      "no type, and what is wrong besides",
      "schema_version: 1\nid: a b\ninstructions: Look.\nfoo: 1\n",
      [
        "1:1:type: is required: 'deterministic' or 'harness_judge'",
        "1:1:description: is required: a string",
        `2:5:id: expected letters, digits, '_' and '-' only, found "a b"`,
        "4:1:foo: unknown field; the known ones are schema_version, id, description, tags, timeout_seconds, type, script, script_path, instructions, model, votes, retries",
      ],
    ],
    [
      "a misspelt type",
      `${HEAD}type: determinstic\n`,
      [`4:7:type: expected 'deterministic' or 'harness_judge', found "determinstic" (did you mean 'deterministic'?)`],
    ],
    [
      "the type of earlier versions",
      `${HEAD}type: llm_judge\ninstructions: Look.\n`,
      ["4:7:type: 'llm_judge' is now 'harness_judge': an agent's own program is the judge"],
    ],
  ])("explains %s", (_, text, expected) => {
    expect(problemsOf(text)).toEqual(expected);
  });

  it("shows the first hundred problems of a file, and how many more there are", () => {
    const problems = problemsOf(`${DETERMINISTIC}script: pass\ntags: [${"1, ".repeat(1000)}]\n`);
    expect(problems).toHaveLength(101);
    expect(problems[100]).toMatch(
      /^6:308:tags\[100\]: expected a string, found 1 \(a number\); and 899 more problems$/,
    );
  });

  it("reads the id of a file that is otherwise wrong", () => {
    expect(parseCheck(Buffer.from("schema_version: 1\nid: ' x '\n"), "x.yaml").id).toBe("x");
    expect(parseCheck(Buffer.from("schema_version: 9\nid: x\n"), "x.yaml").id).toBe("x");
    expect(parseCheck(Buffer.from("id: 5\n"), "x.yaml").id).toBeUndefined();
  });
});
