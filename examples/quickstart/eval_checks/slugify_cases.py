import sys

sys.path.insert(0, "made")

from slugify import slugify

CASES = {
    "Hello, World!": "hello-world",
    "  Crème brûlée  ": "creme-brulee",
    "a -- b": "a-b",
}

for title, wanted in CASES.items():
    found = slugify(title)
    print(f"{title!r} -> {found!r}")
    assert found == wanted, f"slugify({title!r}) is {found!r}, expected {wanted!r}"
