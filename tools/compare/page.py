"""One page with everything, which opens without a network."""
import base64
import html
import pathlib

import tables

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #222; max-width: 68rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { padding: .25rem .7rem; text-align: right; border-bottom: 1px solid #ddd; }
th { border-bottom: 2px solid #888; } td:nth-child(-n+3), th:nth-child(-n+3) { text-align: left; }
tr.best td { font-weight: 600; } img { max-width: 100%; } p.note { color: #555; font-size: .9rem; }
"""
NOTE = ("Rate: mean of the runs, with the half width of its 95% confidence interval (Student's t). Speedup: over the first row of "
        "the program. Regret: how much longer than with the best schedule of the same program and configuration; in virtual time, "
        "than with the best map known. Idle: mean over the CUs. Bytes: copied between memories.")


def best_rows(rows):
    """The ids of the rows with the highest rate of each program."""
    best = {}
    for row in rows:
        if row["rate"] is not None and row["rate"] > best.get(row["program"], {"rate": 0})["rate"]:
            best[row["program"]] = row
    return {id(row) for row in best.values()}


def table(rows):
    columns = tables.used_columns(rows)
    best = best_rows(rows)
    head = "".join(f"<th>{html.escape(tables.TITLES[column])}</th>" for column in columns)
    body = ""
    for row in rows:
        cells = "".join(f"<td>{html.escape(tables.text_of(row, column))}</td>" for column in columns)
        body += f"<tr{' class=best' if id(row) in best else ''}>{cells}</tr>\n"
    return f"<table><thead><tr>{head}</tr></thead><tbody>\n{body}</tbody></table>"


def figure(title, path):
    data = base64.b64encode(pathlib.Path(path).read_bytes()).decode()
    return f'<h2>{html.escape(title)}</h2>\n<img alt="{html.escape(title)}" src="data:image/svg+xml;base64,{data}">\n'


def write(folder, content, rows, figures):
    where = content["settings"]["machine"] or f"{content['host']['cpu']}, {content['host']['cpus']} CPUs"
    body = f"<h1>Schedules compared</h1><p>On {html.escape(where)}; load at the beginning {content['host']['load']:.2f}.</p>"
    body += table(rows) + f'<p class="note">{NOTE}</p>' + "".join(figure(title, path) for title, path in figures)
    head = f'<meta charset="utf-8"><title>yoke compare</title><style>{STYLE}</style>'
    text = f'<!doctype html><html lang="en">{head}\n{body}</html>\n'
    (folder / "index.html").write_text(text, encoding="utf-8")
