"""Measures eval-banana against floors, in one run, and prints a Markdown table.

Each row pairs two commands, run in turn A B A B ..., and quotes the median of the ratios of their CPU seconds
(user + system, with all their children), so that a machine that gets slower or faster does not matter.
Usage: python3 bench/bench.py [--rounds N] [--python PATH] [--scale]
"""

import argparse
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
EB = ["node", str(ROOT / "dist/cli/main.cjs")]
# Where it is set, it triples every start of Node and hides everything else.
ENV = {name: value for name, value in os.environ.items() if name != "NODE_EXTRA_CA_CERTS"}


def measure(command, env=None):
    """Runs a command; returns CPU seconds and the peak memory in MiB of the largest process."""
    quiet = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1)]
    pid = os.posix_spawnp(command[0], command, {**ENV, **(env or {})}, file_actions=quiet)
    _, status, usage = os.wait4(pid, 0)
    code = os.waitstatus_to_exitcode(status)
    if code != 0:
        sys.exit(f"{' '.join(command)} ended with {code}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def pair(name, ours, floor, wanted, rounds, env=None):
    measure(ours, env), measure(floor)
    runs = [(measure(ours, env), measure(floor)) for _ in range(rounds)]
    ratios = sorted(a[0] / b[0] for a, b in runs)
    row(
        name,
        f"{statistics.median(a[0] for a, _ in runs):.2f} s",
        f"{statistics.median(b[0] for _, b in runs):.2f} s",
        f"{statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})",
        wanted,
        f"{max(a[1] for a, _ in runs):.0f} MiB",
    )


def row(*cells):
    print(f"| {' | '.join(cells)} |", flush=True)


def make_project(directory, checks):
    (directory / "eval_checks").mkdir(parents=True)
    (directory / ".eval-banana").mkdir()
    for i in range(checks):
        text = f"schema_version: 1\nid: check-{i}\ntype: deterministic\ndescription: Trivial check {i}\nscript: pass\n"
        (directory / "eval_checks" / f"{i:05}.yaml").write_text(text)
    return str(directory)


def conditions(python):
    version = subprocess.run([python, "--version"], capture_output=True, text=True).stdout.strip()
    node = subprocess.run(["node", "--version"], capture_output=True, text=True).stdout.strip()
    return f"{os.cpu_count()} processors, {sys.platform}, Node {node}, {version}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="counted pairs of each row (default: 5)")
    parser.add_argument("--python", default=sys.executable, help="the interpreter for checks (default: this one)")
    parser.add_argument("--scale", action="store_true", help="also run 20,000 checks on a stub interpreter; minutes")
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="eval-banana-bench-"))
    try:
        projects = {n: make_project(folder / str(n), n) for n in (1, 200, 1000)}
        script = folder / "pass.py"
        script.write_text("pass\n")
        node = ["node", "-e", "0"]
        python = {"EVAL_BANANA_PYTHON": options.python}
        print(f"{conditions(options.python)}; medians of {options.rounds} pairs, lowest and highest ratio.\n")
        row("what", "CPU", "floor", "ratio", "wanted", "peak memory")
        row(*["---"] * 6)
        pair("`eb --version` : `node -e 0`", [*EB, "--version"], node, "≤ 1.3", options.rounds * 2)
        pair("`eb --help` : `node -e 0`", [*EB, "--help"], node, "≤ 1.5", options.rounds * 2)
        validate = [*EB, "validate", "--cwd"]
        pair("`eb validate`, 1 file : `node -e 0`", [*validate, projects[1]], node, "≤ 3.5", options.rounds * 2)
        pair("`eb validate`, 1,000 files : `node -e 0`", [*validate, projects[1000]], node, "≤ 1.0 s", options.rounds)
        for n in (200, 1000):
            xargs = ["sh", "-c", f"seq {n} | xargs -P 4 -I{{}} {options.python} {script}"]
            name = f"`eb run`, {n:,} trivial checks : `xargs -P 4 python3`"
            pair(name, [*EB, "run", "--cwd", projects[n]], xargs, "≤ 1.15", options.rounds, python)
        if options.scale:
            stub = {"EVAL_BANANA_PYTHON": "/bin/true"}
            many = make_project(folder / "many", 20000)
            for name, project in (("1,000", projects[1000]), ("20,000", many)):
                cpu, memory = measure([*EB, "run", "--cwd", project], stub)
                row(f"`eb run`, {name} checks on a stub interpreter", f"{cpu:.1f} s", "", "", "", f"{memory:.0f} MiB")
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
