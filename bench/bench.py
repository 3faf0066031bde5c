"""Measures eval-banana against floors and, when asked, against other tools; prints Markdown tables.

Each row runs two commands in turn, A B A B ..., and quotes the median of the ratios of their CPU seconds (user and
system, with all children), so that a machine that gets slower or faster does not matter.
"""

import argparse
import datetime
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tempfile

import peers
import suites
from measure import Command, Table
from projects import EB, eb, launchers, make_monorepo, make_project, xargs

NODE = Command(["node", "-e", "0"])
SIZES = (200, 1000)


def starts(table, options, projects, python):
    """What a command takes before there is anything to do."""
    rounds = options.rounds * 10
    one = projects[1]
    table.head("Starts, compared with `node -e 0`:")
    table.alone("`node -e 0`", NODE, rounds)
    table.alone("`python3 pass.py`", python, rounds)
    table.pair("`eb --version`", Command([*EB, "--version"]), NODE, rounds, "≤ 1.3")
    table.pair("`eb --help`", Command([*EB, "--help"]), NODE, rounds, "≤ 1.5")
    table.pair("`eb list`, 1 check", eb("list", one), NODE, rounds, "≤ 2.4")
    table.pair("`eb validate`, 1 check", eb("validate", one), NODE, rounds, "≤ 2.4")
    table.pair("`eb validate`, 1,000 checks", eb("validate", projects[1000]), NODE, options.rounds)
    run = eb("run", one, options.python)
    table.pair("`eb run`, 1 check, less `python3 pass.py`", run, NODE, rounds, "≤ 2.4", less=python)


def runs(table, options, projects, script):
    """Checks that do nothing, so that what is seen is the tool."""
    table.head("Runs of checks that hold `pass`, compared with `xargs -P 4 python3 pass.py`:")
    known = launchers(projects[1])
    for size in SIZES:
        floor = xargs(size, options.python, script)
        for launcher in known or [None]:
            name = f"`eb run`, {size:,} checks{f', launcher {launcher}' if launcher else ''}"
            ours = eb("run", projects[size], options.python, launcher)
            wanted = ("≤ 0.25" if size < 1000 else "≤ 0.2") if launcher == "fork" else "≤ 1.15"
            table.pair(name, ours, floor, rounds_for(options, size), wanted)


def others(table, options, projects, folder):
    """The same checks in other tools."""
    table.head("Other tools with the same checks, 4 at a time, compared with `eb run`:")
    for peer in peers.PEERS:
        home = peers.install(options.peers_in or folder / "peers", peer)
        for size in SIZES:
            theirs = peers.prepare(peer, home, size, options.python)
            name = f"{peers.VERSIONS[peer][0].replace('@', ' ')}, {size:,} checks"
            ours = eb("run", projects[size], options.python)
            table.pair(name, theirs, ours, rounds_for(options, size), warm=size == SIZES[0])


def scale(table, options, projects, folder):
    """Much of everything."""
    many = make_project(folder / "20000", 20_000)
    files = make_project(folder / "10000", 10_000)
    monorepo = make_monorepo(folder / "monorepo")
    table.head("Scale:")
    find = Command(["find", monorepo, "-name", "eval_checks", "-prune"])
    name = "`eb list`, 50 `eval_checks` among 200,000 files : `find -name eval_checks -prune`"
    table.pair(name, eb("list", monorepo), find, options.rounds, "≤ 1.5")
    table.alone("`eb validate`, 10,000 files", eb("validate", files), options.rounds)
    nothing = eb("run", many, str(folder / "no-python"), codes=(1,))
    table.alone("`eb run`, 20,000 checks without an interpreter: reading and reports only", nothing, warm=False)
    stub = "/bin/true"
    for project, count in ((projects[1000], 1000), (many, 20_000)):
        name = f"`eb run`, {count:,} checks on a stub interpreter : `xargs -P 4 {stub}`"
        table.pair(name, eb("run", project, stub), xargs(count, stub), 1, warm=False)


def rounds_for(options, size):
    """Fewer of those that take long."""
    return options.rounds if size < 1000 else max(1, options.rounds // 2)


def conditions(options):
    python = subprocess.run([options.python, "--version"], capture_output=True, text=True).stdout.strip()
    node = subprocess.run(["node", "--version"], capture_output=True, text=True).stdout.strip()
    day = datetime.date.today().strftime("%d %B %Y").lstrip("0")
    system = f"{platform.system()} {platform.release()}"
    load = f"load {os.getloadavg()[0]:.1f} at the start"
    return f"{day}: {os.cpu_count()} processors, {system}, Node {node}, {python}; {load}."


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    rounds = "counted pairs; short commands get 10 times as many, those of 1,000 checks half (default: 4)"
    parser.add_argument("--rounds", type=int, default=4, help=rounds)
    parser.add_argument("--python", default=sys.executable, help="the interpreter for checks (default: this one)")
    parser.add_argument("--peers", action="store_true", help="also measure other tools, which are installed with npm")
    kept = "where they are installed and kept (default: a temporary folder)"
    parser.add_argument("--peers-in", metavar="FOLDER", help=kept)
    parser.add_argument("--scale", action="store_true", help="also measure large projects")
    parser.add_argument("--out", metavar="FILE", help="also write the tables into this file")
    return parser.parse_args()


def main():
    options = parse()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="eval-banana-bench-"))
    table = Table()
    try:
        projects = {size: make_project(folder / str(size), size) for size in (1, *SIZES)}
        script = folder / "pass.py"
        script.write_text("pass\n")
        table.say(conditions(options))
        starts(table, options, projects, Command([options.python, str(script)]))
        runs(table, options, projects, script)
        suites.suites(table, options, folder)
        if options.peers:
            others(table, options, projects, folder)
        if options.scale:
            scale(table, options, projects, folder)
    finally:
        shutil.rmtree(folder)
    if options.out:
        pathlib.Path(options.out).write_text("\n".join([*table.lines, ""]))


if __name__ == "__main__":
    main()
