"""Runs commands and puts what they took into a Markdown table."""

import os
import statistics
import sys
import time
from dataclasses import dataclass

# Where it is set, it triples every start of Node and hides everything else.
ENV = {name: value for name, value in os.environ.items() if name != "NODE_EXTRA_CA_CERTS"}


@dataclass
class Command:
    argv: list
    env: dict | None = None
    cwd: str | None = None
    codes: tuple = (0,)


@dataclass
class Taken:
    """CPU seconds of a command with all its children, seconds by the clock, and MiB of its largest process."""

    cpu: float
    seconds: float
    memory: float
    code: int


def measure(command):
    """Runs a command once."""
    # A shell changes the directory, and is replaced by the command: it adds a millisecond to those that need it.
    argv = command.argv if command.cwd is None else ["sh", "-c", 'cd "$0" && exec "$@"', command.cwd, *command.argv]
    quiet = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in (0, 1, 2)]
    begin = time.perf_counter()
    pid = os.posix_spawnp(argv[0], argv, {**ENV, **(command.env or {})}, file_actions=quiet)
    _, status, usage = os.wait4(pid, 0)
    seconds = time.perf_counter() - begin
    code = os.waitstatus_to_exitcode(status)
    if code not in command.codes:
        sys.exit(f"{' '.join(argv)} ended with {code}")
    return Taken(usage.ru_utime + usage.ru_stime, seconds, usage.ru_maxrss / 1024, code)


class Table:
    """Prints rows as they come, and keeps them for a file."""

    def __init__(self):
        self.lines = []

    def say(self, line=""):
        self.lines.append(line)
        print(line, flush=True)

    def head(self, title):
        self.say(f"\n{title}\n")
        self.cells("what", "CPU", "floor", "ratio", "wanted", "time", "peak memory")
        self.cells(*["---"] * 7)

    def cells(self, *cells):
        self.say(f"| {' | '.join(cells)} |")

    def pair(self, name, ours, floor, rounds, wanted="", less=None, warm=True):
        """A row: `ours` and `floor`, run in turn; the CPU of `less` is taken from ours before the ratio is made."""
        commands = [ours, floor, *([less] if less else [])]
        if warm:
            for command in commands:
                measure(command)
        runs = [[measure(command) for command in commands] for _ in range(rounds)]
        ratios = sorted((a.cpu - (rest[0].cpu if rest else 0)) / b.cpu for a, b, *rest in runs)
        spread = f" ({ratios[0]:.2f} to {ratios[-1]:.2f})" if rounds > 1 else ""
        floor_cpu = seconds(statistics.median(run[1].cpu for run in runs))
        self.row(name, [run[0] for run in runs], floor_cpu, f"{statistics.median(ratios):.2f}{spread}", wanted)

    def alone(self, name, command, rounds=1, wanted="", warm=True):
        """A row of a command that has nothing to be compared with."""
        if warm:
            measure(command)
        self.row(name, [measure(command) for _ in range(rounds)], "", "", wanted)

    def row(self, name, taken, floor, ratio, wanted):
        self.cells(
            name,
            seconds(statistics.median(run.cpu for run in taken)),
            floor,
            ratio,
            wanted,
            seconds(statistics.median(run.seconds for run in taken)),
            f"{max(run.memory for run in taken):.0f} MiB",
        )


def seconds(value):
    return f"{value * 1000:.0f} ms" if value < 1 else f"{value:.1f} s"
