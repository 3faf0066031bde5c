import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { delimiter } from "node:path";

export interface Guard {
  /** Lets the guard go; resolves when it is gone. */
  release: () => Promise<void>;
}

/**
 * How long a run goes on without a guard: the shell costs a third of what a run of one short check takes. Who is killed
 * before leaves what it had just started, and its directory.
 */
const HEAD_START_MS = 100;
const RELEASE_MS = 2000;

/**
 * In the background, so that it is no descendant: who ends this process with all of its tree does not end the guard.
 * Reads the word that all is well, or the end of this process; then kills what carries `$1` in its environment, with
 * its group, until nothing is found twice in a row, and removes the directory `$2`.
 */
const SCRIPT = `
trap '' HUP INT TERM
{
read -r word
[ "$word" = done ] && exit
tagged() {
  if printf 'a\\0b\\0' | grep -qzxF b; then
    grep -lszxF -- "$1" /proc/[0-9]*/environ
  else
    for file in /proc/[0-9]*/environ; do
      tr '\\0' '\\n' <"$file" 2>/dev/null | grep -qxF -- "$1" && echo "$file"
    done
  fi
}
quiet=0
rounds=0
while [ $quiet -lt 2 ] && [ $rounds -lt 200 ]; do
  quiet=$((quiet + 1))
  rounds=$((rounds + 1))
  for file in $(tagged "$1"); do
    pid=\${file#/proc/}
    pid=\${pid%/environ}
    read -r stat <"/proc/$pid/stat" || continue
    set -- "$1" "$2" \${stat##*) }
    [ "$3" = Z ] && continue
    quiet=0
    [ "$5" -gt 1 ] && kill -9 -- "-$5"
    kill -9 "$pid"
  done
  sleep 0.05
done
case $2 in */eval-banana-??????) rm -rf -- "$2" ;; esac
} <&3 3<&- &
`;

/**
 * Soon starts a shell that outlives this process if it is killed, and clears up after it: whatever carries `tag` in its
 * environment is killed, and the temporary directory `scratch` removed. Linux only: elsewhere nothing is started.
 */
export function startGuard(left: Left): Guard {
  if (process.platform !== "linux") return { release: async () => {} };
  let guard: Guard | undefined;
  const timer = setTimeout(() => {
    guard = startShell(left);
  }, HEAD_START_MS);
  return {
    async release() {
      clearTimeout(timer);
      await guard?.release();
    },
  };
}

/** What a run that was killed leaves. */
interface Left {
  tag: string;
  scratch: string;
}

function startShell({ tag, scratch }: Left): Guard | undefined {
  // Nothing else of the environment: no hunt for what carries something in it should find the guard.
  const PATH = ["/usr/bin", "/bin", ...(process.env["PATH"]?.split(delimiter) ?? [])].join(delimiter);
  const shell = spawn("/bin/sh", ["-c", SCRIPT, "sh", tag, scratch], {
    cwd: "/",
    env: { PATH },
    // Not standard input: Node closes that when the shell, which is only the guard's parent, has ended.
    stdio: ["ignore", "ignore", "ignore", "pipe"],
    detached: true,
  });
  shell.once("error", () => {});
  const channel = shell.stdio[3] as Socket | undefined;
  // No shell, no guard.
  if (channel === undefined) return undefined;
  const gone = new Promise<void>((resolve) => channel.resume().once("close", () => resolve()));
  channel.on("error", () => {});
  return {
    async release() {
      channel.end("done\n");
      // One that a check has stopped does not hold up the end.
      const timer = setTimeout(() => channel.destroy(), RELEASE_MS);
      await gone;
      clearTimeout(timer);
    },
  };
}
