#!/usr/bin/env python3
"""An NPB-MZ program on GPUs that are made up (tests/support/fake-hip).

npb_on_fake_hip.py verify|failing-calls|launches|busy PROGRAM [EVERY]
"""
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from clean import without_settings  # noqa: E402

S = ["--class", "S", "--quiet"]
# Giving back, and questions that have another way to the answer: a run goes on without them. hipSetDevice may be
# part of either.
MAY_FAIL = {"hipDeviceCanAccessPeer", "hipEventDestroy", "hipFree", "hipGetDevice", "hipGraphDestroy",
            "hipGraphExecDestroy", "hipHostFree", "hipSetDevice", "hipStreamDestroy"}


def run(program, arguments, fake):
    environment = without_settings()
    done = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=240,
                          env=environment | {"FAKE_HIP": fake + ",report"}, check=False)
    found = re.search(r"\[fake hip\] calls (\d+), launches (\d+), shared memory of a block (\d+), failed (\w*)",
                      done.stderr)
    assert found, f"{program} {arguments} {fake}: exit {done.returncode}\n{done.stderr}"
    return done, int(found[1]), int(found[2]), int(found[3]), found[4]


def verify(program):
    """Verified in every form, with the bits of the CPU."""
    norms = {}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.json")
        for cus, devices, schedule in [("1x1", "none", "static"), ("+1", "hip:0", "memorizing"),
                                       ("1x1+1", "hip:0", "static"), ("1x1+1", "hip:1", "dynamic"),
                                       ("+2", "hip:0,1", "memorizing")]:
            arguments = [*S, "--cus", cus, "--devices", devices, "--schedule", schedule, "--json", path]
            if devices == "none":
                subprocess.run([program, *arguments], check=True, capture_output=True, timeout=240)
            else:
                done, _, launches, _, _ = run(program, arguments, "")
                assert done.returncode == 0 and launches > 0, done.stdout + done.stderr
            with open(path, encoding="utf-8") as file:
                result = json.load(file)
            assert result["verification"] == "SUCCESSFUL"
            norms.setdefault(json.dumps(result["norms"]), []).append(f"{cus} {devices}")
    assert len(norms) == 1, norms


def busy(program):
    """`auto` leaves out a GPU that another process has for itself and says so; one that was named is an error."""
    def run_with(fake, *arguments):
        return run(program, ["--class", "S", "--json", path, *arguments], fake)[0]

    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.json")
        for taken, left, cus in [(1, 0, "1x1+1"), (0, 1, "1x1+1"), (0, 1, "+1")]:
            done = run_with(f"busy={taken}", "--devices", "auto", "--cus", cus)
            assert done.returncode == 0, done.stdout + done.stderr
            with open(path, encoding="utf-8") as file:
                result = json.load(file)
            assert result["verification"] == "SUCCESSFUL"
            assert [unit["device"] for unit in result["units"] if unit["kind"] == "gpu"] == [f"hip:{left}"], result["units"]
            note = f"hip:{taken} is left out: "
            assert any(note in line for line in done.stdout.splitlines()), done.stdout + done.stderr
        done = run_with("busy=0", "--devices", "auto", "--cus", "+2")
        assert done.returncode == 2 and "hip:0 is left out: it cannot be opened now" in done.stderr, done.stderr
        done = run_with("busy=1", "--devices", "hip:1", "--cus", "+1")
        assert done.returncode != 0 and "hip:1" in done.stderr, done.stderr


def failing_calls(program, every=1):
    """Whatever call of HIP fails: a clear error, exit status 1, nothing left behind, no hang. One call of `every` is tried."""
    seed = int(os.environ.get("TEST_SEED") or random.randrange(2**30))
    first = seed % every
    print(f"calls {first} + k * {every} of those that fail one by one; TEST_SEED={seed} repeats it")
    short = [*S, "--steps", "2", "--schedule", "static"]
    remapped = [*S, "--steps", "8", "--schedule", "cost"]  # the map settles on the way
    for beginning in (short + ["--cus", "1x1+1"], short + ["--cus", "+1"], remapped + ["--cus", "+1"]):
        arguments = [*beginning, "--devices", "hip:0"]
        done, calls, _, _, _ = run(program, arguments, "")
        assert done.returncode == 0, done.stderr
        # All of the beginning, a sample of the steps, all of the end.
        numbers = {*range(1, min(calls, 40)), *range(40, calls, max(1, calls // 30)), *range(max(1, calls - 10), calls)}
        for k in sorted(numbers)[first::every]:
            for lost in (("", ",lost") if k % 3 == 0 else ("",)):
                check_failure(program, arguments, k, lost)


def check_failure(program, arguments, k, lost):
    done, calls, _, _, failed = run(program, arguments, f"fail={k}{lost}")
    said = f"call {k} ({failed}){lost}: exit {done.returncode}\n{done.stderr}"
    if calls < k:
        return  # the number of polls differs from run to run
    accepted = {0, 1} if failed in MAY_FAIL else {2} if failed == "hipGetDeviceCount" else {1}
    assert done.returncode in accepted, said
    if done.returncode != 0:
        assert "hipErrorLaunchFailure (as the fake says)" in done.stderr, said
        assert " while " in done.stderr or failed == "hipGetDeviceCount", said


def launches(program):
    """What is launched for zones as large as those of class D fits an MI50: the fake refuses what does not."""
    zone = {"bt": "100x75x34", "sp": "51x38x34", "lu": "408x304x34"}[os.path.basename(program)[:2]]
    grids = [(zone, "1x1"), ("1030x7x6", "1x1"), ("7x1030x6", "1x1"), ("6x7x515", "1x1"), ("72x48x9", "3x2"),
             ("27x27x8", "1x1")]  # the last: about the largest plane that SP has on a chip of 64 KiB
    most = 0
    for grid, zones in grids:
        arguments = ["--grid", grid, "--zones", zones, "--steps", "1", "--quiet", "--cus", "+1", "--devices", "hip:0"]
        done, _, count, shared, _ = run(program, arguments, "skip-kernels")
        assert done.returncode == 0 and count > 0, f"{grid}: exit {done.returncode}\n{done.stderr}"
        most = max(most, shared)
    print(f"the largest block asks for {most} bytes of shared memory")
    assert most <= 64 << 10


if __name__ == "__main__":
    {"busy": busy, "verify": verify, "failing-calls": failing_calls, "launches": launches}[sys.argv[1]](sys.argv[2], *map(int, sys.argv[3:]))
