import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { runReportSchema } from "../../src/index.js";
import { processMark } from "../helpers/processes.js";
import { check, cleanEnv, EB, oneCheck, type Project, project } from "../helpers/project.js";

function wholeStream(p: Project, id: string, name: "stdout" | "stderr"): Buffer {
  return readFileSync(join(p.runDir(), String(p.result(id).details[`${name}_path`])));
}

/** The text in the report without the banner, and the banner. */
function split(text: string): [banner: string, tail: string] {
  const end = text.indexOf("\n") + 1;
  return [text.slice(0, end), text.slice(end)];
}

describe.each(["fork", "spawn"])("what a check prints under %s", (launcher) => {
  const LAUNCHER = { EVAL_BANANA_DETERMINISTIC_LAUNCHER: launcher };

  it("is in files byte for byte, and its end is in a valid report", async () => {
    const p = project({
      "eval_checks/nothing.yaml": check("nothing", "pass"),
      "eval_checks/wide.yaml": check("wide", "print('你' * 50_000, end='')"),
      "eval_checks/smile.yaml": check("smile", "print('😀' * 3_000, end='')"),
      "eval_checks/full.yaml": check("full", "print('é' * 2000, end='')"),
      "eval_checks/over.yaml": check("over", "print('é' * 2001, end='')"),
      "eval_checks/crlf.yaml": check("crlf", "import sys; sys.stdout.buffer.write(b'a\\r\\nb\\r')"),
      "eval_checks/bytes.yaml": check(
        "bytes",
        "import sys\nsys.stdout.buffer.write(bytes(range(256)) * 40)\nsys.stderr.buffer.write(b'\\xff\\xfe\\0\\x1b[31m\\xed\\xa0\\x80')",
      ),
      "eval_checks/cut.yaml": check(
        "cut",
        "import sys; sys.stdout.buffer.write(b'x' + '你'.encode() * 9_000 + b'\\xe4\\xbd')",
      ),
    });
    const { code } = await p.eb(["run"], { env: LAUNCHER });
    expect(code).toBe(0);
    runReportSchema.parse(p.report());

    expect(p.result("nothing")).toMatchObject({
      stdout: "",
      stderr: "",
      details: { stdout_path: null, stderr_path: null },
    });
    expect(wholeStream(p, "wide", "stdout")).toEqual(Buffer.from("你".repeat(50_000)));
    const [banner, wide] = split(p.result("wide").stdout);
    expect(wide).toBe("你".repeat(2000));
    expect(banner).toContain(String(p.result("wide").details["stdout_path"]));
    expect(split(p.result("smile").stdout)[1]).toBe("😀".repeat(2000));
    expect(p.result("full").stdout).toBe("é".repeat(2000));
    expect(split(p.result("over").stdout)[1]).toBe("é".repeat(2000));
    expect(p.result("crlf").stdout).toBe("a\r\nb\r");

    expect(wholeStream(p, "bytes", "stdout")).toEqual(
      Buffer.concat(Array(40).fill(Buffer.from([...Array(256).keys()]))),
    );
    expect(wholeStream(p, "bytes", "stderr")).toEqual(Buffer.from("fffe001b5b33316deda080", "hex"));
    expect(p.result("bytes").stderr).toBe("��\0\u001b[31m���");
    const cut = split(p.result("cut").stdout)[1];
    expect(cut).toBe(`${"你".repeat(1999)}�`);
  });

  it("may be 200 MB: all of it is in the file, and little memory is used", async () => {
    const p = project(
      oneCheck("import sys\nfor _ in range(200): sys.stdout.buffer.write(b'0123456789abcde\\n' * 62_500)"),
    );
    const args = ["--max-old-space-size=96", EB, "run"];
    const { exitCode } = await execa(process.execPath, args, {
      cwd: p.root,
      reject: false,
      extendEnv: false,
      env: cleanEnv(LAUNCHER),
    });
    expect(exitCode).toBe(0);
    const path = join(p.runDir(), String(p.result("it").details["stdout_path"]));
    expect(statSync(path).size).toBe(200e6);
    expect(split(p.result("it").stdout)[1]).toBe("0123456789abcde\n".repeat(125));
  });

  it("is kept when it never ends", async () => {
    const p = project(oneCheck("while True: print('and on' * 1000)", "timeout_seconds: 1\n"));
    const { code } = await p.eb(["run"], { env: LAUNCHER });
    expect(code).toBe(1);
    expect(p.result("it")).toMatchObject({ status: "error", error_detail: "timed out after 1 s", exit_code: null });
    expect(p.result("it").duration_ms).toBeLessThan(4000);
    expect(wholeStream(p, "it", "stdout").toString("latin1", 0, 100).startsWith("and onand on")).toBe(true);
  });

  it("does not hold up the run when a grandchild keeps the streams open", async () => {
    const mark = processMark();
    const p = project(
      oneCheck("import subprocess\nsubprocess.Popen(['sleep', '30'], start_new_session=True)\nprint('done')"),
    );
    const begin = performance.now();
    const { code, stderr } = await p.eb(["run"], { env: { ...mark.env, ...LAUNCHER } });
    expect(performance.now() - begin).toBeLessThan(20_000);
    expect(code).toBe(0);
    expect(p.result("it")).toMatchObject({ status: "passed", stdout: "done\n" });
    expect(stderr).toContain("checks left 1 process(es) running, which were ended");
    expect(mark.survivors()).toEqual([]);
  });
});
