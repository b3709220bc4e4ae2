#!/usr/bin/env python3
"""Draws docs/guide/auto.svg: two estimates of a pass, and what a change from one to the other wins and loses.

draw_auto.py [--check]
"""
import math
import pathlib
import sys

TO = pathlib.Path(__file__).resolve().parent.parent / "docs/guide/auto.svg"
WIDTH, HEIGHT, BASE = 640, 250, 190
FROM, UNTIL = 0.7, 1.3  # passes in terms of the present map's
HERE, THERE = (1.0, 0.015), (0.95, 0.07)  # pass and error


def x(ratio):
    return (ratio - FROM) / (UNTIL - FROM) * WIDTH


def y(ratio, estimate, height):
    return BASE - height * math.exp(-((math.log(ratio / estimate[0]) / estimate[1]) ** 2) / 2)


def curve(estimate, height, begin, end):
    steps = 160
    return " ".join(f"{x(r):.1f},{y(r, estimate, height):.1f}" for r in (begin + (end - begin) * i / steps for i in range(steps + 1)))


def area(estimate, height, begin, end):
    return f"{x(begin):.1f},{BASE} {curve(estimate, height, begin, end)} {x(end):.1f},{BASE}"


def text(at, height, words, anchor="middle"):
    return f'<text x="{at:.1f}" y="{height}" text-anchor="{anchor}">{words}</text>'


def drawing():
    wide, narrow = 80, 150
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<polygon points="{area(THERE, wide, FROM, 1)}" fill="#9fd3a5"/>',
        f'<polygon points="{area(THERE, wide, 1, UNTIL)}" fill="#e8a9a0"/>',
        f'<polyline points="{curve(THERE, wide, FROM, UNTIL)}" fill="none" stroke="#2f6f3a" stroke-width="2"/>',
        f'<polyline points="{curve(HERE, narrow, FROM, UNTIL)}" fill="none" stroke="#27408b" stroke-width="2"/>',
        f'<line x1="0" y1="{BASE}" x2="{WIDTH}" y2="{BASE}" stroke="#000000"/>',
        text(x(1.02), 48, "the present map, timed", "start"), text(x(0.86), 96, "another one, predicted", "end"),
        text(x(0.93), BASE - 14, "gain"), text(x(1.045), BASE - 8, "loss"),
        text(x(1), BASE + 18, "1"), text(x(0.8), BASE + 18, "0.8"), text(x(1.2), BASE + 18, "1.2"),
        text(WIDTH / 2, BASE + 46, "what a pass takes, of what it takes with the present map"), "</svg>", ""])


if "--check" in sys.argv:
    sys.exit(0 if TO.read_text(encoding="utf-8") == drawing() else f"{TO} is not what scripts/draw_auto.py draws")
TO.write_text(drawing(), encoding="utf-8")
