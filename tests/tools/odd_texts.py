#!/usr/bin/env python3
"""The yoke command where names are no text, where links lie in wait, and where there is no folder for its files.

odd_texts.py YOKE PROBE PROJECT
"""
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

YOKE, PROBE, PROJECT = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
BAD = b"\xff\x1b[31m"
SHOWN = r"\xff\x1b[31m"
wrong = []


def expect(condition, what):
    if not condition:
        wrong.append(what)


def run(arguments, variables=None):
    kept = {k: v for k, v in os.environb.items() if k in (b"PATH", b"LD_LIBRARY_PATH", b"TMPDIR") or k.endswith(b"SAN_OPTIONS")}
    kept |= {os.fsencode(k): os.fsencode(v) for k, v in (variables or {}).items()}
    return subprocess.run([YOKE, *arguments], capture_output=True, env=kept, timeout=120, check=False)


def strict(data, what):
    try:
        return json.loads(data.decode("utf-8"))
    except ValueError as problem:
        wrong.append(f"{what} prints no JSON: {problem} {data[-200:]}")
        return {}


def is_shown(done, what):
    said = done.stdout + done.stderr
    expect(b"\x1b" not in said and b"\xff" not in said and SHOWN.encode() in said, f"{what}: {said[-1000:]}")


def copy_of(program, folder, name):
    path = os.path.join(os.fsencode(folder), name)
    shutil.copy(program, path)
    return path


def check_of_names(folder):
    program = copy_of(shutil.which("sleep"), folder, BAD)
    done = run(["check", "--cus", "1x1", "--", program, "0.1"])
    expect(done.returncode in (0, 1), f"check of {SHOWN}: {done.returncode}")
    is_shown(done, "check of a program whose name is no text")
    threads = strict(run(["check", "--json", "--", program, "0.1"]).stdout, "check --json").get("program", {}).get("threads", [])
    expect(threads and SHOWN in threads[0]["name"], f"its threads: {threads}")
    is_shown(run(["check"], {"YOKE_SCHEDULE": os.fsdecode(BAD)}), "check of a variable")
    strict(run(["check", "--json"], {"YOKE_SCHEDULE": os.fsdecode(BAD)}).stdout, "check --json of a variable")


def check_of_a_neighbour(folder):
    """Another process that uses Yoke, under a name that is no text."""
    program = copy_of(shutil.which("sleep"), folder, BAD + b"n")
    with subprocess.Popen([program, "1000"], env=dict(os.environ) | {"YOKE_CUS": "1x1"}) as other:
        try:
            is_shown(run(["check"]), "check beside a process whose name is no text")
            found = strict(run(["check", "--json"]).stdout, "check --json beside it").get("findings", [])
            expect(any(f"process {other.pid} (" in each["what"] for each in found), f"its findings: {found}")
        finally:
            other.kill()


def info_and_messages():
    is_shown(run(["info", "--machine", BAD]), "info of a machine")
    is_shown(run([BAD]), "a command")
    is_shown(run(["places", "1x1", BAD]), "an argument")
    is_shown(run(["check", "--", b"./" + BAD]), "check of no program")
    is_shown(run(["exec", "1x1", "--", b"./" + BAD]), "exec of no program")


def simulate_and_compare(folder):
    machine = os.path.join(os.fsencode(folder), BAD + b".json")
    shutil.copy(PROJECT / "docs/examples/machines/epyc-2-mi50-sp.json", machine)
    tasks = os.path.join(os.fsencode(folder), BAD + b"-tasks.json")
    with open(tasks, "w", encoding="utf-8") as file:
        json.dump({"schema": "yoke-tasks/1", "name": "three", "n_tasks": 3, "weights": [1, 2, 3]}, file)
    done = run(["simulate", "--machine", machine, "--tasks", tasks, "--cus", "2x1", "--json"])
    expect(done.returncode == 0, f"simulate: {done.stderr}")
    strict(done.stdout, "simulate --json")
    out = os.path.join(folder, "out")
    words = ["compare", "--out", out, "--machine", machine, "--tasks", tasks, "--cus", "2x1", "--schedule", "static", "--json"]
    for _ in range(2):  # the second goes on with the file of the first
        done = run(words)
        expect(done.returncode == 0, f"compare: {done.stderr} {done.stdout}")
        strict(done.stdout, "compare --json")
    expect(b"\x1b" not in done.stdout + done.stderr, f"compare prints {done.stdout + done.stderr}")
    for name in ("compare.json", "compare.csv", "compare.md", "index.html"):
        with open(os.path.join(out, name), "rb") as file:
            text = file.read()
        expect(SHOWN in text.decode("utf-8", "surrogateescape").replace("\\\\", "\\") and b"\x1b" not in text, f"{name}: {text[:500]}")


