#!/usr/bin/env python3
"""Command lines and environments that went wrong on the way: random edits of valid ones.

command_lines.py PROGRAM… [--count N] [--seed S], with sp-mz, bt-mz and lu-mz

Every run must end within its limit with exit status 0, 1 or 2 and no signal; with 1 and 2 there is one message in one
paragraph, with 2 it names something that was given; what is verified says so, and nothing else does.
"""
import os
import re
import sys

import attack

EMULATED = ["--devices", "emulated:2"]
LINES = [
    ["--class", "S", "--cus", "2x1", "--schedule", "static", "--quiet"],
    ["--class", "S", "--cus", "1x1+1", "--devices", "emulated:1", "--steps", "2"],
    ["--class=S", "--cus=1x2", "--steps=3", "--exchange=barrier"],
    ["--class", "s", "--cus", "+2", *EMULATED, "--steps", "2", "--no-graph", "--schedule", "memorizing,chunk=2"],
    ["--class", "S", "--cus", "1x1+2", *EMULATED, "--steps", "2", "--explain", "--schedule", "static-hybrid,pcf=2.5"],
    ["--grid", "20x18x7", "--zones", "2x3", "--steps", "2", "--cus", "1x1", "--devices", "none"],
    ["--class", "S", "--steps", "1", "--json", "run.json", "--trace", "run.trace.json", "--cus", "1x1"],
    ["--class", "S", "--solo", "--cus", "1x1+1", "--devices", "emulated:1", "--steps", "2", "--schedule", "cost"],
    ["--help"],
    ["--version"],
]
VARIABLES = {
    "YOKE_CUS": ["2x1", "1x2", "+1", "1x1+1", "help"],
    "YOKE_SCHEDULE": ["static", "dynamic,chunk=2", "guided", "pool,pcf=3", "static-hybrid,pcf=auto", "help"],
    "YOKE_DEVICES": ["auto", "none", "emulated:1", "emulated:2", "cuda:0", "hip:0,1;emulated:1", "cuda:0/2:1"],
    "YOKE_EMULATED": ["memory=2GiB", "memory=8MiB,slowdown=2", "shared-memory=48KiB", "fail-copy=40", "lost-after=300"],
    "YOKE_TRACE": ["t.json", "run.json"],
    "YOKE_SMT": ["0", "1"],
    "YOKE_DISPLAY_ENV": ["0", "1"],
    "YOKE_MPI_DEVICES": ["host", "ask", "direct"],
    "OMP_PLACES": ["{0},{1}", "{0,1}", "cores", "threads"],
    "OMP_PROC_BIND": ["close,master", "spread", "false"],
    "OMP_NUM_THREADS": ["2", "2,2"],
    "OMP_THREAD_LIMIT": ["8"],
    "OMP_MAX_ACTIVE_LEVELS": ["2", "1"],
    "OMP_DYNAMIC": ["false", "true"],
    "OMP_SCHEDULE": ["static", "dynamic,4"],
    "OMP_STACKSIZE": ["8M", "512K"],
    "OMP_WAIT_POLICY": ["active", "passive"],
    "KMP_BLOCKTIME": ["0", "200", "infinite"],
    "KMP_HOT_TEAMS_MAX_LEVEL": ["1", "2"],
    "KMP_AFFINITY": ["compact"],
}
STRANGE = [b"", b" ", b"-", b"--", b"=", b",", b"0", b"-1", b"1e99", b"nan", b"9" * 30, b"2147483648", b"\xff\xfe", b"\xc3",
           b"\n", b"help", b"--class", b"*", b"%s%n", b"x" * 5000, b"1x", b"x1", b"+", b"none,none", b"{", "é".encode()]
# What would be well-formed and take too long or too much here.
HEAVY = [rb"^(--class=)?[AaBbCcDdEeFf]$", rb"slowdown=0*[3-9]|slowdown=0*\d\d", rb"^(--steps=)?0*\d{3,6}$"]


def edit_text(random, text):
    """One byte, or one number in it, becomes another."""
    at = random.randrange(len(text) + 1)
    kind = random.randrange(7)
    if kind == 0:
        return text[:at]
    if kind == 1:
        return text[:at] + text[at + 1:]
    if kind == 2:
        return text[:at] + bytes([random.randrange(1, 256)]) + text[at:]
    if kind == 3:
        return text[:at] + random.choice([b"x", b"+", b",", b":", b";", b"=", b"/", b"@", b"-", b"0", b"9"]) + text[at:]
    if kind == 4:
        return re.sub(rb"\d+", lambda _: random.choice([b"0", b"7", b"65536", b"4294967297", b"9" * 25]), text, count=1)
    if kind == 5:
        return text + text
    return random.choice(STRANGE)


