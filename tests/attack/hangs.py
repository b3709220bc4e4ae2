#!/usr/bin/env python3
"""When an attack says that a run hangs.

hangs.py
"""
import sys

import attack

wrong = []


def expect(condition, what):
    if not condition:
        wrong.append(what)


def looks_until_over(limit, look, most=10000):
    """How many looks it takes; None: it does not hang. `look(n)` gives CPU seconds and states."""
    patience = attack.Patience(limit)
    return next((n for n in range(most) if patience.is_over(*look(n))), None)


def made_up_runs():
    expect(looks_until_over(60, lambda n: (7 * min(n, 600) / 600, "SR")) is None, "7 s of CPU time in 600 s hang")
    expect(looks_until_over(60, lambda n: (2 * n, "RR")) == 30, "a run that spins does not hang after 60 s of CPU time")
    expect(looks_until_over(60, lambda n: (3, "SSS")) == 59, "a run that sleeps does not hang after 60 looks")
    expect(looks_until_over(60, lambda n: (3 + n / 1000, "R" if n % 20 == 0 else "S")) is not None,
           "a run that looks around now and then does not hang")
    expect(looks_until_over(60, lambda n: (3, "T")) is None, "a run that was stopped hangs")
    expect(looks_until_over(60, lambda n: (3, "DS")) is None, "a run that waits for a disk hangs")


def real_runs():
    # For longer than the limit it is not its own doing that it does nothing.
    stopped = attack.run(["sh", "-c", "(sleep 4; kill -CONT $$) & kill -STOP $$; exit 5"], limit=2)
    expect(stopped.status == 5, f"a run that was stopped for a while: {stopped.status}")
    expect(attack.run(["sh", "-c", "while :; do :; done"], limit=2).status is None, "a run that spins does not hang")
    expect(attack.run(["sleep", "1000"], limit=2).status is None, "a run that sleeps does not hang")


made_up_runs()
real_runs()
print("\n".join(wrong) or "all is right")
sys.exit(1 if wrong else 0)
