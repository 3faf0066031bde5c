"""The projects that are measured, and the commands that run this tool in them."""

import pathlib

from measure import Command, measure

ROOT = pathlib.Path(__file__).resolve().parent.parent
EB = ["node", str(ROOT / "dist/cli/main.cjs")]
CONCURRENCY = 4
LAUNCHER = "EVAL_BANANA_DETERMINISTIC_LAUNCHER"


def write_checks(folder, checks, first=0):
    folder.mkdir(parents=True)
    for i in range(first, first + checks):
        text = f"schema_version: 1\nid: check-{i}\ntype: deterministic\ndescription: Trivial check {i}\nscript: pass\n"
        (folder / f"{i:05}.yaml").write_text(text)


def make_project(directory, checks):
    """A project with so many checks whose script is `pass`."""
    write_checks(directory / "eval_checks", checks)
    (directory / ".eval-banana").mkdir()
    return str(directory)


def make_monorepo(directory):
    """200,000 files in 10,000 directories, 20 in each, and 50 `eval_checks` folders among them."""
    for i in range(10_000):
        folder = directory / f"package-{i // 100}" / f"source-{i // 10 % 10}" / f"part-{i % 10}"
        folder.mkdir(parents=True)
        for name in range(20):
            (folder / f"file-{name}.ts").touch()
    for i in range(50):
        write_checks(directory / f"package-{i * 2}" / "eval_checks", 1, first=i)
    (directory / ".eval-banana").mkdir()
    return str(directory)


def eb(command, project, python=None, launcher=None, codes=(0,)):
    """This tool, with all settings at their defaults but the interpreter and the launcher."""
    env = {**({"EVAL_BANANA_PYTHON": python} if python else {}), **({LAUNCHER: launcher} if launcher else {})}
    return Command([*EB, command, "--cwd", project], env, codes=codes)


def launchers(project):
    """The launchers that this build of the tool knows; none: it has no such setting."""
    answer = measure(eb("list", project, launcher="no-such-launcher", codes=range(256)))
    return [] if answer.code == 0 else ["fork", "spawn"]


def xargs(checks, *command):
    """So many starts of a program, as many at a time as this tool has checks running."""
    quoted = " ".join(str(part) for part in command)
    return Command(["sh", "-c", f"seq {checks} | xargs -P {CONCURRENCY} -I{{}} {quoted}"])
