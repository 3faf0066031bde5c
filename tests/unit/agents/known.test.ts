import { describe, expect, it } from "vitest";
import { failureHint, installCommand } from "../../../src/agents/known.js";
import { builtinAgents } from "../../../src/agents/templates.js";

describe.each(Object.keys(builtinAgents))("%s", (name) => {
  it("has a command that installs it", () => {
    expect(installCommand(name)).toMatch(/^(npm install -g|uv tool install) \S+$/);
  });

  it.each(["HTTP 401", "Unauthorized", "invalid x-api-key", "Please run /login", "OPENAI_API_KEY: API key not found"])(
    "is told where credentials come from when it says: %s",
    (said) => {
      expect(failureHint(name, said)).toMatch(/^it may have no valid credentials: set /);
    },
  );

  it.each(["HTTP 500", "ENOSPC", "port 14012", ""])("is told nothing of credentials when it says: '%s'", (said) => {
    expect(failureHint(name, said)).toBeUndefined();
  });
});

it.each([
  "Error: Unexpected error\n\ndatabase is locked",
  "Failed query: CREATE TABLE `workspace` (\n\t`id` text\n)\nparams:",
])("agents that start at once and collide in their database are told of: %j", (said) => {
  expect(failureHint("opencode", said)).toContain("give the check `retries`");
});

describe("what is known of single agents", () => {
  it.each([
    [
      "claude",
      "--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons",
      "IS_SANDBOX=1",
    ],
    ["gemini", "Gemini CLI is not running in a trusted directory", "--skip-trust"],
  ])("%s: %s", (name, said, hint) => {
    expect(failureHint(name, said)).toContain(hint);
    expect(failureHint("codex", said)).toBeUndefined();
  });
});

it.each(["mine", "constructor", "toString", "__proto__"])("nothing is known of an agent called %s", (name) => {
  expect(installCommand(name)).toBeUndefined();
  expect(failureHint(name, "401 unauthorized")).toBeUndefined();
});
