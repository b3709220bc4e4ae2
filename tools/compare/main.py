"""The heart of `yoke compare`, which calls it with its options as JSON.

Runs every schedule on every configuration for every program, round by round, until each mean is known well enough or the
time is over, and writes tables, plots and a page. What was measured is kept in OUT/compare.json, from which it goes on.
"""
import json
import pathlib
import random
import sys
import time

# It is run with -I, so that neither variables nor modules where it is called change what it is: then Python does not
# look into its own folder either.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import calls  # noqa: E402 (the folder comes first)
import cells  # noqa: E402
import drawing  # noqa: E402
import intervals  # noqa: E402
import page  # noqa: E402
import tables  # noqa: E402
import texts  # noqa: E402
from store import Store, UsageError  # noqa: E402

STATUS_FINE, STATUS_FAILED, STATUS_USAGE = 0, 1, 2
LEAST_RUNS = 3


def is_known(cell, accuracy):
    rates = [run["rate"] for run in cell["runs"]]
    return len(rates) >= LEAST_RUNS and intervals.relative(rates) <= accuracy


def is_open(cell, accuracy):
    return cell["failure"] is None and not is_known(cell, accuracy)


def usual_time(cell, otherwise):
    times = [run["wall_s"] for run in cell["runs"]]
    return sum(times) / len(times) if times else otherwise


def remaining(all_cells, accuracy):
    """Seconds that open cells need yet, by what their runs took and how their intervals shrink."""
    known = [run["wall_s"] for cell in all_cells for run in cell["runs"]]
    otherwise = sum(known) / len(known) if known else 0
    left = 0
    for cell in all_cells:
        if is_open(cell, accuracy):
            rates = [run["rate"] for run in cell["runs"]]
            left += usual_time(cell, otherwise) * max(1, intervals.runs_needed(rates, accuracy, LEAST_RUNS) - len(rates))
    return left


class Progress:
    """One line for each run on stderr."""

    def __init__(self, n_cells, accuracy):
        self.n_cells = n_cells
        self.accuracy = accuracy

    def tell(self, all_cells, cell, time_left):
        done = sum(not is_open(each, self.accuracy) for each in all_cells)
        eta = min(remaining(all_cells, self.accuracy), time_left)
        found = cell["failure"] or f"{cell['runs'][-1]['rate']:.6g}"
        print(f"[{done}/{self.n_cells} known, {eta:.0f} s left] {cell['program']}, {cell['cus'] or 'default'}, "
              f"{cell['schedule']}: {found}", file=sys.stderr, flush=True)


def measure(options, store, runner):
    """Rounds in which every open cell is run once, in an order of its own, so that a disturbance hits all alike."""
    begin = time.monotonic()
    accuracy = options["accuracy"] / 100
    order = random.Random(len(store.cells))
    progress = Progress(len(store.cells), accuracy)
    while True:
        open_cells = [cell for cell in store.cells if is_open(cell, accuracy)]
        order.shuffle(open_cells)
        for cell in open_cells:
            left = options["budget"] - (time.monotonic() - begin)
            if usual_time(cell, 0) > left:
                return False
            runner.run(cell, left)
            store.save()
            progress.tell(store.cells, cell, left)
        if not open_cells:
            return True


def summarize(options, store):
    rows = tables.rows_of(store.cells)
    store.content["summary"] = rows
    store.save()
    folder = pathlib.Path(options["out"])
    tables.write_csv(folder / "compare.csv", rows)
    (folder / "compare.md").write_text(tables.markdown(rows), encoding="utf-8")
    return rows


def drawn(options, store, rows, runner):
    """The figures, as (title, file); none without matplotlib."""
    by = drawing.who_draws()
    if by is None:
        return []
    traces = runner.traces(rows, pathlib.Path(options["out"]), store.content.setdefault("traces", {}))
    store.save()
    return drawing.draw_all(by, pathlib.Path(options["out"]), store.cells, rows, traces)


def run(options):
    runner = cells.runner(options)
    store = Store(options)
    in_time = measure(options, store, runner)
    rows = summarize(options, store)
    figures = drawn(options, store, rows, runner)
    page.write(pathlib.Path(options["out"]), store.content, rows, figures)
    print(store.text() if options["json"] else tables.markdown(rows), end="")
    if not in_time:
        print("yoke compare: the time was over before all intervals were narrow enough; the same command goes on", file=sys.stderr)
    return STATUS_FAILED if any(cell["failure"] for cell in store.cells) else STATUS_FINE


def with_valid_names(options):
    """What is written and printed, in every file; the programs and files of these names are found by texts.raw."""
    for key in ("programs", "schedules"):
        options[key] = [texts.valid(each) for each in options[key]]
    options["machine"] = texts.valid(options["machine"])
    return options


def main():
    calls.stop_like_ctrl_c()
    try:
        return run(with_valid_names(json.loads(sys.argv[1])))
    except (UsageError, cells.UsageError) as problem:
        print(f"yoke: {texts.valid(str(problem))}", file=sys.stderr)
        return STATUS_USAGE
    except OSError as problem:
        print(f"yoke: --out: {texts.valid(str(problem.filename))}: {problem.strerror}", file=sys.stderr)
        return STATUS_USAGE
    except KeyboardInterrupt:
        print("yoke compare: stopped; the same command goes on", file=sys.stderr)
        return STATUS_FAILED


if __name__ == "__main__":
    sys.exit(main())
