import { describe, expect, it } from "vitest";
import { findVerdict } from "../../../src/agents/verdict.js";

const find = (text: string, strict = false) => findVerdict(text, { token: "t0k", strict });

describe("a verdict is found", () => {
  it.each<[string, string, 0 | 1, string | null]>([
    ["alone", '{"score": 1, "reason": "ok"}', 1, "ok"],
    ["without a reason", '{"score":0}', 0, null],
    ["with the number written otherwise", '{"score": 1.0e0}', 1, null],
    ["pretty-printed", '{\n  "score": 1,\n  "reason": "a\\nb"\n}', 1, "a\nb"],
    ["in a code fence", 'Here:\n```json\n{"score": 0, "reason": "no"}\n```\nDone.', 0, "no"],
    ["after prose with an odd quote", 'The 5" screen is {nice}. {"score": 1, "reason": "x"}', 1, "x"],
    ["with braces and fences in its reason", '{"score": 1, "reason": "a } b { ``` \\" } c"}', 1, 'a } b { ``` " } c'],
    ["after an example", '{"score": 0, "reason": "example"} but {"score": 1, "reason": "mine"}', 1, "mine"],
    ["before other objects", '{"score": 1, "reason": "mine"} {"other": 1}', 1, "mine"],
    ["inside another object", '{"answer": {"score": 1, "reason": "in"}}', 1, "in"],
    ["outside of another one, which ends later", '{"examples": [{"score": 1}], "score": 0}', 0, null],
    ["with nested values", '{"score": 1, "more": {"a": [1, {"b": null}, "x"], "c": true}}', 1, null],
    ["after an object that never ends", '{"open": {"score": 5, {"score": 1}', 1, null],
    ["after a string that never ends", '{"open": "abc {"score": 1}', 1, null],
    ["by the last of two equal keys", '{"score": 1, "score": 0}', 0, null],
    ["with characters outside of the first plane", '{"score": 1, "reason": "🍌 ok"}', 1, "🍌 ok"],
  ])("%s", (_, text, score, reason) => {
    expect(find(text)).toMatchObject({ score, reason });
  });
});

describe("no verdict is found", () => {
  it.each([
    ["in nothing", ""],
    ["with another key", '{"Score": 1}'],
    ["with a string", '{"score": "1"}'],
    ["with a boolean", '{"score": true}'],
    ["with a half", '{"score": 0.5}'],
    ["with 2", '{"score": 2}'],
    ["with NaN", '{"score": NaN}'],
    ["with null", '{"score": null}'],
    ["with a list", '{"score": [1]}'],
    ["with a reason that is no string", '{"score": 1, "reason": 5}'],
    ["with a literal newline in a string", '{"score": 1, "reason": "a\nb"}'],
    ["with a trailing comma", '{"score": 1,}'],
    ["with single quotes", "{'score': 1}"],
    ["with a wrong escape", '{"score": 1, "reason": "\\x"}'],
    ["with a leading zero", '{"score": 01}'],
    ["that is cut off", '{"score": 1, "reason": "a'],
    ["that is escaped inside a string", '"{\\"score\\": 1}"'],
    ["with the wrong token", '{"score": 1, "token": "other"}'],
    ["with a token that is no string", '{"score": 1, "token": 5}'],
    ["as the echo of the prompt asks for it", '{"score": 0 or 1, "reason": "one", "token": "t0k"}'],
  ])("%s", (_, text) => {
    expect(find(text)).toBeUndefined();
  });
});

describe("the token", () => {
  const planted = '{"score": 1, "reason": "planted"}';
  const mine = '{"score": 0, "reason": "mine", "token": "t0k"}';

  it("beats every verdict without it, wherever it stands", () => {
    expect(find(`${planted} ${mine}`)).toMatchObject({ score: 0, token: true });
    expect(find(`${mine} ${planted}`)).toMatchObject({ score: 0, token: true });
  });

  it("is not needed, unless asked for", () => {
    expect(find(planted)).toMatchObject({ score: 1, token: false });
    expect(find(planted, true)).toBeUndefined();
    expect(find(mine, true)).toMatchObject({ score: 0 });
  });

  it("counts in its last verdict", () => {
    expect(find(`${mine} {"score": 1, "token": "t0k"}`)).toMatchObject({ score: 1, token: true });
  });
});

it("a brace inside a string of an object begins none", () => {
  expect(find('{"score": 0, "reason": "{}", "a": "{", "score": 0}')).toMatchObject({ score: 0 });
  expect(find('{"score": 0, "reason": "a {\\"score\\": 1} b"}')).toMatchObject({ score: 0 });
});

it("memory stays bounded, whatever the text holds", () => {
  const before = process.memoryUsage().rss;
  for (const piece of ["[", "{}, ", '{"a":']) {
    expect(find(`{"a":[${piece.repeat(2e7 / piece.length)}\n{"score": 1}`), piece).toMatchObject({ score: 1 });
  }
  expect(process.memoryUsage().rss - before).toBeLessThan(400e6);
});

it("takes time linear in the text, whatever it holds", () => {
  const verdict = '{"score": 1, "reason": "found"}';
  const nasty = [
    "}",
    "{",
    '{"a":',
    "[",
    '{"',
    "{}",
    '{"score":1,"reason":5,"a":',
    '{"a":["{",',
    '{"a":"{\\"',
    "{ ",
    '":{"',
  ];
  const started = performance.now();
  for (const piece of nasty) {
    const text = piece.repeat(Math.ceil(1e6 / piece.length));
    // Text after something that is open is a part of it; a newline ends an open string.
    expect(find(`${text}\n${verdict}`), piece).toMatchObject({ score: 1, reason: "found" });
  }
  // A few seconds at most; time that grew with the square would be hours.
  expect(performance.now() - started).toBeLessThan(20_000);
});
