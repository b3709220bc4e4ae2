#!/usr/bin/env python3
"""SP-MZ where texts are no UTF-8, where results go into FIFOs, and through which links and variables.

odd_texts_and_files.py SP-MZ
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from clean import without_settings  # noqa: E402

PROGRAM = sys.argv[1]
SMALL = ["--class", "S", "--cus", "1x1+1", "--devices", "emulated:1", "--steps", "2"]
BAD = b"\xff\x1b[31m"
wrong = []


def expect(condition, what):
    if not condition:
        wrong.append(what)


def run(arguments, variables=None, program=PROGRAM, folder="."):
    environment = {os.fsencode(k): os.fsencode(v) for k, v in (without_settings() | (variables or {})).items()}
    return subprocess.run([program, *arguments], capture_output=True, env=environment, cwd=folder, timeout=120, check=False)


def as_json(data, what):
    """As a strict reader takes it: text, and nothing behind it."""
    try:
        return json.loads(data.decode("utf-8"))
    except ValueError as problem:
        wrong.append(f"{what} is no JSON: {problem}")
        return {}


def content_of(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return b""


def texts_that_are_none(folder):
    program = os.path.join(os.fsencode(folder), b"sp-" + BAD)
    os.symlink(os.path.abspath(PROGRAM), program)
    result, trace = (os.path.join(os.fsencode(folder), b"%s-" % name + BAD) for name in (b"result", b"trace"))
    done = run([*SMALL, "--json", result, "--trace", trace], {"OMP_\udcff": "\udcfe"}, program)
    expect(done.returncode == 0, f"a run of bytes that are no text ends with {done.returncode}: {done.stderr}")
    found = as_json(content_of(result), "the result of a program whose name is no text").get("record", {})
    expect(found.get("command", [""])[0] == r"sp-\xff" + "\x1b[31m", f"the command in the record: {found.get('command')}")
    expect(found.get("variables", {}).get(r"OMP_\xff") == r"\xfe", f"the variables in the record: {found.get('variables')}")
    expect("traceEvents" in as_json(content_of(trace), "its trace"), "its trace has no events")


def messages_have_no_control_characters():
    for arguments, variables in ((["--json", BAD + b"/run.json"], {}), (["--class", BAD], {}), ([b"--" + BAD], {}),
                                 (["--schedule", b"./" + BAD + b".so:x"], {}), ([], {"YOKE_CUS": os.fsdecode(BAD)}),
                                 ([], {"YOKE_" + os.fsdecode(BAD): "1"})):
        done = run(arguments, variables)
        expect(done.returncode == 2, f"{arguments} {variables}: exit {done.returncode}")
        expect(b"\x1b" not in done.stderr and b"\xff" not in done.stderr and rb"\xff\x1b[31m" in done.stderr,
               f"{arguments} {variables}: {done.stderr}")


class Reader:
    """Reads a FIFO to its end, once, in a thread of its own."""

    def __init__(self, path):
        os.mkfifo(path)
        self.read = b""
        self.thread = threading.Thread(target=self._run, args=(path,), daemon=True)
        self.thread.start()

    def _run(self, path):
        with open(path, "rb") as file:
            self.read = file.read()

    def text(self):
        self.thread.join(timeout=60)
        return self.read


def fifos_get_one_document(folder):
    for option, key in (("--json", "verification"), ("--trace", "traceEvents")):
        path = os.path.join(folder, option)
        reader = Reader(path)
        try:
            done = run([*SMALL, option, path])
            expect(done.returncode == 0, f"{option} into a FIFO: exit {done.returncode}, {done.stderr}")
        except subprocess.TimeoutExpired:
            wrong.append(f"{option} into a FIFO hangs")
            continue
        expect(key in as_json(reader.text(), f"{option} into a FIFO"), f"{option} into a FIFO lacks {key}")
    path = os.path.join(folder, "refused")
    reader = Reader(path)
    done = run([*SMALL, "--json", path, "--schedule", "static"], {"YOKE_EMULATED": "fail-launch=1"})
    expect(done.returncode == 1, f"a launch that fails: exit {done.returncode}, {done.stderr}")
    expect(reader.text() == b"" and not reader.thread.is_alive(), "the reader of a run that fails waits for ever")


def a_profile_beside_a_fifo(folder):
    profile = os.path.join(folder, "profile.json")
    os.mkfifo(profile + ".next")
    try:
        done = run(["--class", "S", "--cus", "1x1+1", "--devices", "emulated:1", "--profile", profile])
    except subprocess.TimeoutExpired:
        return wrong.append("a FIFO where the new profile is written holds a run for ever")
    expect(done.returncode == 0 and os.path.isfile(profile), f"a FIFO beside the profile: {done.returncode} {done.stderr}")


with tempfile.TemporaryDirectory() as scratch:
    texts_that_are_none(scratch)
    messages_have_no_control_characters()
    fifos_get_one_document(scratch)
    a_profile_beside_a_fifo(scratch)
print("\n".join(wrong) or "all is right")
sys.exit(1 if wrong else 0)
