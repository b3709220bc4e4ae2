"""Bars as an SVG: the same data give the same text, so that a check can compare it."""

from xml.sax.saxutils import escape

COLOURS = ["#999999", "#0072b2", "#56b4e9", "#d55e00"]  # also told apart by those who see no red or green
WIDTH, LEFT, TOP, HEIGHT, BOTTOM = 760, 64, 96, 300, 40


def text(x, y, words, anchor="middle", size=12):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}">{escape(words)}</text>'


def ticks(largest):
    """Round numbers from 0 to the first one that is not below the largest."""
    step = next(s * 10 ** e for e in range(-3, 12) for s in (1, 2, 5) if s * 10 ** e * 5 >= largest)
    count = next(n for n in range(1, 7) if n * step >= largest)
    return [n * step for n in range(count + 1)]


def legend(names):
    for n, name in enumerate(names):
        yield f'<rect x="{LEFT}" y="{10 + 18 * n}" width="12" height="12" fill="{COLOURS[n]}"/>'
        yield text(LEFT + 18, 20 + 18 * n, name, "start")


def axis(values, title, top_of, width):
    for value in values:
        yield f'<line x1="{LEFT}" x2="{width}" y1="{top_of(value):.1f}" y2="{top_of(value):.1f}" stroke="#dddddd"/>'
        yield text(LEFT - 6, top_of(value) + 4, f"{value:g}", "end")
    middle = TOP + HEIGHT / 2
    yield f'<g transform="rotate(-90 14 {middle:.1f})">{text(14, middle, title)}</g>'


def draw(groups, title, width=WIDTH):
    """`groups`: {group: {name: value}}; a name that a group lacks leaves no gap there. At most four names. `width` in pixels."""
    names = list(dict.fromkeys(name for bars in groups.values() for name in bars))
    values = ticks(max(value for bars in groups.values() for value in bars.values()))
    top_of = lambda value: TOP + HEIGHT * (1 - value / values[-1])  # noqa: E731
    a_group = (width - LEFT) / len(groups)
    a_bar = 0.84 * a_group / len(names)
    parts = [*legend(names), *axis(values, title, top_of, width)]
    for n, (group, bars) in enumerate(groups.items()):
        middle = LEFT + (n + 0.5) * a_group
        parts.append(text(middle, TOP + HEIGHT + 24, group, size=14))
        for i, (name, value) in enumerate(bars.items()):
            x = middle + (i - len(bars) / 2) * a_bar
            parts.append(f'<rect x="{x + 1:.1f}" y="{top_of(value):.1f}" width="{a_bar - 2:.1f}" '
                         f'height="{TOP + HEIGHT - top_of(value):.1f}" fill="{COLOURS[names.index(name)]}"/>')
            parts.append(text(x + a_bar / 2, top_of(value) - 4, f"{value:.2f}" if value < 100 else f"{value:.0f}"))
    lines = "\n".join(parts)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width + 10} {TOP + HEIGHT + BOTTOM}" '
            f'font-family="sans-serif">\n<rect width="100%" height="100%" fill="white"/>\n{lines}\n</svg>\n')
