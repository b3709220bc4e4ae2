"""NPB-MZ on several ranks: the bits of one process, and one message where something is wrong.

npb_ranks.py MPIEXEC SP-MZ BT-MZ LU-MZ"""
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from clean import without_settings  # noqa: E402

MPIEXEC, SP, BT, LU = sys.argv[1:5]
# Open MPI: more ranks than CPUs, in a container.
FOR_MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
           "OMPI_MCA_hwloc_base_binding_policy": "none"}


def run(command, cus="1x1", devices="none"):
    environment = without_settings() | FOR_MPI | {"YOKE_CUS": cus, "YOKE_DEVICES": devices}
    return subprocess.run(list(map(str, command)), env=environment, capture_output=True, text=True, timeout=600, check=False)


def ranks(n, *command, **how):
    return run([MPIEXEC, "-n", n, *command], **how)


def norms_of(done):
    lines = [line for line in done.stdout.splitlines() if line.strip().startswith(("xcr", "xce", "xci"))]
    assert done.returncode == 0 and len(lines) >= 10, done.stdout + done.stderr
    assert done.stdout.count("SUCCESSFUL") == 1, done.stdout
    return lines


class Bits(unittest.TestCase):
    def same(self, program):
        expected = norms_of(run([program, "--class", "S", "--march", "own"]))
        for cus, devices in (("2x1", "none"), ("1x2", "none"), ("1x1+2", "emulated:2"), ("+2", "emulated:2")):
            with self.subTest(cus=cus):
                over_zones = run([program, "--class", "S", "--march", "zones"], cus=cus, devices=devices)
                self.assertEqual(norms_of(over_zones), expected)
        for n, cus, devices in ((1, "1x1", "none"), (2, "1x1", "none"), (3, "1x1+1", "emulated:1"), (4, "2x1", "none"),
                                (7, "1x1", "none")):
            with self.subTest(ranks=n, cus=cus):
                done = ranks(n, program, "--class", "S", cus=cus, devices=devices)
                self.assertEqual(norms_of(done), expected)
                if n > 1:
                    self.assertIn(f"on {n} ranks", done.stdout)

    def test_sp(self):
        self.same(SP)

    def test_bt(self):
        self.same(BT)

    def test_lu(self):
        self.same(LU)

    def test_json_is_that_of_rank_0(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "run.json")
            done = ranks(3, SP, "--class", "S", "--json", path, "--explain")
            self.assertEqual(done.returncode, 0, done.stderr)
            with open(path, encoding="utf-8") as file:
                result = json.load(file)
        self.assertEqual((result["ranks"], result["march"], result["verification"]), (3, "zones", "SUCCESSFUL"))
        self.assertIn("from unit 0 to rank", done.stdout)


class Checkpoints(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "state")

    def test_a_run_goes_on_elsewhere(self):
        for program in (SP, BT, LU):
            expected = norms_of(run([program, "--class", "S", "--march", "own"]))
            kept = run([program, "--class", "S", "--checkpoint", self.path, "--every", 7], cus="1x1+1", devices="emulated:1")
            self.assertEqual(norms_of(kept), expected)
            for n, cus in ((1, "2x1"), (3, "1x1")):
                done = ranks(n, program, "--class", "S", "--checkpoint", self.path, "--restart", cus=cus)
                self.assertEqual(norms_of(done), expected)
                self.assertIn("goes on from step", done.stdout)

    def test_a_run_that_is_killed_goes_on(self):
        expected = norms_of(run([LU, "--class", "W", "--march", "own"]))
        seed = int(time.time())
        moments = random.Random(seed)
        for n in (2, 1, 3, 2):
            job = [MPIEXEC, "-n", str(n), LU, "--class", "W", "--checkpoint", self.path, "--every", "3"]
            if os.path.exists(self.path):
                job.append("--restart")
            with subprocess.Popen(job, env=without_settings() | FOR_MPI | {"YOKE_CUS": "1x1"}, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL) as killed:
                time.sleep(moments.uniform(0.3, 1.5))
                subprocess.run(["pkill", "-KILL", "-P", str(killed.pid)], check=False)
                killed.kill()  # the launcher, too, which may hang when all ranks go at once
        if not os.path.exists(self.path):  # a slow machine
            return
        done = ranks(2, LU, "--class", "W", "--checkpoint", self.path, "--restart")
        self.assertEqual(norms_of(done), expected, f"seed {seed}")

    def test_what_is_wrong_is_said_before_the_first_step(self):
        for options, text in ((["--every", 5], "--every: which file? give --checkpoint FILE"),
                              (["--checkpoint", self.path, "--every", 0], "--every 0: not a number of steps"),
                              (["--checkpoint", "/none/file"], "/none/file.part: cannot be opened for writing"),
                              (["--checkpoint", self.path, "--restart"], "no such file"),
                              (["--checkpoint", self.path, "--march", "own"], "--march own: makes no checkpoints; zones")):
            for n in (1, 2) if "own" not in options else (1,):
                done = ranks(n, SP, "--class", "S", *options)
                self.assertIn(text, done.stderr)
                self.assertNotEqual(done.returncode, 0)
                self.assertNotIn("Verification", done.stdout)


class Wrong(unittest.TestCase):
    def test_an_option_is_refused_once(self):
        for options, text in ((["--class", "Q"], "--class Q: no such class"),
                              (["--solo"], "--solo: not on several ranks, of which there are 3; leave it out"),
                              (["--march", "own"], "--march own: not on 3 ranks; zones")):
            done = ranks(3, SP, *options)
            self.assertEqual(done.stderr.count(text), 1, done.stderr)
            self.assertNotEqual(done.returncode, 0)

    def test_march_takes_two_words(self):
        done = run([SP, "--march", "quick"])
        self.assertIn("--march quick: no such way through the steps; one of own, zones", done.stderr)
        self.assertEqual(done.returncode, 2)

    def test_help_is_printed_once(self):
        done = ranks(3, SP, "--help")
        self.assertEqual(done.stdout.count("--march"), 1)

    def test_unlike_classes(self):
        done = run([MPIEXEC, "-n", 1, SP, "--class", "S", ":", "-n", 1, SP, "--class", "W"])
        self.assertIn("rank 0 was asked for SP-MZ class S", done.stderr)
        self.assertNotEqual(done.returncode, 0)

    def one_of_two(self, setting, *command, **how):
        """Rank 1 has that setting."""
        return run([MPIEXEC, "-n", 1, *command, ":", "-n", 1, "env", setting, *command], **how)

    def test_too_little_memory_of_one_rank(self):
        done = self.one_of_two("YOKE_EMULATED=memory=300KiB", SP, "--class", "W", cus="+1", devices="emulated:1")
        self.assertRegex(done.stderr, r"emulated:0: \d+ bytes are wanted for u|rank 1 has too little memory")
        self.assertNotEqual(done.returncode, 0)

    def test_a_wrong_setting_of_one_rank(self):
        done = self.one_of_two("YOKE_SCHEDULE=fastest", SP, "--class", "S")
        self.assertIn("fastest", done.stderr)
        self.assertNotEqual(done.returncode, 0)

    def test_a_killed_rank_ends_all(self):
        begin = time.monotonic()
        with subprocess.Popen([MPIEXEC, "-n", "3", SP, "--class", "A"], env=without_settings() | FOR_MPI | {"YOKE_CUS": "1x1"},
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as job:
            time.sleep(2)
            subprocess.run(["pkill", "-KILL", "-n", "-P", str(job.pid)], check=False)
            job.communicate(timeout=100)
        self.assertNotEqual(job.returncode, 0)
        self.assertLess(time.monotonic() - begin, 60)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
