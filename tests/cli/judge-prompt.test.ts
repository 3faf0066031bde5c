import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { judge, runJudges, type StandInOptions, standIn } from "../helpers/agent.js";
import { processMark, startEb, until } from "../helpers/processes.js";
import type { Project } from "../helpers/project.js";

/** What a file of a check in the only run holds. */
function fileOf(p: Project, id: string, ending: string): string {
  const directory = join(p.runDir(), "checks");
  const name = readdirSync(directory).find((file) => file.startsWith(`${id}-`) && file.endsWith(ending));
  if (name === undefined) throw new Error(`there is no ${id}-…${ending}`);
  return readFileSync(join(directory, name), "utf8");
}

/** Judges once with an agent that keeps the prompt as it got it; returns it. */
async function promptOf(check: Record<string, unknown>, options: StandInOptions = {}): Promise<string> {
  const { p, result } = await judge("open('got', 'w', newline='').write(prompt)\nverdict(1)", { check, ...options });
  expect(result.status).toBe("passed");
  const got = p.read("got");
  expect(fileOf(p, "it", ".prompt.txt")).toBe(got);
  return got;
}

describe("the prompt", () => {
  it("makes a judge, asks for one JSON object with a token, and ends with description and instructions", async () => {
    const prompt = await promptOf({ description: "The summary is short.", instructions: "Count the words." });
    expect(prompt).toMatch(/^You are an impartial judge\./);
    expect(prompt).toMatch(/\n\{"score": 0 or 1, "reason": "one or two sentences", "token": "[0-9a-f]{24}"\}\n/);
    expect(prompt.endsWith("\n\nCheck Description:\nThe summary is short.\n\nInstructions:\nCount the words.")).toBe(
      true,
    );
  });

  it("holds description and rubric byte for byte, whatever is in them", async () => {
    const texts: Record<string, string> = {
      // biome-ignore lint/suspicious/noTemplateCurlyInString: nothing is to be put in its place
      templates: "{{x}} {% y %} ${HOME} $HOME $(id) `id` %PATH% $& $1 {effort} {env:HOME}",
      markup: "---\n# heading\n- a: b\n...\n```json\n{}\n```",
      blanks: "\n  first\n\ttab \t \n\n\nlast  \n\n",
      quotes: `"double" 'single' \\n \\\\ \\u0041 "'\\"`,
      "line-ends": "a\r\nb\rc\u2028d\u0085e",
      characters: "你好 🍌 \u0001\u001b[31m\u007f\ufeff\ufffe e\u0301 \u202e",
      "own-headings": 'Instructions:\nCheck Description:\n{"score": 1}',
    };
    const block = "  {{x}}\t \n\n  --- \\ \"'  \n";
    const p = standIn("open('got-' + check, 'w', newline='').write(prompt)\nverdict(1)", {
      checks: Object.fromEntries(
        Object.entries(texts).map(([id, text]) => [id, { description: `d ${text}`, instructions: `i ${text}` }]),
      ),
      files: {
        "eval_checks/block.yaml": `schema_version: 1\nid: block\ntype: harness_judge\ndescription: d\ninstructions: |2\n${block.replaceAll(/^/gm, "  ")}`,
      },
    });
    await runJudges(p);
    for (const [id, text] of Object.entries(texts)) {
      const tail = `\n\nCheck Description:\nd ${text}\n\nInstructions:\ni ${text}`;
      expect(p.read(`got-${id}`).endsWith(tail), id).toBe(true);
      expect(fileOf(p, id, ".prompt.txt"), id).toBe(p.read(`got-${id}`));
    }
    expect(p.read("got-block").endsWith(`\n\nInstructions:\n${block}`)).toBe(true);
  });

  it("is cut at llm_max_input_chars, in characters, and says so", async () => {
    const check = { description: "🍌🍌🍌🍌🍌", instructions: "1234567" };
    const limited = (n: number) => promptOf(check, { config: `[core]\nllm_max_input_chars = ${n}` });
    expect(await limited(5)).toMatch(/Check Description:\n🍌🍌🍌🍌🍌\n\nInstructions:\n12345\[TRUNCATED\]$/);
    expect(await limited(4)).toMatch(/Check Description:\n🍌🍌🍌🍌\[TRUNCATED\]\n\nInstructions:\n1234\[TRUNCATED\]$/);
    expect(await limited(0)).toMatch(/\n1234567$/);
  });

  it("has a new token for each check and each run", async () => {
    const p = standIn("verdict(1, token())", { checks: { a: {}, b: {} } });
    await runJudges(p);
    await runJudges(p);
    const tokens = p.runDirs().flatMap((dir) => {
      const { checks } = JSON.parse(readFileSync(join(dir, "report.json"), "utf8"));
      return checks.map(({ reason }: { reason: string }) => reason);
    });
    expect(new Set(tokens).size).toBe(4);
  });
});

describe("the prompt file", () => {
  const LOOK = `[path] = [p for p in os.listdir(os.path.join(os.environ["EVAL_BANANA_RUN_OUTPUT_DIR"], "checks")) if p.endswith(".prompt.txt")]
full = os.path.join(os.environ["EVAL_BANANA_RUN_OUTPUT_DIR"], "checks", path)
`;

  it("is there before the agent starts", async () => {
    const { result } = await judge(`${LOOK}verdict(int(open(full, newline="").read() == prompt))`);
    expect(result.status).toBe("passed");
  });

  it("is there after a failure and a timeout", async () => {
    const p = standIn("say('x')\nif check == 'slow': time.sleep(60)\nsys.exit(3)", {
      checks: { fails: {}, slow: { timeout_seconds: 1 } },
    });
    await runJudges(p);
    for (const id of ["fails", "slow"]) {
      expect(p.result(id).error_detail).toMatch(id === "slow" ? /^timed out after 1 s/ : /exit code 3/);
      expect(fileOf(p, id, ".prompt.txt")).toContain(`Judges ${id}`);
    }
  });

  it("is there, with all that was printed and had ended, when eb itself is killed", async () => {
    const mark = processMark();
    const p = standIn(
      "if check == 'a': verdict(1)\nelse:\n    say('so far')\n    open('started', 'w')\n    time.sleep(60)",
      {
        checks: { a: {}, b: {} },
      },
    );
    const running = startEb(p, ["run", "--harness-agent", "stand-in", "--max-parallel-checks", "1"], mark.env);
    await until("the second judge runs", () => p.has("started"));
    running.kill("SIGKILL");
    await running;
    const journal = readFileSync(join(p.runDir(), "journal.jsonl"), "utf8").trimEnd().split("\n");
    expect(journal.map((line) => JSON.parse(line).result?.check_id)).toEqual([undefined, "a"]);
    expect(fileOf(p, "a", ".json")).toContain('"passed"');
    expect(fileOf(p, "b", ".prompt.txt")).toContain("Judges b");
    expect(fileOf(p, "b", ".stdout.txt")).toBe("so far");
  });

  it("is written anew for each attempt, whatever an agent did to it", async () => {
    const { result } = await judge(
      `${LOOK}ok = "Look at it." in open(full).read() and "Look at it." in sys.stdin.read()
os.unlink(full)
os.symlink("/nowhere/else", full)
verdict(int(ok))`,
      { check: { votes: 3 }, template: { prompt_via: "stdin" } },
    );
    expect(result).toMatchObject({ status: "passed", details: { votes: { passed: 3, failed: 0, error: 0 } } });
  });
});
