import { describe, expect, it } from "vitest";
import { judge, judgeCheck, runJudges, standIn } from "../helpers/agent.js";
import { expectInert, HOSTILE } from "../helpers/hostile.js";
import { project } from "../helpers/project.js";

describe("an agent that ends badly", () => {
  it("gives no verdict, even when it printed one", async () => {
    const { code, result } = await judge(`verdict(1, token=token())
sys.stderr.write("".join(f"line {n}\\n" for n in range(100)))
sys.exit(7)`);
    expect(code).toBe(1);
    expect(result).toMatchObject({ status: "error", score: 0, reason: null, exit_code: 7 });
    expect(result.error_detail).toBe("the agent ended with exit code 7: line 97 ⏎ line 98 ⏎ line 99");
    expect(result.stdout).toContain('"score": 1');
  });

  it("is quoted with what it says of its failure", async () => {
    const failure = { type: "result", subtype: "success", is_error: true, result: "API Error: 529 overloaded" };
    const { result } = await judge(`say(${JSON.stringify(JSON.stringify(failure))})\nsys.exit(1)`);
    expect(result.error_detail).toBe("the agent ended with exit code 1: API Error: 529 overloaded");
  });

  it("is named when a signal ended it", async () => {
    const { result } = await judge(`verdict(1)\nsys.stderr.write("out of memory\\n")\nos.kill(os.getpid(), 9)`);
    expect(result).toMatchObject({ status: "error", exit_code: null });
    expect(result.error_detail).toBe("the agent was killed by SIGKILL: out of memory");
  });

  it("can put nothing on the terminal but text", async () => {
    const { result, stdout, stderr } = await judge(`sys.stderr.write(open("hostile").read())\nsys.exit(1)`, {
      files: { hostile: HOSTILE },
    });
    expect(result.status).toBe("error");
    expectInert(result.error_detail ?? "");
    expectInert(stdout + stderr);
  });

  it("is hurt by no output, however long its only line", async () => {
    const { result } = await judge(`sys.stderr.write("\\t" * 30_000_000 + "the end")\nsys.exit(1)`);
    expect(result.error_detail).toMatch(/^the agent ended with exit code 1: the end$/);
  });
});

describe("an agent that can't be started", () => {
  it.each([
    ["claude", "npm install -g @anthropic-ai/claude-code"],
    ["codex", "npm install -g @openai/codex"],
  ])("is an error that says how to install it: %s", async (agent, install) => {
    const p = project({ "eval_checks/it.yaml": judgeCheck({ id: "it" }) });
    const { code, stdout } = await p.eb(["run", "--harness-agent", agent], { env: { PATH: p.root } });
    expect(code).toBe(1);
    expect(p.result("it")).toMatchObject({ status: "error", exit_code: null, stdout: "", stderr: "" });
    expect(p.result("it").error_detail).toMatch(
      new RegExp(
        `^the agent '${agent}' could not be started: no such file or directory \\(ENOENT\\): ${agent}; install`,
      ),
    );
    expect(p.result("it").error_detail).toContain(`install it with \`${install}\``);
    expect(stdout).toContain(install);
    expect(p.result("it").details).toMatchObject({ raw_response_path: null });
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ["a program that is not there", { command: ["./gone.sh"] }, /no such file or directory \(ENOENT\): \.\/gone\.sh$/],
    ["a file that may not be run", { command: ["./agent.py"] }, /permission denied \(EACCES\): \.\/agent\.py$/],
    ["a command with a NUL", { command: ["./a\u0000b"] }, /null bytes/],
    ["a variable with a NUL", { provider_env: { A: "\u0000" } }, /null bytes/],
  ])("is an error of the check, not of the run: %s", async (_, template, message) => {
    const { code, result, stderr } = await judge("verdict(1)", { template });
    expect(code).toBe(1);
    expect(result.error_detail).toMatch(/^the agent 'stand-in' could not be started: /);
    expect(result.error_detail).toMatch(message);
    expect(stderr).toBe("");
  });
});

describe("a known failure comes with what to do about it", () => {
  it.each([
    ["claude", "--dangerously-skip-permissions cannot be used with root/sudo privileges", "set IS_SANDBOX=1"],
    ["claude", "Invalid API key · Please run /login", "set ANTHROPIC_API_KEY, or log in with `claude`"],
    [
      "gemini",
      "When using Gemini API, you must specify the GEMINI_API_KEY environment variable.",
      "set GEMINI_API_KEY",
    ],
    ["gemini", "Gemini CLI is not running in a trusted directory.", "keep --skip-trust"],
  ])("%s: %s", async (agent, said, hint) => {
    const p = project({ "eval_checks/it.yaml": judgeCheck({ id: "it" }) });
    p.writeProgram(`bin/${agent}`, `#!/bin/sh\necho ${JSON.stringify(said)} >&2\nexit 1\n`);
    const env = { PATH: `${p.path("bin")}:${process.env["PATH"]}` };
    await p.eb(["run", "--harness-agent", agent], { env });
    expect(p.result("it").error_detail).toContain(`exit code 1: ${said.replaceAll("\n", " ")}; `);
    expect(p.result("it").error_detail).toContain(hint);
  });

  it("but an agent of the user's own is not taken for another", async () => {
    const { result } = await judge("sys.stderr.write('401')\nsys.exit(1)");
    expect(result.error_detail).toBe("the agent ended with exit code 1: 401");
  });
});

it("what one agent does wrong does not touch the checks of others", async () => {
  const p = standIn("sys.exit(1) if check == 'bad' else verdict(1)", { checks: { bad: {}, good: {} } });
  const { code } = await runJudges(p);
  expect(code).toBe(1);
  expect(p.report()).toMatchObject({ passed_checks: 1, errored_checks: 1, run_passed: false });
});
