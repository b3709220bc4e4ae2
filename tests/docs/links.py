"""Whether each link between the documents of a folder leads to a file and a heading that are there.

    links.py FOLDER
"""

import pathlib
import re
import sys

LINK = re.compile(r"\]\((?!\w+:)([^)\s#]*)(?:#([^)\s]+))?\)")


def read(path):
    return path.read_text(encoding="utf-8")


def without_code(text):
    return re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)


def documents(root):
    for path in sorted(root.rglob("*.md")):
        parts = path.relative_to(root).parts
        if "build" not in parts and not any(part.startswith(".") or part == "node_modules" for part in parts):
            yield path


def anchors(text):
    """As GitHub makes them."""
    found = {}
    for heading in re.findall(r"^#+ (.*)$", without_code(text), re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        slug = re.sub(r"[^\w\- ]", "", words).strip().replace(" ", "-")
        number = found.get(slug, 0)
        found[slug] = number + 1
        yield slug if number == 0 else f"{slug}-{number}"


def links(text):
    """(file, heading) of each; a file within the same document is empty, as is a heading that is not named."""
    return LINK.findall(re.sub(r"`[^`\n]*`", "``", without_code(text)))


def dead_links(root):
    for path in documents(root):
        for target, anchor in links(read(path)):
            other = (path.parent / target).resolve() if target else path
            if not other.exists() or not other.is_relative_to(root):
                yield f"{path.relative_to(root)}: {target}: no such file"
            elif anchor and other.suffix == ".md" and anchor not in anchors(read(other)):
                yield f"{path.relative_to(root)}: {target}#{anchor}: no such heading"


def main(folder):
    root = pathlib.Path(folder).resolve()
    pages = len(list(documents(root)))
    dead = list(dead_links(root))
    print("\n".join([*dead, f"{pages} documents, {len(dead)} dead links"]))
    return bool(dead) or pages == 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
