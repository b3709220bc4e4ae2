#!/usr/bin/env python3
"""The yoke command by its texts and exit statuses.

command.py YOKE THREADS PROBE            what is wrong, if anything
APPROVE=1 command.py YOKE THREADS PROBE  approves the texts there are now
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
MACHINES = HERE.parent / "machines"
YOKE, THREADS, PROBE = sys.argv[1:4]
CPUS = sorted(os.sched_getaffinity(0))
MADE_UP = str(HERE.parents[1] / "docs/examples/machines/epyc-2-mi50-sp.json")
SCRATCH = tempfile.TemporaryDirectory()
MISSING = f"{SCRATCH.name}/missing"

# Approved text -> arguments. FILE stands for a file in tests/machines.
TEXTS = {
    "help.txt": ["--help"],
    "help-info.txt": ["info", "--help"],
    "help-places.txt": ["places", "--help"],
    "help-exec.txt": ["exec", "--help"],
    "help-check.txt": ["check", "--help"],
    "help-profile.txt": ["profile", "--help"],
    "help-simulate.txt": ["simulate", "--help"],
    "help-compare.txt": ["compare", "--help"],
    "manual.txt": ["--man"],
    "places-epyc.txt": ["places", "7x2+2", "--machine", "epyc-7742-2-mi50.xml"],
    "places-epyc-smt.txt": ["places", "15x8+2", "--smt", "--machine", "epyc-7742-2-mi50.xml"],
    "places-eight-gpus.txt": ["places", "8x7+8", "--machine", "eight-gpus.xml"],
    "places-laptop.txt": ["places", "3x4", "--machine", "laptop-p-e.xml"],
    "places-shared.txt": ["places", "2x1+1", "--devices", "emulated:1", "--machine", "core:2 pu:1"],
    "places-holes.json": ["places", "2x2", "--json", "--machine", "core:8 pu:1", "--cpus", "1,3-5,7"],
    "info-epyc.txt": ["info", "--machine", "epyc-7742-2-mi50.xml"],
    "info-laptop.txt": ["info", "--machine", "laptop-p-e.xml"],
    "simulate-sp-c.txt": ["simulate", "--class", "SP:C", "--cus", "16x1+2", "--schedule", "auto", "--schedule", "static",
                          "--machine", MADE_UP],
    "info.json": ["info", "--json", "--machine", "pack:1 l3:1 core:2 pu:1"],
}
# Arguments -> status, and what is said.
REFUSED = [
    (["nosuch"], 2, "nosuch: no such command; one of info, places, exec, check, profile, simulate, compare"),
    (["info", "extra"], 2, "extra"),
    (["info", "--machine", ""], 2, "--machine: is empty"),
    (["info", "--machine", f"{MISSING}/m.xml"], 2, f"--machine {MISSING}/m.xml: no such file"),
    (["info", "--machine", str(HERE)], 2, "no machine as hwloc writes it"),
    (["places", ""], 2, "configuration: is empty"),
    (["places", "1x1", "--cpus", "0-1-2"], 2, "--cpus 0-1-2: position 4"),
    (["places", "1x1", "--cpus", "0", "--cpus", "1"], 2, "--cpus"),
    (["places", "2x1+1", "--devices", "emulated:0"], 2, "--devices emulated:0: position 10"),
    ([], 2, "Usage: yoke"),
    (["places"], 2, "configuration is required"),
    (["places", "2y1"], 2, "position 2: expected 'x'"),
    (["places", "9x1", "--machine", "core:2 pu:1"], 2, "the largest configuration that fits is 2x1"),
    (["places", "1x1", "--machine", "no machine"], 2, "no machine (synthetic description): position 3: expected ':'"),
    (["places", "1x1", "--cpus", "0-99999"], 2, "--cpus 0-99999: position 3"),
    (["places", "1x1", "--", "true"], 2, "only exec, check and compare take a program"),
    (["exec", "1x1", "--schedule", "nosuch", "--", "true"], 2, "nosuch"),
    (["exec", "1x1", "--schedule", "", "--", "true"], 2, "--schedule: is empty"),
    (["exec", "1x1", "--"], 2, "there is no program after --"),
    (["exec", "1x1", "--", ""], 2, "there is no program after --"),
    (["exec", "1x1", "true"], 2, "true"),
    (["check", "--cus", ""], 2, "--cus: is empty"),
    (["check", "--", f"{MISSING}/program"], 127, f"{MISSING}/program: No such file"),
    (["simulate", "--machine", str(HERE), "--class", "SP:S"], 2, "is a folder"),
    (["compare", "--cus", "1x1", "--budget", "0", "--", "true"], 2, "--budget: 0 is not accepted; a number from 1e-200 to 1e+200"),
    (["compare", "--cus", "1x1", "--accuracy", "inf", "--", "true"], 2, "--accuracy: inf is not accepted"),
    (["compare", "--cus", "1x1", "--devices", "nosuch", "--", "true"], 2, "--devices nosuch: position 1"),
    (["compare", "--machine", str(HERE), "--class", "SP:S"], 2, "is a folder"),
    (["compare", "--machine", MADE_UP, "--class", "SP:Z"], 2, "--class SP:Z: no class of NPB-MZ"),
    (["compare", "--machine", MADE_UP, "--class", "SP:S", "--rate", "x"], 2, "--rate and --devices for programs"),
    (["compare", "--machine", MADE_UP, "--class", "SP:S", "--cus", "1x1", "--out", str(HERE / "command.py")], 2,
     "command.py"),
    (["profile", "show", "--file", f"{MISSING}/p.json"], 2, f"--file {MISSING}/p.json: no such file"),
    (["exec", "1x1", "--", f"{MISSING}/program"], 127, f"{MISSING}/program: No such file"),
    (["exec", "1x1", "--", "sh", "-c", "exit 7"], 7, ""),
    (["check", "--cus", "1x1", "--", "sh", "-c", "exit 7"], 7, "where its threads ran"),
    (["check", "--cus", "999x1"], 1, "999x1 needs 999 CPUs"),
    (["profile"], 2, "action is required"),
    (["profile", "drop"], 2, "drop not in {show,clear}"),
    (["profile", "show", "--file", "none"], 2, "--file none: no profile is kept"),
    (["profile", "show"], 2, "neither XDG_CACHE_HOME is an absolute path nor HOME a folder that is there"),
    (["profile", "clear", "--file", str(HERE / "command.py")], 2, "command.py is damaged"),
]
wrong = []


def run(arguments, environment=None):
    kept = {k: v for k, v in os.environ.items() if k in ("PATH", "LD_LIBRARY_PATH", "TMPDIR") or k.endswith("SAN_OPTIONS")}
    done = subprocess.run([YOKE, *(str(MACHINES / a) if a.endswith(".xml") and "/" not in a else a for a in arguments)],
                          capture_output=True, text=True, env=kept | (environment or {}), timeout=120, check=False)
    return done.returncode, done.stdout, done.stderr


def expect(condition, what):
    if not condition:
        wrong.append(what)


def texts():
    for name, arguments in TEXTS.items():
        status, said, _ = run(arguments)
        expect(status == 0, f"{arguments}: status {status}")
        file = HERE / "approved" / name
        if "APPROVE" in os.environ:
            file.write_text(said, encoding="utf-8")
        expect(file.exists() and file.read_text(encoding="utf-8") == said, f"{arguments} prints other than {file}:\n{said}")


def refusals():
    for arguments, status, text in REFUSED:
        done, said, error = run(arguments)
        expect(done == status and text in said + error, f"{arguments}: status {done}, {said}{error}")


def missing_interpreters_are_named():
    """The system says "No such file or directory" of the program, which is there."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for name, text in {"a-script": "#!/nowhere/python3 -B\n", "a-windows": "#!/bin/sh\r\necho\r\n", "a-chain": f"#!{folder}/a-script\n",
                           "a-locked": f"#! {folder}/a-plain\n", "a-plain": "#!/bin/sh\n"}.items():
            (folder / name).write_text(text, encoding="utf-8")
            (folder / name).chmod(0o644 if name == "a-plain" else 0o755)
        loader = pathlib.Path(THREADS).read_bytes()
        at = loader.index(b"/ld-linux")
        (folder / "a-program").write_bytes(loader[:at] + b"/no-linux" + loader[at + 9:])
        (folder / "a-program").chmod(0o755)
        path = f"{folder}:{os.environ['PATH']}"
        for name, said in {"a-script": "a-script is run by /nowhere/python3, which is missing", "a-chain": "a-script is run by /nowhere/python3",
                           "a-windows": "a-windows is run by /bin/sh and a carriage return, as lines of Windows end, which is missing",
                           "a-locked": f"a-locked is run by {folder}/a-plain, which may not be run",
                           "a-program": "/no-linux"}.items():
            for command in ("exec", "check"):
                for program, environment in ((str(folder / name), None), (name, {"PATH": path})):
                    status, out, error = run([command, *(["1x1"] if command == "exec" else []), "--", program], environment)
                    expect(status == 127 and f"yoke: {program}: " in error and said in error, f"{command} {program}: {status}, {out}{error}")
        (folder / "bin").mkdir()
        (folder / "bin/python3").write_text("#!/nowhere/pypy\n", encoding="utf-8")
        (folder / "bin/python3").chmod(0o755)
        status, out, error = run(["compare", "--out", str(folder), "--cus", "1x1", "--", "true"], {"PATH": str(folder / "bin")})
        expect(status == 127 and "bin/python3 is run by /nowhere/pypy, which is missing" in error, f"compare: {status}, {out}{error}")


