"""The yoke command as ranks of a launcher: what they take from each other is told once.

tool_ranks.py MPIEXEC YOKE"""
import json
import os
import subprocess
import sys
import unittest

MPIEXEC, YOKE = sys.argv[1:3]
os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
                  OMPI_MCA_hwloc_base_binding_policy="none")
MANY = os.cpu_count() + 1
TOO_MANY = "ranks on this node have"


def run(ranks, *arguments, **settings):
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("YOKE_", "OMP_", "KMP_"))}
    return subprocess.run([MPIEXEC, "-n", str(ranks), YOKE, *arguments], env=kept | settings, capture_output=True, text=True,
                          timeout=100, check=False)


class Told(unittest.TestCase):
    def test_more_ranks_than_cores(self):
        done = run(MANY, "exec", "1x1", "--", "true")
        self.assertEqual(done.stderr.count(f"yoke: {MANY} {TOO_MANY}"), 1, done.stderr)
        self.assertEqual(done.returncode, 0)
        done = run(MANY, "check")
        self.assertEqual(done.stdout.count(f"wrong: {MANY} {TOO_MANY}"), 1, done.stdout)

    def test_info_says_which_rank_it_is(self):
        done = run(MANY, "info")
        for place in range(MANY):
            self.assertIn(f"rank {place}, {place + 1} of {MANY} on this node", done.stdout)
        self.assertEqual(done.stdout.count(f"note: {MANY} {TOO_MANY}"), 1, done.stdout)
        one = subprocess.run([YOKE, "info", "--json"], env=dict(os.environ, YOKE_CUS="1x1"), capture_output=True, text=True, check=False)
        self.assertNotIn("ranks", json.loads(one.stdout))

    def test_one_gpu_of_two_ranks(self):
        told = "ranks 0 and 1 use the same GPU, cuda:0"
        self.assertEqual(run(2, "check", YOKE_CUS="+1", YOKE_DEVICES="cuda:0").stdout.count(told), 1)
        own = 'CUDA_VISIBLE_DEVICES=${OMPI_COMM_WORLD_LOCAL_RANK:-$MPI_LOCALRANKID} exec "$0" check'
        done = subprocess.run([MPIEXEC, "-n", "2", "sh", "-c", own, YOKE], capture_output=True, text=True, timeout=100, check=False,
                              env=dict(os.environ, YOKE_CUS="+1", YOKE_DEVICES="cuda:0"))
        self.assertNotIn("use the same GPU", done.stdout)
        self.assertIn("share all" if os.cpu_count() > 1 else TOO_MANY, done.stdout)

    @unittest.skipIf(len(os.sched_getaffinity(0)) < 3, "fewer than three CPUs")
    def test_masks_that_overlap(self):
        cpus = sorted(os.sched_getaffinity(0))
        masks = f'[ "$OMPI_COMM_WORLD_RANK$PMI_RANK" = 0 ] && cpus={cpus[0]},{cpus[1]} || cpus={cpus[1]},{cpus[2]}; exec taskset -c $cpus "$0" check'
        done = subprocess.run([MPIEXEC, "-n", "2", "sh", "-c", masks, YOKE], capture_output=True, text=True, timeout=100, check=False)
        self.assertEqual(done.stdout.count(f"ranks 0 and 1 may both use the CPUs {cpus[1]}"), 1, done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
