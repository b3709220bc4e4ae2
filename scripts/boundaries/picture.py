"""Whether the picture of the rooms is the code."""

import re

from boundaries.finding import Finding
from boundaries.layout import MAY_USE
from boundaries.source import Source, included, public_headers


def arrows_drawn(text):
    """(line, from, to) of the mermaid picture; None without one."""
    block = re.search(r"^```mermaid\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    if block is None:
        return None
    first = text.count("\n", 0, block.start(1)) + 1
    return [(first + n, match[1], match[2]) for n, line in enumerate(block[1].split("\n"))
            if (match := re.match(r"\s*(\w+)(?:\[[^\]]*\])? --> (\w+)", line))]


def arrows_found(sources, paths):
    headers = public_headers(paths)
    return {(source.room, Source(target, "").room) for source in sources if source.room
            for _, _, target in included(source, headers, set(paths))}


def led_to(room, arrows):
    """The room and all that arrows lead to from it."""
    seen, new = set(), {room}
    while new:
        seen |= new
        new = {to for _, begin, to in arrows if begin in seen} - seen
    return seen


def the_picture_is_the_code(text, found):
    """What is drawn and what rooms may use and do use are one."""
    drawn = arrows_drawn(text)
    if drawn is None:
        yield Finding(1, "no picture of the rooms", "a mermaid graph with lines 'room --> room'")
        return
    for line, begin, to in drawn:
        if begin not in MAY_USE or to not in MAY_USE:
            yield Finding(line, f"arrow {begin} --> {to}", f"the rooms are {', '.join(MAY_USE)}")
        elif (begin, to) not in found:
            yield Finding(line, f"arrow {begin} --> {to}, which no include takes", "arrows of the code")
    for room, may_use in MAY_USE.items():
        if (leads := led_to(room, drawn)) != may_use:
            yield Finding(drawn[0][0] if drawn else 1, f"arrows lead from {room} to {', '.join(sorted(leads - {room})) or 'nothing'}",
                          f"{', '.join(sorted(may_use - {room})) or 'nothing'} (MAY_USE in scripts/boundaries/layout.py)")