def threads_of(environment, arguments):
    """Where the threads of an OpenMP program were allowed to run: "0.1" -> "3"."""
    status, said, error = run(arguments, environment)
    expect(status == 0, f"{arguments}: status {status}, {error}")
    words = [line.split() for line in said.splitlines() if line.startswith("thread ")]
    return {word[1]: word[4] for word in words}


def places_are_right(program, name):
    first, second = map(str, CPUS[:2])
    both = ",".join(map(str, CPUS[:2]))
    expect(threads_of({}, ["exec", "2x1", "--", program]) == {"0.0": first, "1.0": second}, f"{name} under 2x1")
    expect(threads_of({}, ["exec", "1x2", "--", program]) == {"0.0": both, "0.1": both}, f"{name} under 1x2")
    users = {"OMP_PLACES": "{%s}" % second, "OMP_NUM_THREADS": "7", "GOMP_CPU_AFFINITY": first}
    expect(threads_of(users, ["exec", "2x1", "--", program]) == {"0.0": first, "1.0": second},
           f"{name} under 2x1 with other variables")


def programs_run_where_they_should():
    if len(CPUS) < 2:
        print("[skipped] needs two CPUs")
        return
    places_are_right(THREADS, "a program of libomp")
    compiler = shutil.which("g++")
    if compiler is None:
        print("[skipped] no g++ for a program of libgomp")
        return
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/threads"
        subprocess.run([compiler, "-fopenmp", str(HERE / "threads.cpp"), "-o", program], check=True)
        places_are_right(program, "a program of libgomp")


