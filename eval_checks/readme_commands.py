"""Every command that README.md and docs/ show exists: eb commands with their options, make targets, npm scripts."""

import json
import pathlib
import re
import subprocess

pages = [pathlib.Path("README.md"), pathlib.Path("AGENTS.md"), *sorted(pathlib.Path("docs").glob("*.md"))]
targets = set(re.findall(r"^([\w-]+):", pathlib.Path("Makefile").read_text(), re.M))
scripts = json.loads(pathlib.Path("package.json").read_text())["scripts"]
helps = {}


def help_of(command):
    if command not in helps:
        done = subprocess.run(["node", "dist/cli/main.cjs", *command.split(), "--help"], capture_output=True, text=True)
        helps[command] = done.stdout if done.returncode == 0 else None
    return helps[command]


def commands(text):
    yield from re.findall(r"`((?:npx )?(?:eb|make|npm run) [^`]+)`", text)
    for block in re.findall(r"^```(?:sh|console|yaml)\n(.*?)^```", text, re.M | re.S):
        yield from block.splitlines()


faults = []
seen = 0
for page in pages:
    for line in commands(page.read_text(encoding="utf-8")):
        for words in re.findall(r"\b(?:eb|eval-banana) ((?:[a-z-]+ ?)[^#|&>]*)", line):
            command, *rest = words.split()
            if command.startswith("-"):
                continue
            seen += 1
            text = help_of(command)
            if text is None:
                faults.append(f"{page}: there is no command `eb {command}`")
                continue
            for option in re.findall(r"(?<!\S)(--[a-z-]+)", " ".join(rest)):
                if option not in text:
                    faults.append(f"{page}: `eb {command}` has no option {option}")
        for target in re.findall(r"^\s*make ([\w-]+)", line):
            seen += 1
            if target not in targets:
                faults.append(f"{page}: there is no `make {target}`")
        for script in re.findall(r"\bnpm run ([\w-]+)", line):
            seen += 1
            if script not in scripts:
                faults.append(f"{page}: there is no `npm run {script}`")

print(f"{seen} commands in {len(pages)} pages")
assert seen >= 10, "hardly any command was found: is the pattern still right?"
assert not faults, "; ".join(faults)
