import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspect } from "node:util";
import { execaSync } from "execa";
import { describe, expect, it } from "vitest";
import { createRedactor, isCredential, noRedactor } from "../../../src/core/redact.js";
import { shellQuote } from "../../../src/core/text.js";
import { PYTHON, temporaryDirectory } from "../../helpers/project.js";

const env = {
  OPENAI_API_KEY: "sk-abc.123",
  OPENAI_API_KEY_2: "sk-abc.123-longer",
  DB_PASSWORD: 'p"a\nss-wörd',
  TOKENIZERS_PARALLELISM: "false",
  HOME: "/home/someone",
  MINE: "asked-for",
  SPACED_SECRET: " spaced-out\n",
  PIN_TOKEN: "123456",
  BACK_TOKEN: `back\\sl'ash"es`,
};
const redactor = createRedactor({ env, names: ["MINE"] });

it.each([
  ["a value", "key=sk-abc.123.", "key=***OPENAI_API_KEY***."],
  ["the longer of two values", "sk-abc.123-longer", "***OPENAI_API_KEY_2***"],
  ["a value with line breaks", 'x p"a\nss-wörd y', "x ***DB_PASSWORD*** y"],
  ["a value as JSON writes it", JSON.stringify({ a: env.DB_PASSWORD }), '{"a":"***DB_PASSWORD***"}'],
  ["a value in JSON within JSON", JSON.stringify(JSON.stringify([env.DB_PASSWORD])), '"[\\"***DB_PASSWORD***\\"]"'],
  ["a value as JSON in ASCII", '"p\\"a\\nss-w\\u00f6rd"', '"***DB_PASSWORD***"'],
  ["a value as Python shows it", `'p"a\\nss-wörd'`, "'***DB_PASSWORD***'"],
  ["a value as Node shows it", inspect({ a: env.BACK_TOKEN }), "{ a: `***BACK_TOKEN***` }"],
  ["a line of a value", "ss-wörd", "***DB_PASSWORD***"],
  ["a value in a URL", "https://x/?q=p%22a%0Ass-w%C3%B6rd", "https://x/?q=***DB_PASSWORD***"],
  ["a value with blanks around it", "[spaced-out]", "[***SPACED_SECRET***]"],
  ["a value that was asked for", "asked-for", "***MINE***"],
])("%s is masked", (_, text, masked) => {
  expect(redactor.text(text)).toBe(masked);
});

it.each(["false", "/home/someone", "sk-abcx123"])("%s is left", (text) => {
  expect(redactor.text(text)).toBe(text);
});

it.each(["", "a", "ab", "user:"])("what base64 makes of a value is masked, where %j stands before it", (before) => {
  for (const after of ["", "!", "!!"]) {
    const encoded = Buffer.from(`${before}sk-abc.123-longer${after}`).toString("base64");
    const masked = redactor.text(encoded);
    expect(masked).toContain("***OPENAI_API_KEY");
    // What is left at the ends says less than a character of it.
    expect(
      Buffer.from(masked.split("***")[0] ?? "", "base64")
        .toString()
        .replace(before, "").length,
    ).toBeLessThan(2);
  }
});

it("a value is masked as other programs write it", () => {
  const value = `a b/c,!d'e"f<g>&h$i(j)*k~l;m\\n${"é".repeat(30)}${"long".repeat(20)}`;
  const script = `
import base64, html, json, shlex, sys, urllib.parse as url
v = sys.argv[1]
print(json.dumps({
    "quote": url.quote(v), "quote_plus": url.quote_plus(v), "urlencode": url.urlencode({"v": v}),
    "html": html.escape(v), "html between tags": html.escape(v, quote=False), "shlex": shlex.quote(v),
    "base64": base64.encodebytes(v.encode()).decode(), "urlsafe": base64.urlsafe_b64encode(v.encode()).decode(),
    "json": json.dumps(v), "repr": repr(v),
}))`;
  const shell = String.raw`printf '%q\n' "$1"; printf %s "$1" | base64 -w 64`;
  const told: Record<string, string> = {
    ...JSON.parse(execaSync(PYTHON, ["-c", script, value]).stdout),
    bash: execaSync("bash", ["-c", shell, "bash", value]).stdout,
    component: encodeURIComponent(value),
    "in lower case": encodeURIComponent(value).replaceAll(/%../g, (byte) => byte.toLowerCase()),
    form: new URLSearchParams({ v: value }).toString(),
    uri: encodeURI(value),
    shell: shellQuote(value),
    go: JSON.stringify(value).replaceAll("<", "\\u003c").replaceAll(">", "\\u003e").replaceAll("&", "\\u0026"),
  };
  const { text } = createRedactor({ env: { A_KEY: value }, names: [] });
  for (const [name, written] of Object.entries(told)) {
    const left = text(written).replaceAll("***A_KEY***", "");
    // Quotes, the name of a field, and the last characters in base64, which hold no whole one of the value.
    expect(left.length, `${name}: ${left}`).toBeLessThan(8);
  }
});

it("what is masked already stays as it is, whatever the secrets are", () => {
  const named = createRedactor({ env: { A_KEY: "A_KEY***", B_KEY: "sk-abc" }, names: [] });
  expect(named.text(named.text("x sk-abc y"))).toBe("x ***B_KEY*** y");
  const inName = createRedactor({ env: { LONG_NAME_KEY: "sk-abc", B_KEY: "LONG_NAME" }, names: [] });
  expect(inName.text(inName.text("sk-abc LONG_NAME"))).toBe("***LONG_NAME_KEY*** ***B_KEY***");
});

it("a line is masked before it is cut", () => {
  expect(redactor.line(`${"x".repeat(10)}\nsk-abc.123`, 16)).toBe("xxxxxxxxxx ⏎ **…");
  expect(redactor.line('p"a\nss-wörd', 40)).toBe("***DB_PASSWORD***");
});

it.each([
  ["MY_API_KEY", true],
  ["apikey", true],
  ["X-Api-Key", true],
  ["GITHUB_TOKEN", true],
  ["CLIENT_SECRET", true],
  ["DB_PASSWORD", true],
  ["Authorization", true],
  ["Proxy-Authorization", true],
  ["Cookie", true],
  ["MAX_TOKENS", false],
  ["SORT_KEY", false],
  ["PAGE_TOKEN", false],
  ["MONKEY", false],
  ["TOKENIZERS_PARALLELISM", false],
])("whether %s is certainly a credential: %j", (name, is) => {
  expect(isCredential(name)).toBe(is);
});

it("all strings of plain data are masked, and a number that is a secret", () => {
  expect(redactor.data({ pin: 123456, other: 1234567, __proto__: 1 })).toEqual({
    pin: "***PIN_TOKEN***",
    other: 1234567,
  });
  const named = JSON.parse('{"__proto__":"sk-abc.123","sk-abc.123":{"__proto__":1}}');
  expect(JSON.stringify(redactor.data(named))).toBe(
    '{"__proto__":"***OPENAI_API_KEY***","***OPENAI_API_KEY***":{"__proto__":1}}',
  );

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
