import { expect, it } from "vitest";
import { repeatCommand, resumeCommand } from "../../../src/cli/repeat-command.js";

it.each([
  [["run"], "eb run"],
  [["run", "--cwd", "a b", "--no-project-config"], "eb run --cwd 'a b' --no-project-config"],
  [["run", "--check-id", "x", "--tag=y", "--pass-threshold", "0"], "eb run --pass-threshold 0"],
  [
    ["run", "--json", "--flat-output", "--output-dir", "out", "--harness-agent", "claude"],
    "eb run --harness-agent claude",
  ],
  [
    ["suite", "run", "a.yaml", "-o", "out.jsonl", "--case", "x", "--case=y", "--last-failed", "-c", "t.yaml", "--ci"],
    "eb suite run a.yaml -c t.yaml --ci",
  ],
  [["run", "--harness-model", "it's"], "eb run --harness-model 'it'\\''s'"],
])("%j is run again by %s", (args, command) => {
  expect(repeatCommand(args, {})).toBe(command);
  expect(repeatCommand(args, { npm_command: "exec" })).toBe(`npx ${command}`);
});

it.each([
  [["suite", "run", "--runs", "30", "--no-cache", "-o", "x"], "eb suite run --runs 30 --no-cache -o x --resume ID"],
  [["suite", "run", "--sample=3", "--seed", "1", "--resume", "OLD"], "eb suite run --sample=3 --seed 1 --resume ID"],
  [["suite", "run", "--output-dir", "out", "--flat-output"], "eb suite run --resume ID"],
  [["suite", "run", "--output-dir", "out"], "eb suite run --output-dir out --resume ID"],
])("%j is completed by %s", (args, command) => {
  expect(resumeCommand(args, {}, "ID")).toBe(command);
});
