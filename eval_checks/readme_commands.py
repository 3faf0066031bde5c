"""Every command that README.md and docs/ show exists: eb commands with their options, make targets, npm scripts."""

import json
import pathlib
import re
import subprocess

pages = [pathlib.Path("README.md"), pathlib.Path("AGENTS.md"), *sorted(pathlib.Path("docs").glob("*.md"))]
targets = set(re.findall(r"^([\w-]+):", pathlib.Path("Makefile").read_text(), re.M))
scripts = json.loads(pathlib.Path("package.json").read_text())["scripts"]
helps = {}


def help_of(*command):
    if command not in helps:
        done = subprocess.run(["node", "dist/cli/main.cjs", *command, "--help"], capture_output=True, text=True)
        helps[command] = done.stdout if done.returncode == 0 else None
    return helps[command]


def subcommands(text):
    _, _, listed = text.partition("Commands:")
    return re.findall(r"^  ([a-z]+) ", listed, re.M)


def command_in(words):
    """The longest start of the words that names a command: (suite, baseline, update) of suite baseline update --force."""
    command = words[:1]
    for word in words[1:]:
        if word not in subcommands(help_of(*command) or ""):
            break
        command.append(word)
    return command


def commands(text):
    yield from re.findall(r"`((?:npx )?(?:eb|make|npm run) [^`]+)`", text)
    for block in re.findall(r"^```(?:sh|console|yaml)\n(.*?)^```", text, re.M | re.S):
        yield from block.splitlines()


faults = []
seen = 0
for page in pages:
    for line in commands(page.read_text(encoding="utf-8")):
        for words in re.findall(r"\b(?:eb|eval-banana) ((?:[a-z-]+ ?)[^#|&>]*)", line):
            words = words.split()
            if words[0].startswith("-"):
                continue
            seen += 1
            command = command_in(words)
            text = help_of(*command)
            if text is None:
                faults.append(f"{page}: there is no command `eb {words[0]}`")
                continue
            for option in re.findall(r"(?<!\S)(--[a-z-]+)", " ".join(words)):
                if not re.search(rf"{option}(?![\w-])", text):
                    faults.append(f"{page}: `eb {' '.join(command)}` has no option {option}")
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
