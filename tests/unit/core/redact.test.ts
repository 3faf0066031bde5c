import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createRedactor, noRedactor } from "../../../src/core/redact.js";
import { temporaryDirectory } from "../../helpers/project.js";

const env = {
  OPENAI_API_KEY: "sk-abc.123",
  OPENAI_API_KEY_2: "sk-abc.123-longer",
  DB_PASSWORD: 'p"a\nss-wörd',
  TOKENIZERS_PARALLELISM: "false",
  HOME: "/home/someone",
  MINE: "asked-for",
};
const redactor = createRedactor({ env, names: ["MINE"] });

it.each([
  ["a value", "key=sk-abc.123.", "key=***OPENAI_API_KEY***."],
  ["the longer of two values", "sk-abc.123-longer", "***OPENAI_API_KEY_2***"],
  ["a value with line breaks", 'x p"a\nss-wörd y', "x ***DB_PASSWORD*** y"],
  ["a value as JSON writes it", JSON.stringify({ a: env.DB_PASSWORD }), '{"a":"***DB_PASSWORD***"}'],
  ["a value that was asked for", "asked-for", "***MINE***"],
])("%s is masked", (_, text, masked) => {
  expect(redactor.text(text)).toBe(masked);
});

it.each(["false", "/home/someone", "sk-abcx123"])("%s is left", (text) => {
  expect(redactor.text(text)).toBe(text);
});

it("all strings of plain data are masked", () => {
  expect(redactor.data({ a: ["sk-abc.123", 1, null], b: { c: "asked-for" } })).toEqual({
    a: ["***OPENAI_API_KEY***", 1, null],
    b: { c: "***MINE***" },
  });
});

it("without a secret nothing is done", () => {
  expect(createRedactor({ env: { HOME: "/home/someone" }, names: [] })).toBe(noRedactor);
});

describe("a file", () => {
  const rewrite = (bytes: Buffer) => {
    const path = join(temporaryDirectory(), "out.txt");
    writeFileSync(path, bytes);
    redactor.file(path);
    return readFileSync(path);
  };

  it("keeps every byte that is no secret", () => {
    const noise = Buffer.from([0, 0xff, 0xfe, 0x1b, 0x0a, 0xe4]);
    const found = rewrite(Buffer.concat([noise, Buffer.from("sk-abc.123"), noise]));
    expect(found).toEqual(Buffer.concat([noise, Buffer.from("***OPENAI_API_KEY***"), noise]));
  });

  it("is masked where a secret stands across any edge of what is read at once", () => {
    const secret = "sk-abc.123-longer";
    for (let shift = -secret.length - 1; shift <= 2; shift++) {
      const before = "x".repeat((1 << 20) + shift);
      const found = rewrite(Buffer.from(`${before}${secret}${"y".repeat(40)}sk-abc.123`)).toString();
      expect(found, `${shift}`).toBe(`${before}***OPENAI_API_KEY_2***${"y".repeat(40)}***OPENAI_API_KEY***`);
    }
  });

  it("of many secrets in a row is masked whole", () => {
    const found = rewrite(Buffer.from("sk-abc.123 ".repeat(300_000))).toString();
    expect(found).toBe("***OPENAI_API_KEY*** ".repeat(300_000));
  });
});