def check_sees_the_program():
    status, said, _ = run(["check", "--json", "--cus", "1x1", "--", "sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"])
    seen = json.loads(said)["program"]
    expect(status == 0 and seen["status"] == 0 and len(seen["threads"]) == 1, f"check of a program: {said}")
    thread = next(iter(seen["threads"]), {})
    expect(thread.get("samples", 0) > 0 and all(at["cpu"] in CPUS for at in thread.get("on", [])), f"its samples: {said}")
    late = {"OMP_PROC_BIND": "spread"}
    for environment, way in (({}, "OpenMP binds the threads of compute units"), (late, "Yoke has bound the threads")):
        status, said, error = run(["check", "--json", "--cus", "1x1", "--", PROBE], environment)
        told = json.loads(said)["program"]["said"]
        expect(status == 0 and any(way in line for line in told), f"check of a program of Yoke: {said}{error}")
    status, said, _ = run(["check"], {"KMP_AFFINITY": "compact"})
    expect(status == 1 and "unset KMP_AFFINITY" in said, f"check of KMP_AFFINITY: {said}")
    status, said, _ = run(["check", "--json"], {"YOKE_CUS": "1x1", "OMP_PROC_BIND": "false"})
    expect(status == 1 and json.loads(said)["findings"][0]["mend"] == "export OMP_PROC_BIND=close,master", said)


def what_is_set_counts_where_no_option_says_otherwise():
    shared = {"YOKE_DEVICES": "emulated:1"}
    status, said, error = run(["exec", f"{len(CPUS)}x1+1", "--json"], shared)
    expect(status == 0 and json.loads(said)["YOKE_CUS"] == f"{len(CPUS)}x1+1", f"exec with YOKE_DEVICES: {said}{error}")
    status, said, _ = run(["info"], shared | {"YOKE_CUS": "1x1+1"})
    expect(status == 0 and "compute units of YOKE_CUS=1x1+1" in said and "emulated" not in said.split("compute units")[0],
           f"info with YOKE_CUS: {said}")
    expect(run(["info"], {"YOKE_CUS": "999x1"})[0] == 2, "info with a YOKE_CUS that does not fit")
    expect(run(["places", "1x1"], {"YOKE_SMT": "2"})[0] == 2, "places with a wrong YOKE_SMT")


def entry(program, cus, days):
    run_of = {"when": time.time() - days * 86400, "units": [{"usual": [0.25, 0.5], "careful": [0.5, 0.75]}, {}],
              "maps": [{"use": "both-kinds", "number": 28, "pass_s": 0.0094, "error": 0.01}]}
    return {"machine": "a CPU; a GPU", "build": "of today", "program": program, "work": "64 tasks", "schedule": "auto",
            "cus": cus, "runs": [run_of]}


