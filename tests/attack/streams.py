#!/usr/bin/env python3
"""Standard streams and files that cannot be used: what a program cannot tell, its exit status tells.

streams.py PROGRAM… [--count N] [--seed S]: every case for each program; N is not used.

Programs are sp-mz, bt-mz and lu-mz; for others (the examples) only stdout is taken away.
"""
import os
import signal
import subprocess
import sys
import tempfile

import attack

SHORT = ["--class", "S", "--cus", "1x1+1", "--devices", "emulated:1", "--steps", "2"]
RUNS = {  # arguments, exit status where all streams work, whether stdout gets something
    "a run": (SHORT, 0, True),
    "a wrong option": (["--class", "Q"], 2, False),
    "a failing run": (SHORT + ["--schedule", "static"], 1, False),
    "help": (["--help"], 0, True),
    "the version": (["--version"], 0, True),
}
FAULT = {"a failing run": {"YOKE_EMULATED": "fail-launch=1"}}
STREAMS = ["open", "closed", "full", "unread"]


def stream(number, kind):
    """How stream `number` is given to the program: Popen's argument, what is to be closed there."""
    if kind == "open":
        return (subprocess.DEVNULL if number == 0 else subprocess.PIPE), None
    if kind == "full":
        return os.open("/dev/full", os.O_RDWR), None
    if kind == "unread":
        reading, writing = os.pipe()
        os.close(reading if number else writing)
        return (writing if number else reading), None
    return subprocess.DEVNULL, number


def run(program, words, kinds, options, changes=None):
    given = [stream(number, kind) for number, kind in enumerate(kinds)]
    closed = [number for _, number in given if number is not None]
    names = dict(zip(("stdin", "stdout", "stderr"), (each for each, _ in given)))
    result = attack.run([program, *words], changes, options.limit,
                        preexec_fn=lambda: [os.close(number) for number in closed], **names)
    for each, _ in given:
        if each >= 0:
            os.close(each)
    return result


def complaint(program, result, wanted, kinds):
    if result.status != wanted:
        how = "hangs" if result.status is None else f"exit {result.status} instead of {wanted}"
        return f"{how}: {result.err!r}"
    if wanted == 0 or kinds[2] != "open":
        return None
    return attack.one_message(program, result.err)


def try_streams(program, options, account):
    for name, (words, status, prints) in RUNS.items():
        for kinds in ((i, o, e) for i in ("open", "closed") for o in STREAMS for e in STREAMS):
            wanted = 1 if prints and status == 0 and kinds[1] != "open" else status
            result = run(program, words, kinds, options, FAULT.get(name))
            found = complaint(program, result, wanted, kinds)
            if not found and status == 0 and kinds[1] == "open" and not result.out:
                found = "nothing on stdout"
            account.add(f"{attack.shown([program, *words], FAULT.get(name))} with {', '.join(kinds)}", found)


def try_files(program, options, account):
    """Results that cannot be written: told before the run where that can be known, else after it."""
    with tempfile.TemporaryDirectory() as folder:
        locked = os.path.join(folder, "locked")
        os.mkdir(locked, 0o500)
        cases = [("/dev/full", 1)]
        if os.geteuid() != 0:  # to root every folder is writable
            cases.append((os.path.join(locked, "run.json"), 2))
        cases += [(folder, 2), (os.path.join(folder, "missing", "run.json"), 2), ("", 2)]
        for option in ("--json", "--trace"):
            for path, wanted in cases:
                # The trace is written once at the start, so that even a full disk is known then.
                wanted = 2 if option == "--trace" else wanted
                words = SHORT + [option, path]
                result = run(program, words, ["open"] * 3, options)
                account.add(attack.shown([program, *words]), complaint(program, result, wanted, ["open"] * 3))


def try_stdout(program, options, account):
    for kind in STREAMS:
        result = run(program, [], ["open", kind, "open"], options, {"YOKE_CUS": "1x1"})
        wanted = [0] if kind == "open" else [1]
        if kind == "unread":
            wanted.append(-signal.SIGPIPE)  # they do as programs do that say nothing else
        account.add(f"{program} with stdout {kind}",
                    None if result.status in wanted else f"exit {result.status} instead of {wanted}: {result.err!r}")


def main():
    options = attack.arguments(__doc__, 0)
    account = attack.Account()
    for program in options.programs:
        if os.path.basename(program).endswith("-mz"):
            try_streams(program, options, account)
            try_files(program, options, account)
        else:
            try_stdout(program, options, account)
    return account.end("runs end as their streams allow")


if __name__ == "__main__":
    sys.exit(main())