def compare_of_programs(folder):
    program = os.path.join(os.fsencode(folder), BAD + b".sh")
    with open(program, "wb") as file:
        file.write(b"#!/bin/sh\nprintf 'rate = 7 \\377\\n'\n")
    os.chmod(program, 0o755)
    done = run(["compare", "--out", os.path.join(folder, "real"), "--cus", "1x1", "--rate", "rate = ([0-9]+)", "--json", "--", program])
    cells = strict(done.stdout, "compare of a program").get("cells", [{}])
    expect(done.returncode == 0 and len(cells[0].get("runs", [])) >= 3, f"compare of a program: {done.stdout} {done.stderr}")
    is_shown(done, "compare of a program")


def exports_are_words(folder):
    """A shell sets what was said, and runs nothing of it."""
    plugin = os.path.join(folder, "it's $(touch ran)`touch ran`, \\.so")
    shutil.copy(pathlib.Path(PROBE).parent / "schedules_of_weights.so", plugin)
    said = plugin.replace("\\", "\\\\").replace(",", "\\,") + ":all-to-last"
    done = run(["exec", "1x1", "--schedule", said])
    expect(done.returncode == 0, f"exec prints: {done.stderr}")
    shell = subprocess.run(["sh", "-c", done.stdout.decode() + 'printf %s "$YOKE_SCHEDULE"'], capture_output=True, text=True, cwd=folder,
                           check=False)
    expect(shell.returncode == 0 and shell.stdout == said, f"a shell reads {shell} from {done.stdout}")
    expect(not os.path.exists(os.path.join(folder, "ran")), "a shell runs what yoke exec prints")


def check_writes_into_a_folder_of_its_own(folder):
    """Links of all names that it might take lie in wait; sh tells its own number, of which the checker's is the parent's."""
    victim = os.path.join(folder, "victim")
    pathlib.Path(victim).write_text("mine", encoding="utf-8")
    script = f'ln -s {shlex.quote(victim)} "$TMPDIR/yoke-check-$$"; exec {shlex.quote(YOKE)} check --cus 1x1 --json -- {shlex.quote(PROBE)}'
    temporary = os.path.join(folder, "temporary")
    os.mkdir(temporary)
    done = subprocess.run(["sh", "-c", script], capture_output=True, env=os.environ | {"TMPDIR": temporary}, timeout=120, check=False)
    told = strict(done.stdout, "check --json").get("program", {}).get("said", [])
    expect(any("OpenMP binds" in line for line in told), f"what the program tells: {done.stdout} {done.stderr}")
    expect(pathlib.Path(victim).read_text(encoding="utf-8") == "mine", "check writes where a link leads")
    left = [name for name in os.listdir(temporary) if not os.path.islink(os.path.join(temporary, name))]
    expect(not left, f"check leaves {left}")


def folders_that_are_none(folder):
    for value in ("", os.path.join(folder, "missing"), os.path.join(folder, "victim")):
        done = run(["check", "--", "true"], {"TMPDIR": value})
        expect(done.returncode == 2 and f"TMPDIR={value}".encode() in done.stderr, f"TMPDIR={value!r}: {done.returncode} {done.stderr}")


for test in (check_of_names, check_of_a_neighbour, lambda _: info_and_messages(), simulate_and_compare, compare_of_programs,
             exports_are_words, check_writes_into_a_folder_of_its_own):
    with tempfile.TemporaryDirectory() as scratch:
        test(scratch)
with tempfile.TemporaryDirectory() as scratch:
    pathlib.Path(scratch, "victim").touch()
    folders_that_are_none(scratch)
print("\n".join(wrong) or "all is right")
sys.exit(1 if wrong else 0)
