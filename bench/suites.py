"""Suites that are measured: one that waits for its target, and large ones that call nothing."""

import json

from measure import Command, measure, seconds
from projects import EB

CASES = 10_000
SLEEP = 0.2
PARALLEL = 8


def write_suite(directory, suite, target):
    for path, text in ((".eval-banana/evals/suite.yaml", suite), (".eval-banana/targets/default.yaml", target)):
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_text(text)


def waiting(directory, cases, runs):
    """Cases whose target takes a fifth of a second and hardly any CPU."""
    lines = [f"  - {{ id: c{i}, task: Question {i}, expect_keywords: [fine] }}" for i in range(cases)]
    target = f"type: command\ncommand: [sh, -c, 'sleep {SLEEP}; echo fine']\n"
    write_suite(directory, f"runs: {runs}\ncases:\n" + "\n".join(lines) + "\n", target)
    return directory


def recorded(directory, length):
    """Recorded answers of `length` characters, with six assertions each."""
    write_suite(directory, "cases_file: cases.jsonl\n", "type: replay\npath: answers.jsonl\n")
    with (directory / ".eval-banana/evals/cases.jsonl").open("w") as cases:
        for i in range(CASES):
            checks = {"max_chars": 1_000_000, "starts_with": "The", "must_match": [rf"^The answer to question \d+"]}
            case = {"id": f"case-{i}", "task": f"Question {i}", "expect_keywords": ["answer"]}
            more = {"forbidden_keywords": ["as an AI"], "expect_regex": [r"\d+ is"], "checks": checks}
            cases.write(json.dumps({**case, **more}) + "\n")
    with (directory / ".eval-banana/targets/answers.jsonl").open("w") as answers:
        for i in range(CASES):
            text = f"The answer to question {i}: {i * 7} is what you get. "
            answers.write(json.dumps({"case_id": f"case-{i}", "output": text.ljust(length, ".")}) + "\n")
    return directory


def run(directory, *more):
    return Command([*EB, "suite", "run", "--no-cache", "--cwd", str(directory), *more])


def suites(table, options, folder):
    """What a suite takes besides what its target takes."""
    table.head("Suites:")
    cases, runs = 40, 3
    one = waiting(folder / "one", 1, 1)
    many = waiting(folder / "waiting", cases, runs)
    ideal = cases * runs * SLEEP / PARALLEL
    parallel = ("--max-parallel", str(PARALLEL))
    measure(run(one))
    start = min(measure(run(one)).seconds for _ in range(options.rounds)) - SLEEP
    taken = [measure(run(many, *parallel)) for _ in range(options.rounds)]
    ratios = sorted((each.seconds - start) / ideal for each in taken)
    name = f"{cases} cases × {runs} runs of a target that takes 200 ms, 8 at a time: time, less the start, : {ideal:.0f} s"
    spread = f"{ratios[len(ratios) // 2]:.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f})"
    table.row(name, taken, seconds(ideal), spread, "≤ 1.25")
    for length in (100, 30_000):
        name = f"{CASES:,} recorded answers of {length:,} characters, six assertions each"
        wanted = "≤ 10 s" if length < 1000 else ""
        table.alone(name, run(recorded(folder / f"recorded-{length}", length)), wanted=wanted, warm=False)
