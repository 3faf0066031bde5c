"""Stands in for an agent, so that the example runs offline. It is no model and judges nothing.

Its rule: the file that the instructions name must hold every `phrase` that they put between backquotes.
"""

import json
import re
import sys

prompt = sys.stdin.read()
token = re.search(r'"token": "([0-9a-f]+)"', prompt)[1]
instructions = prompt.split("\nInstructions:\n", 1)[1]
path = re.search(r"\bmade/[\w./-]*\w", instructions)[0]
wanted = re.findall(r"`([^`]+)`", instructions)

with open(path, encoding="utf-8") as file:
    text = " ".join(file.read().split())
missing = [phrase for phrase in wanted if phrase not in text]

said = f"{path} lacks {', '.join(missing)}" if missing else f"{path} holds {', '.join(wanted)}"
print("stand_in.py is no model: it only looks for the phrases between backquotes.")
print(json.dumps({"score": 0 if missing else 1, "reason": f"stand-in, not a model: {said}", "token": token}))
