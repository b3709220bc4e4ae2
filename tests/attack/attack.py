"""What the attacks share: arguments, a clean environment, running a program within limits, the account.

An attack is a script `NAME.py PROGRAM… [--count N] [--seed S]`. It prints its seed first, one line for every run that
misbehaved, with all that is needed to repeat it, and the account last; exit 1 when there was one.
"""
import argparse
import glob
import os
import random
import resource
import shlex
import subprocess
import tempfile
import time

OWN = ("YOKE_", "_YOKE_", "OMP_", "KMP_", "GOMP_")


def arguments(description, count, add_others=None):
    """The parsed command line, with .programs, .count, .seed, .limit and .random; `add_others(parser)` adds more."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="+", metavar="PROGRAM")
    parser.add_argument("--count", type=int, default=count, help="runs (default %(default)s)")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000_007, help="default: from the clock")
    parser.add_argument("--limit", type=float, default=120, help="seconds of CPU time that a run may take, or do nothing (default %(default)s)")
    parser.add_argument("--memory", type=int, default=0, help="GiB of addresses a run may have; 0: any number")
    if add_others:
        add_others(parser)
    parsed = parser.parse_args()
    parsed.programs = [os.path.abspath(program) for program in parsed.programs]
    parsed.random = random.Random(parsed.seed)
    print(f"seed {parsed.seed}", flush=True)
    return parsed


def clean_environment(changes=None):
    """The caller's environment without what steers OpenMP and Yoke and without a profile, and with `changes` (bytes or text)."""
    kept = {name: value for name, value in os.environb.items() if not os.fsdecode(name).startswith(OWN)}
    kept[b"YOKE_PROFILE"] = b"none"
    kept.update({os.fsencode(name): os.fsencode(value) for name, value in (changes or {}).items()})
    return kept


class Patience:
    """Whether a run hangs, by what it does and not by how long that takes where others want the CPUs too: it has had `limit`
    seconds of CPU time, or all of it slept in so many looks, a second apart, with hardly one between in which it did not."""

    def __init__(self, limit):
        self.limit = limit
        self.asleep = 0

    def is_over(self, cpu_seconds, states):
        """`states` of its threads, as the kernel has them: what runs, waits for a CPU or a disk, or was stopped by others,
        does not sleep."""
        self.asleep = self.asleep + 1 if all(state in "SIZX" for state in states) else max(0, self.asleep - 5)
        return cpu_seconds >= self.limit or self.asleep >= self.limit


def look_at(process):
    """CPU seconds that a process has had, and the states of its threads."""
    def fields_of(path):
        try:
            with open(path, "rb") as file:  # behind the name, which may hold anything
                return file.read().rpartition(b")")[2].split()
        except OSError:
            return []  # it has ended

    of_all = fields_of(f"/proc/{process}/stat")
    threads = [fields_of(path) for path in glob.glob(f"/proc/{process}/task/*/stat")]
    seconds = (int(of_all[11]) + int(of_all[12])) / os.sysconf("SC_CLK_TCK") if of_all else 0
    return seconds, [fields[0].decode() for fields in threads if fields]


def output_of(process, limit):
    """Its output, when it has ended; raises subprocess.TimeoutExpired where it hangs."""
    patience = Patience(limit)
    while True:
        try:
            return process.communicate(timeout=1)
        except subprocess.TimeoutExpired:
            if patience.is_over(*look_at(process.pid)):
                raise


class Result:
    """How a run ended: .status (None: it hung), .signal, .out and .err as text."""

    def __init__(self, status, out, err):
        self.status = status
        self.signal = -status if status is not None and status < 0 else None
        self.out = (out or b"").decode(errors="replace")
        self.err = (err or b"").decode(errors="replace")


def run(command, changes=None, limit=120, memory=0, folder=None, **streams):
    """Runs it in `folder` (a fresh one is left behind as it was); `streams` as of subprocess.Popen."""
    def confine():
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory << 30, memory << 30))

    before_start = streams.pop("preexec_fn", None)

    def prepare():
        confine()
        if before_start:
            before_start()

    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    with tempfile.TemporaryDirectory() as fresh:
        process = subprocess.Popen(command, env=clean_environment(changes), cwd=folder or fresh, preexec_fn=prepare,
                                   **streams)
        try:
            out, err = output_of(process, limit)
            return Result(process.returncode, out, err)
        except subprocess.TimeoutExpired:
            process.kill()
            out, err = process.communicate()
            return Result(None, out, err)


def shown(command, changes=None):
    """A line for a shell that repeats the run."""
    words = [f"{os.fsdecode(k)}={shlex.quote(os.fsdecode(v))}" for k, v in sorted((changes or {}).items())]
    words += [shlex.quote(os.fsdecode(word)) for word in command]
    return " ".join(words).encode("utf-8", "backslashreplace").decode()


def one_message(program, message):
    """None when stderr holds exactly one message of the program, in one paragraph; else what it holds."""
    start = os.path.basename(program) + ": "
    if not message.startswith(start) or message.count("\n" + start):
        return f"not one message that begins with '{start}': {message!r}"
    if "\n\n" in message.rstrip("\n") or not message.endswith("\n"):
        return f"not one paragraph: {message!r}"
    return None


class Account:
    """Counts runs and tells of those that misbehaved."""

    def __init__(self):
        self.runs = 0
        self.wrong = 0

    def add(self, line, complaint):
        self.runs += 1
        if complaint:
            self.wrong += 1
            print(f"{line}\n    {complaint}", flush=True)

    def end(self, what):
        print(f"{self.runs - self.wrong} of {self.runs} {what}")
        return 1 if self.wrong or not self.runs else 0
