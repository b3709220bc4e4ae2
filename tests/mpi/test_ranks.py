"""Zones on several ranks: the bits of plain memory, and what happens when one cannot go on.

test_ranks.py MPIEXEC PROGRAM"""
import os
import re
import subprocess
import sys
import time
import unittest

MPIEXEC, PROGRAM = sys.argv[1:3]
# Open MPI: more ranks than CPUs, in a container.
os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
                  OMPI_MCA_hwloc_base_binding_policy="none")


def run(ranks, *arguments, cus="1x1", devices=None):
    environment = dict(os.environ, YOKE_CUS=cus)
    if devices:
        environment["YOKE_DEVICES"] = devices
    return subprocess.run([MPIEXEC, "-n", str(ranks), PROGRAM, *map(str, arguments)], env=environment,
                          capture_output=True, text=True, timeout=300, check=False)


class Bits(unittest.TestCase):
    def same(self, ranks, **how):
        done = run(ranks, "random", 7000, 12, **how)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(f"{ranks} ranks: done", done.stdout)

    def test_one_rank(self):
        self.same(1)

    def test_two_ranks(self):
        self.same(2)

    def test_three_ranks_of_two_kinds(self):
        self.same(3, cus="1x1+1", devices="emulated:1")

    def test_more_ranks_than_zones(self):
        self.same(7)

    def test_without_a_launcher(self):
        done = subprocess.run([PROGRAM, "random", "7000", "6"], env=dict(os.environ, YOKE_CUS="1x1"), capture_output=True,
                              text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("1 ranks: done", done.stdout)


class Dealt(unittest.TestCase):
    def test_neighbours_are_on_one_rank(self):
        for ranks in (2, 3, 4):
            done = run(ranks, "cut")
            self.assertEqual(done.stdout.count(f": {ranks} joins between ranks"), ranks, done.stdout + done.stderr)


class Cpus(unittest.TestCase):
    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "one CPU")
    def test_ranks_with_the_same_cpus_share_them(self):
        done = run(2, "cpus")
        cpus = re.findall(r"rank \d has CPU (\d+) of (\d+)", done.stdout)
        self.assertEqual(len(cpus), 2, done.stdout + done.stderr)
        self.assertNotEqual(cpus[0][0], cpus[1][0])
        self.assertEqual(sum(int(n) for _, n in cpus), len(os.sched_getaffinity(0)))
        self.assertEqual(done.stderr.count("and they take equal shares of these"), 1, done.stderr)

    def test_more_ranks_than_cpus_are_told(self):
        done = run(len(os.sched_getaffinity(0)) + 1, "cpus")
        self.assertEqual(done.stderr.count("and slow each other down"), 1, done.stderr)


class Devices(unittest.TestCase):
    def taken(self, ranks, cus, devices, note=None):
        done = run(ranks, "devices", cus=cus, devices=devices)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stderr.count("by local rank"), 1 if note else 0, done.stderr)
        self.assertIn(note or "", done.stderr)
        return [text for _, text in sorted(re.findall(r"rank (\d) has (.*)", done.stdout))]

    def test_ranks_take_devices_by_local_rank(self):
        self.assertEqual(self.taken(2, "1x1+1", "emulated:2", "ranks 0 to 1 on "),
                         ["1 CPU CUs and emulated:0", "1 CPU CUs and emulated:1"])
        self.assertEqual(self.taken(4, "+1", "emulated:4", "rank 0 takes emulated:0"),
                         [f"0 CPU CUs and emulated:{rank}" for rank in range(4)])
        self.assertEqual(self.taken(3, "+2", "emulated:4", "see the same 4 devices"),
                         [f"0 CPU CUs and {names}" for names in ("emulated:0,emulated:1", "emulated:2,emulated:3",
                                                                 "emulated:0,emulated:1")])

    def test_one_emulated_device_is_that_of_each(self):
        self.assertEqual(self.taken(2, "+1", "emulated:1"), 2 * ["0 CPU CUs and emulated:0"])

    def test_a_configuration_for_each_rank(self):
        self.assertEqual(self.taken(3, "1x1,+1,1x1+2", "emulated:3", "rank 0 takes none"),
                         ["1 CPU CUs and none", "0 CPU CUs and emulated:0", "1 CPU CUs and emulated:1,emulated:2"])
        done = run(2, "devices", cus="1x1,1x1,1x1")
        self.assertIn("YOKE_CUS=1x1,1x1,1x1: 3 configurations for 2 ranks", done.stderr)
        self.assertNotEqual(done.returncode, 0)


class Faults(unittest.TestCase):
    def refusals(self, what, text):
        done = run(2, what)
        self.assertEqual(done.stdout.count(text), 2, done.stdout + done.stderr)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_unlike_extents(self):
        self.refusals("unlike-extents", "zones: ranks 0 and 1 have unlike extents; all ranks make the same zones")

    def test_unlike_steps(self):
        self.refusals("unlike-steps", "replay: 2 steps on rank 0, 3 on rank 1; all ranks replay the same")

    def test_too_little_memory_of_one_rank(self):
        done = run(2, "memory", cus="+1", devices="emulated:1")
        self.assertIn("rank 0: u: rank 1 has too little memory for it", done.stdout, done.stderr)
        self.assertRegex(done.stdout, r"rank 1: emulated:0: \d+ bytes are wanted for u, \d+ are free")

    def test_a_zone_of_another_rank(self):
        self.refusals("elsewhere", "; ask where zones::is_here says so")

    def test_a_body_that_fails_ends_all(self):
        begin = time.monotonic()
        done = run(3, "failing")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("yoke: rank 1: rank 1 has had enough", done.stderr)
        self.assertLess(time.monotonic() - begin, 60)

    def test_a_rank_that_throws_ends_all(self):
        begin = time.monotonic()
        done = run(3, "throws")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("rank 1 cannot begin", done.stdout + done.stderr)
        self.assertLess(time.monotonic() - begin, 60)

    def test_a_killed_rank_ends_all(self):
        begin = time.monotonic()
        done = run(3, "killed")
        self.assertNotEqual(done.returncode, 0)
        self.assertLess(time.monotonic() - begin, 60)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
