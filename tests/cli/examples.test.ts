import { cpSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Project, PYTHON, project } from "../helpers/project.js";

function example(name: string): Project {
  const p = project();
  cpSync(`examples/${name}`, p.root, { recursive: true, filter: (path) => !path.includes("results") });
  return p;
}

describe("examples/judge", () => {
  it("runs offline, with a judge that says that it is none", async () => {
    const p = example("judge");
    const { code, stdout, stderr } = await p.eb(["run"]);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^PASSED {2}2 of 2 points/m);
    expect(p.result("reply-helps")).toMatchObject({
      check_type: "harness_judge",
      status: "passed",
      reason: "stand-in, not a model: made/reply.md holds sorry, new one, Thursday",
      details: { agent_type: "stand-in", model: null, verdict_token: true },
    });
    expect(p.result("reply-helps").stdout).toContain("is no model");
    expect(p.result("reply-is-short")).toMatchObject({ check_type: "deterministic", status: "passed" });
  });

  it("fails when the reply does not meet the instructions", async () => {
    const p = example("judge");
    p.write({ "made/reply.md": "We are sorry." });
    const { code, stdout } = await p.eb(["run"]);
    expect(code).toBe(1);
    expect(stdout).toContain("failed: stand-in, not a model: made/reply.md lacks new one, Thursday");
  });

  it("asks the agents that its README shows in the same way", async () => {
    const commands = [...readFileSync("examples/judge/README.md", "utf8").matchAll(/^eb (run --harness-agent .*)$/gm)];
    expect(commands).toHaveLength(2);
    for (const [, line = ""] of commands) {
      const p = example("judge");
      const agent = line.split(" ")[2] ?? "";
      // The real programs print events; plain text is read, too.
      p.writeProgram(`bin/${agent}`, `#!/bin/sh\nexec ${PYTHON} stand_in.py\n`);
      const { code, stderr } = await p.eb(line.split(" "), {
        env: { PATH: `${p.path("bin")}:${process.env["PATH"]}` },
      });
      expect(stderr).toBe("");
      expect(code, line).toBe(0);
      expect(p.result("reply-helps").details).toMatchObject({ agent_type: agent });
    }
  });
});