def edit_line(random, words):
    words = list(words)
    at = random.randrange(len(words) + 1)
    kind = random.randrange(6)
    if kind == 0 and len(words) > 1:
        other = random.randrange(len(words))
        at %= len(words)
        words[at], words[other] = words[other], words[at]
    elif kind == 1 and words:
        words.insert(at, random.choice(words))
    elif kind == 2 and words:
        del words[at % len(words)]
    elif kind == 3:
        words.insert(at, random.choice(STRANGE))
    elif words:
        words[at % len(words)] = edit_text(random, words[at % len(words)])
    return words


def edited(random):
    """A line with some edits, and an environment with some."""
    words = [os.fsencode(word) for word in random.choice(LINES)]
    for _ in range(random.choice([0, 1, 1, 2, 3])):
        words = edit_line(random, words)
    names = random.sample(sorted(VARIABLES), random.choice([0, 0, 1, 1, 2]))
    changes = {name: os.fsencode(random.choice(VARIABLES[name])) for name in names}
    for name in names:
        if random.random() < 0.6:
            changes[name] = edit_text(random, changes[name]).replace(b"\0", b"")
        if random.random() < 0.05:
            changes[os.fsdecode(edit_text(random, name.encode()).strip(b"=\0")) or "YOKE_"] = changes.pop(name)
    return [word.replace(b"\0", b"") for word in words], {k: v for k, v in changes.items() if "=" not in k and "\0" not in k}


def is_heavy(words, changes):
    """Also a class or number that its option's edits made."""
    texts = [*words, *changes.values()]
    if any(re.search(pattern, text) for pattern in HEAVY for text in texts):
        return True
    points = [re.search(rb"(\d+)x(\d+)x(\d+)", text) for text in words]
    return any(int(a) * int(b) * int(c) > 200_000 for a, b, c in (match.groups() for match in points if match))


def as_messages_show(given, kept=""):
    """Control characters, but those kept, and bytes that are no UTF-8 by their numbers."""
    def by_number(character):
        return "".join(f"\\x{byte:02x}" for byte in character.encode())

    text = given.decode("utf-8", "backslashreplace")
    return "".join(by_number(c) if c not in kept and (c < " " or "\x7f" <= c <= "\x9f") else c for c in text)


def names_something_given(message, words, changes):
    given = [part or b'""' for word in words for part in (word, word.split(b"=")[0])]
    given += [os.fsencode(name) for name in changes] + [value for value in changes.values() if value]
    if any(name.startswith("YOKE_DEVICES") for name in changes):
        given.append(b"(default)")  # the configuration that follows from the devices
    return any(as_messages_show(each, kept) in message for each in given for kept in ("", "\n\t"))


def verdict_complaint(result, words):
    """What stdout says of the verification against the exit status."""
    claims = re.findall(r"Verification += +(SUCCESSFUL|UNSUCCESSFUL|NOT PERFORMED)", result.out)
    if result.status == 2 and result.out:
        return f"exit 2 with something on stdout: {result.out!r}"
    if result.status == 0 and claims not in (["SUCCESSFUL"], ["NOT PERFORMED"], []):
        return f"exit 0 with {claims}"
    if result.status == 0 and not claims and "Exit status:" not in result.out and "(Yoke)" not in result.out:
        return "exit 0 without a verdict"
    if result.status == 1 and claims == ["SUCCESSFUL"]:
        return "exit 1 though it says that it is verified"
    custom = any(word.startswith((b"--steps", b"--grid", b"--zones")) for word in words)
    if custom and claims == ["SUCCESSFUL"]:
        return "verified against nothing"
    return None


def complaint(program, result, words, changes):
    if result.status is None:
        return f"hangs: {result.err[-500:]!r}"
    if result.status not in (0, 1, 2):
        return f"exit {result.status}: {result.err[-500:]!r}"
    found = verdict_complaint(result, words)
    message = own_part(program, result.err, changes)
    if result.status and not found:
        found = attack.one_message(program, without_lines_of(message, [*words, *changes.values()]))
    if result.status == 2 and not found and not names_something_given(message, words, changes):
        found = f"names nothing that was given: {message!r}"
    return found


def own_part(program, text, changes):
    """What the program says, without what libomp has to say to its variables, and without YOKE_DISPLAY_ENV's answer."""
    text = re.sub(r"yoke: settings in force\n(  .*\n)*", "", text)
    if any(name.startswith(("OMP_", "KMP_")) for name in changes):
        start = text.find(os.path.basename(program) + ": ")
        text = text[max(start, 0):]
    return text


def without_lines_of(message, given):
    """A value is quoted as it was given: its line ends are not the message's."""
    for each in given:
        if b"\n" in each:
            message = message[:-1].replace(each.decode(errors="replace"), "…") + message[-1:]
    return message


def main():
    options = attack.arguments(__doc__, 5000)
    account = attack.Account()
    while account.runs < options.count:
        program = options.random.choice(options.programs)
        words, changes = edited(options.random)
        if is_heavy(words, changes):
            continue
        result = attack.run([program, *words], changes, options.limit, options.memory)
        account.add(attack.shown([program, *words], changes), complaint(program, result, words, changes))
    return account.end("command lines and environments end as they should")


if __name__ == "__main__":
    sys.exit(main())
