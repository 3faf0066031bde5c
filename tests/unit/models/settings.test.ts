import { describe, expect, it } from "vitest";
import { resolveModel } from "../../../src/models/settings.js";

const models = {
  fast: {
    url: "http://127.0.0.1:9/v1",
    model: "org/fast",
    api_key_env: "FAST_KEY",
    price: { input: 1, output: 2 },
    params: { temperature: 0 },
  },
  paid: { model: "openai:gpt-5", rpm: 10 },
  half: { model: "some" },
};

describe("a model is reached", () => {
  it.each([
    ["openai:gpt-5", "gpt-5", "https://api.openai.com/v1", "OPENAI_API_KEY"],
    ["ollama:llama3:8b", "llama3:8b", "http://127.0.0.1:11434/v1", undefined],
    ["openrouter:openai/gpt-5", "openai/gpt-5", "https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"],
    ["fast", "org/fast", "http://127.0.0.1:9/v1", "FAST_KEY"],
    ["paid", "gpt-5", "https://api.openai.com/v1", "OPENAI_API_KEY"],
  ])("as %s", (model, name, url, apiKeyEnv) => {
    expect(resolveModel({ model }, models)).toMatchObject({ model: name, url, apiKeyEnv, maxConcurrency: 8 });
  });

  it("by its URL, with any name, and without a key that is meant for others", () => {
    const url = "http://127.0.0.1:8/v1";
    expect(resolveModel({ model: "Qwen/Qwen3:latest", url }, {})).toMatchObject({ model: "Qwen/Qwen3:latest", url });
    expect(resolveModel({ model: "openai:gpt-5", url }, {})).toMatchObject({
      model: "gpt-5",
      url,
      apiKeyEnv: undefined,
    });
  });

  it("as the table says, apart from what is given beside it", () => {
    expect(resolveModel({ model: "fast", params: { top_p: 1 }, max_concurrency: 2 }, models)).toMatchObject({
      model: "org/fast",
      params: { top_p: 1 },
      maxConcurrency: 2,
      price: { input: 1, output: 2 },
    });
  });
});

it("what is wrong is said in words", () => {
  expect(resolveModel({ model: "fasst" }, models)).toMatch(
    /^unknown model 'fasst' \(did you mean 'fast'\?\): give a url/,
  );
  expect(resolveModel({ model: "opnai:gpt-5" }, models)).toContain("(did you mean 'openai'?)");
  expect(resolveModel({ model: "half" }, models)).toMatch(/^\[models\.half\] has no url/);
  expect(resolveModel({ model: "toString" }, models)).toMatch(/^unknown model/);
  expect(resolveModel({ model: "constructor:x" }, models)).toMatch(/^unknown model/);
});