def profiles_are_shown_and_cleared():
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "p.json")
        entries = [entry("sp-mz", "1x1+1", 3.5), entry("sp-mz", "2x1", 0.5), entry("heat", "1x1+1", 0)]
        file.write_text(json.dumps({"schema": "yoke-profile/1", "entries": entries}), encoding="utf-8")
        own = {"YOKE_PROFILE": str(file)}
        _, said, _ = run(["profile", "show"], own)
        for text in (f"{file}: 3 of 3 entries", "sp-mz: 64 tasks; auto on 1x1+1\n  machine: a CPU; a GPU\n  build: of today\n",
                     "1 run, the newest 3.5 days ago:", "12.0 hours ago", "0 minutes ago",
                     "CU 0: 0.25 s a launch, 0.5 s a weight of 1", "CU 1: not heard of", "both-kinds 28: 0.0094 s a pass"):
            expect(text in said, f"profile show lacks {text!r}: {said}")
        _, said, _ = run(["profile", "show", "--json", "--file", str(file), "sp-mz", "1x1+1"])
        seen = json.loads(said)["entries"]
        expect(len(seen) == 1 and 3.4 < seen[0]["runs"][0]["age_days"] < 3.6, f"profile show --json: {said}")
        expect(seen[0]["runs"][0]["units"][1] is None and seen[0]["cus"] == "1x1+1", f"profile show --json: {said}")
        before = file.read_text(encoding="utf-8")
        _, said, _ = run(["profile", "clear", "sp-mz", "nowhere"], own)
        expect("0 entries removed" in said and file.read_text(encoding="utf-8") == before, f"clear of none: {said}")
        _, said, _ = run(["profile", "clear", "sp-mz"], own)
        expect("2 entries removed" in said, f"profile clear sp-mz: {said}")
        _, said, _ = run(["profile", "show"], own)
        expect("1 of 1 entries" in said and "heat: 64 tasks" in said, f"what profile clear sp-mz left: {said}")
        _, said, _ = run(["profile", "clear", "--json"], own)
        expect(json.loads(said) == {"file": str(file), "removed": 1}, f"profile clear: {said}")
        expect("0 of 0 entries" in run(["profile", "show"], own)[1], "an empty profile")


def closed_output_is_told():
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([YOKE, "places", "1x1"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    expect(done.returncode == 1 and "cannot be written" in done.stderr, f"/dev/full: {done.returncode} {done.stderr}")


def this_machine():
    status, said, _ = run(["info", "--json"])
    cpus = [each["cpu"] for each in json.loads(said)["machine"]["cpus"]]
    expect(status == 0 and sorted(cpus) == CPUS, f"info --json: {said}")
    status, said, _ = run(["exec", "1x1", "--json"])
    expect(json.loads(said)["YOKE_CUS"] == "1x1", f"exec --json: {said}")


def the_version_says_how_it_was_built():
    status, said, _ = run(["--version"])
    name, *lines = said.splitlines()
    build = dict(line.split(": ", 1) for line in lines)
    expect(status == 0 and re.fullmatch(r"yoke \d+\.\d+\.\d+", name), f"--version: {said}")
    expect({"backends", "compiler", "build type", "checks"} <= set(build), f"--version: {said}")
    _, said, _ = run(["info"])
    missing = set(re.findall(r"(\w+): this build has no", said))
    expect(set(build["backends"].split(", ")) | missing == {"cuda", "hip", "emulated"} and "emulated" not in missing,
           f"--version says {build}, and info: {said}")


def a_machine_that_the_environment_describes_is_named():
    told = "HWLOC_SYNTHETIC=core:2 pu:1"
    described = dict([told.split("=", 1)])
    status, said, _ = run(["info"], described)
    expect(status == 0 and f"described by {told}, not this machine\n" in said, f"info: {said}")
    status, said, _ = run(["info", "--json"], described)
    expect(json.loads(said)["machine"]["told_by"] == told, f"info --json: {said}")
    status, said, _ = run(["check"], described)
    expect(status == 1 and f"{told}: hwloc describes another machine" in said, f"check: {said}")


for test in (texts, refusals, programs_run_where_they_should, check_sees_the_program,
             what_is_set_counts_where_no_option_says_otherwise, profiles_are_shown_and_cleared, closed_output_is_told,
             this_machine, the_version_says_how_it_was_built, missing_interpreters_are_named, a_machine_that_the_environment_describes_is_named):
    test()
print("\n".join(wrong) or "all is right")
sys.exit(1 if wrong else 0)
