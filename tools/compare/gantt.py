"""One pass out of a trace of Yoke's, or of `yoke simulate`."""
from typing import NamedTuple

TASK, EXCHANGE, WAITING = "tasks", "exchange", "waiting"
# What is drawn, by the category of a span; the rest lies inside of these.
KINDS = {"batch": TASK, "task": TASK, "exchange": EXCHANGE, "wait": WAITING}


class Span(NamedTuple):
    kind: str
    begin: float
    end: float


class Chart(NamedTuple):
    number: int
    begin: float
    end: float
    tracks: list  # of (name, spans)


def track_names(events):
    return {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e.get("ph") == "M" and e["name"] == "thread_name"}


def pass_of(event):
    """Its loop and pass; None of a span that is no task's."""
    told = event.get("args", {})
    is_task = event.get("ph") == "X" and KINDS.get(event.get("cat")) == TASK
    return (told.get("loop", 0), told["pass"]) if is_task and "pass" in told else None


def spans_of(events, track, begin, end):
    spans = []
    for e in events:
        if e.get("ph") == "X" and (e["pid"], e["tid"]) == track and e.get("cat") in KINDS:
            first, last = max(begin, e["ts"]), min(end, e["ts"] + e["dur"])
            if first < last:
                spans.append(Span(KINDS[e["cat"]], first, last))
    return spans


def middle_of_longest_loop(passes):
    loops = [loop for loop, _ in passes]
    longest = max(set(loops), key=loops.count)
    of_loop = [each for each in passes if each[0] == longest]
    return of_loop[len(of_loop) // 2]


def middle_pass(events):
    """The chart of the pass in the middle; None for a trace that tells no passes."""
    passes = sorted({pass_of(e) for e in events} - {None})
    if not passes:
        return None
    chosen = middle_of_longest_loop(passes)
    inside = [e for e in events if pass_of(e) == chosen]
    begin, end = min(e["ts"] for e in inside), max(e["ts"] + e["dur"] for e in inside)
    tracks = [(name, spans_of(events, track, begin, end)) for track, name in track_names(events).items() if "shares" not in name]
    return Chart(int(chosen[1]), begin, end, [(name, spans) for name, spans in tracks if spans])
