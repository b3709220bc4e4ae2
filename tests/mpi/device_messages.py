"""Messages that begin and end in memory of devices: the bits of plain memory, where the library takes it and is asked.

device_messages.py MPIEXEC PROGRAM PLAIN_PROGRAM (over a library that takes emulated devices, and over one that does not)"""
import os
import subprocess
import sys
import unittest

MPIEXEC, PROGRAM, PLAIN = sys.argv[1:4]
# Open MPI: more ranks than CPUs, in a container.
os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
                  OMPI_MCA_hwloc_base_binding_policy="none")
FROM_DEVICES, FROM_HOST = "messages had parts in memory of devices", "messages had no parts in memory of devices"


def run(ranks, program=PROGRAM, cus="1x1+1", devices="emulated:4", seeds=12, **settings):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("YOKE_")}
    environment |= {"YOKE_CUS": cus, "YOKE_DEVICES": devices} | settings
    return subprocess.run([MPIEXEC, "-n", str(ranks), program, "random", "7000", str(seeds)], env=environment,
                          capture_output=True, text=True, timeout=300, check=False)


class Messages(unittest.TestCase):
    def right(self, done, ranks, way):
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn(f"{ranks} ranks: done", done.stdout)
        self.assertEqual(done.stdout.count(way), ranks, done.stdout)

    def test_from_device_to_device(self):
        for ranks, cus in ((2, "+1"), (2, "1x1+1"), (3, "1x1+1"), (2, "+2"), (3, "+1,1x1,1x1+2")):
            for how in ("ask", "direct"):
                with self.subTest(ranks=ranks, cus=cus, how=how):
                    done = run(ranks, cus=cus, YOKE_MPI_DEVICES=how)
                    self.right(done, ranks, "messages had ")
                    self.assertEqual(done.stdout.count(FROM_DEVICES), 2 if "," in cus else ranks, done.stdout)
                    self.assertNotIn("leave from host memory", done.stderr)

    def test_from_host_memory_where_nobody_wants_more(self):
        for settings in ({}, {"YOKE_MPI_DEVICES": "host"}):
            done = run(2, **settings)
            self.right(done, 2, FROM_HOST)
            self.assertNotIn("leave from host memory", done.stderr)

    def test_a_library_that_does_not_say_so(self):
        done = run(2, PLAIN, YOKE_MPI_DEVICES="ask")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count("the MPI library does not say that it takes memory of emulated devices; "
                                           "messages leave from host memory"), 1, done.stderr)

    def test_a_library_that_loses_what_it_takes(self):
        done = run(2, seeds=1, YOKE_MPI_DEVICES="direct", FAKE_MPI="lies")
        self.right(done, 2, FROM_HOST)
        self.assertEqual(done.stderr.count("rank 0: a message between memories of devices has come with other bytes"), 1)

    def test_a_rank_that_does_not_want_it(self):
        settings = ["env", "YOKE_CUS=1x1+1", "YOKE_DEVICES=emulated:2"]
        one, other = ([*settings, f"YOKE_MPI_DEVICES={how}", PROGRAM, "random", "7000", "2"] for how in ("direct", "host"))
        done = subprocess.run([MPIEXEC, "-n", "1", *one, ":", "-n", "1", *other], capture_output=True, text=True, timeout=100,
                              check=False)
        self.right(done, 2, FROM_HOST)
        self.assertIn("rank 1 has host; messages leave from host memory", done.stderr)

    def test_a_wrong_word_is_refused(self):
        done = run(2, YOKE_MPI_DEVICES="gpu")
        self.assertIn("YOKE_MPI_DEVICES=gpu: no place that messages leave from; accepted: host | ask | direct", done.stderr)
        self.assertNotEqual(done.returncode, 0)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
