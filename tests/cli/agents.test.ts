import { describe, expect, it } from "vitest";
import { project } from "../helpers/project.js";

const ANSWERS = `#!/bin/sh
if [ "$1" = --version ]; then echo "stand-in 1.2.3"; exit; fi
echo '{"score": 1, "reason": "ready"}'
`;

function withAgent(program: string) {
  const p = project({ ".eval-banana/config.toml": '[agents.mine]\ncommand = ["./mine.sh"]\n' });
  p.writeProgram("mine.sh", program);
  return p;
}

// Nothing but the programs that a test puts there.
const env = { PATH: "/nowhere" };

describe("eb agents", () => {
  it("prints path and version of what is installed, and how to install the rest", async () => {
    const p = withAgent(ANSWERS);
    const { code, stdout } = await p.eb(["agents"], { env });
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^mine +stand-in 1\\.2\\.3 +${p.path("mine.sh")}$`, "m"));
    expect(stdout).toMatch(/^claude +not installed +npm install -g @anthropic-ai\/claude-code$/m);
    expect(stdout.trim().split("\n")).toHaveLength(8);
  });

  it("prints the same as JSON", async () => {
    const p = withAgent(ANSWERS);
    const { stdout } = await p.eb(["agents", "--json"], { env });
    const { agents } = JSON.parse(stdout);
    expect(agents).toHaveLength(8);
    expect(agents).toContainEqual({ name: "mine", path: p.path("mine.sh"), version: "stand-in 1.2.3", install: null });
    expect(agents).toContainEqual(expect.objectContaining({ name: "codex", path: null, version: null }));
  });

  it("says so when a program does not tell its version", async () => {
    const { stdout } = await withAgent("#!/bin/sh\nexit 3\n").eb(["agents"], { env });
    expect(stdout).toMatch(/^mine +version unknown/m);
  });
});

describe("eb agents --probe", () => {
  it("asks for a verdict and leaves nothing in the project", async () => {
    const p = withAgent(ANSWERS);
    const { code, stdout } = await p.eb(["agents", "--probe", "mine"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^mine gave a verdict in .* passed, ready$/m);
    expect(p.runDirs()).toEqual([]);
  });

  it("fails when no verdict comes back, and says why", async () => {
    const { code, stdout } = await withAgent("#!/bin/sh\necho hello\n").eb(["agents", "--probe", "mine"]);
    expect(code).toBe(1);
    expect(stdout).toContain("mine gave no verdict");
    expect(stdout).toContain("hello");
  });

  it("fails with the command that installs the agent when it is not there", async () => {
    const { code, stdout } = await withAgent(ANSWERS).eb(["agents", "--probe", "codex"], { env });
    expect(code).toBe(1);
    expect(stdout).toContain("npm install -g @openai/codex");
  });

  it("refuses an unknown agent", async () => {
    const { code, stderr } = await withAgent(ANSWERS).eb(["agents", "--probe", "claud"]);
    expect(code).toBe(2);
    expect(stderr).toContain("unknown agent 'claud' (did you mean 'claude'?)");
  });

  it("prints the result as JSON", async () => {
    const { stdout } = await withAgent(ANSWERS).eb(["agents", "--probe", "mine", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ check_id: "probe", status: "passed", details: { agent_type: "mine" } });
  });
});
