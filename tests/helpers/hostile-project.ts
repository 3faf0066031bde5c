import { HOSTILE } from "./hostile.js";
import { type Project, project } from "./project.js";

/** A project whose only check is hostile in its description, its output and, by its last line, in its reason. */
export function hostileProject(): Project {
  const script = `import sys
sys.stdout.buffer.write(open("hostile.txt", "rb").read() + bytes([0xff, 0xfe, 0xed, 0xa0, 0x80]))
sys.stderr.buffer.write(open("hostile.txt", "rb").read() + b"\\n  ::error::reason ##[error]x \\x1b[31m</script>|<img src=x onerror=alert(1)>")
sys.exit(1)`;
  return project({
    "hostile.txt": HOSTILE,
    "eval_checks/it.yaml": describedCheck("it", HOSTILE, script),
  });
}

/** The YAML of a check with any description. */
export function describedCheck(id: string, description: string, script: string): string {
  return JSON.stringify({ schema_version: 1, id, type: "deterministic", description, script });
}
