"""What was measured, as rows; as CSV and as Markdown."""
import csv
import math

import intervals

COLUMNS = ("program", "cus", "schedule", "rate", "half_width", "runs", "speedup", "regret", "idle", "exchange", "bytes", "failure")
TITLES = {"program": "program", "cus": "CUs", "schedule": "schedule", "rate": "rate", "half_width": "±", "runs": "runs",
          "speedup": "speedup", "regret": "regret", "idle": "idle", "exchange": "exchange", "bytes": "bytes a pass",
          "failure": "failure"}


def mean_of(runs, key):
    values = [run[key] for run in runs if key in run]
    return intervals.mean(values) if values else None


def finite(ratio):
    """None of two rates at opposite ends, which JSON has no number for."""
    return ratio if math.isfinite(ratio) else None


def row_of(cell):
    runs = cell["runs"]
    rates = [run["rate"] for run in runs]
    idle = [intervals.mean(run["idle"]) for run in runs if run.get("idle")]
    return {"program": cell["program"], "cus": cell["cus"], "schedule": cell["schedule"],
            "rate": intervals.mean(rates) if rates else None,
            "half_width": intervals.half_width(rates) if len(rates) > 1 else None,
            "runs": len(runs), "speedup": None, "regret": mean_of(runs, "regret"),
            "idle": intervals.mean(idle) if idle else None,
            "exchange": mean_of(runs, "exchange"), "bytes": mean_of(runs, "bytes"), "failure": cell["failure"]}


def rows_of(cells):
    """Speedup is over the first row of the program. Regret is beside the best schedule of the same program and
    configuration, in virtual time beside the best map known."""
    rows = [row_of(cell) for cell in cells]
    for row in rows:
        if row["rate"] is None:
            continue
        same = [other for other in rows if other["program"] == row["program"] and other["rate"] is not None]
        row["speedup"] = finite(row["rate"] / same[0]["rate"])
        if row["regret"] is None:
            row["regret"] = finite(max(other["rate"] for other in same if other["cus"] == row["cus"]) / row["rate"] - 1)
    return rows


def write_csv(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)


def text_of(row, column):
    value = row[column]
    if column == "cus":
        return value or "default"
    if value is None:
        return ""
    if column == "half_width":
        return f"{100 * value / row['rate']:.1f}%"
    if column in ("regret", "idle", "exchange"):
        return f"{100 * value:.1f}%"
    if column == "speedup":
        return f"{value:.3f}"
    return f"{value:.6g}" if isinstance(value, float) else str(value).replace("|", "\\|")


def used_columns(rows):
    return [column for column in COLUMNS if any(row[column] is not None for row in rows)]


def markdown(rows):
    columns = used_columns(rows)
    lines = ["| " + " | ".join(TITLES[column] for column in columns) + " |", "|" + " --- |" * len(columns)]
    lines += ["| " + " | ".join(text_of(row, column) for column in columns) + " |" for row in rows]
    return "\n".join(lines) + "\n"
