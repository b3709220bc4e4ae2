"""The scripts that compare whole runs, with programs that only pretend to run."""

import json
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[3] / "scripts"

# Runs faster the more CPUs it has, `cost` most, the default a little less, and `pool` fails.
NPB = """
import json, sys
words = dict(zip(sys.argv[1:], sys.argv[2:]))
cus, schedule = words.get("--cus", "default"), words.get("--schedule", "auto")
if schedule == "pool":
    sys.exit(1)
mops = {"static": 100, "cost": 200, "auto": 190}.get(schedule, 50)
json.dump({"schema": "yoke-npb/1", "cus": cus, "schedule": schedule, "iterations": 10, "seconds": 1e3 / mops, "setup_s": 0, "mops": mops,
           "verification": "successful", "record": {"commit": "none"}}, open(words["--json"], "w"))
"""
# Knows a machine with one GPU, and that a pass takes 1 s divided by the GPUs, or twice of that in the class E; F has no room.
YOKE = """
import json, sys
words = dict(zip(sys.argv[1:], sys.argv[2:]))
if "--calibrate" in words:
    print(json.dumps({"schema": "yoke-machine/1", "groups": [{"kind": "gpu", "count": 1, "per_weight": 1}]}))
elif words.get("--class", "").endswith(":F"):
    sys.exit("no room")
else:
    machine = json.load(open(words["--machine"]))
    way = 1 if "between_devices" in machine else 2
    gpus = int(words["--cus"].split("+")[1]) if "+" in words["--cus"] else 1
    print(json.dumps({"schedules": [{"schedule": words["--schedule"], "pass_s": way / gpus, "undone": 0, "bytes_too_many": 0, "bytes": 8}]}))
"""


class Programs(unittest.TestCase):
    def setUp(self):
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        self.bin = pathlib.Path(held.name)
        for name, text in (("sp-mz", NPB), ("bt-mz", NPB), ("lu-mz", NPB), ("yoke", YOKE)):
            self.write(name, text)

    def write(self, name, text):
        path = self.bin / name
        path.write_text(f"#!{sys.executable}\n{text}", encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def run_script(self, script, *arguments):
        file = self.bin / "found.json"
        done = subprocess.run([sys.executable, SCRIPTS / script, self.bin, *arguments, "--json", file], capture_output=True, text=True, check=False)
        return done, json.loads(file.read_text(encoding="utf-8")) if done.returncode == 0 else None


class ShareOfBest(Programs):
    def test_the_default_stands_beside_the_best_that_ran(self):
        done, found = self.run_script("share_of_best.py", "--benchmarks", "sp", "--classes", "S", "--pairs", "3", "--repeats", "2", "--screen-steps", "5")
        self.assertEqual(done.returncode, 0, done.stderr)
        (one,) = found["shares"]
        self.assertRegex(one["best"], "cost$")
        self.assertAlmostEqual(one["share"], 0.95)
        self.assertEqual(len(one["ratios"]), 3)
        self.assertTrue(all(rate == 0 for name, rate in one["screened"].items() if "pool" in name))
        self.assertIn("0.950", done.stdout)

    def test_alternatives_are_chosen_by_name_and_those_of_a_gpu_are_there(self):
        done, found = self.run_script("share_of_best.py", "--benchmarks", "bt", "--classes", "D", "--gpus", "1", "--emulated", "--pairs", "1",
                                      "--repeats", "1", "--among", r"\+1 (static|cost)$", "--by", "wall")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({name.split()[0][-2:] for name in found["shares"][0]["screened"]}, {"+1"})
        self.assertTrue(found["emulated"])
        done, _ = self.run_script("share_of_best.py", "--among", "nothing")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--among nothing: matches none", done.stderr)


class Predictions(Programs):
    def test_every_configuration_stands_beside_what_is_predicted(self):
        self.write("sp-mz", NPB.replace('if schedule == "pool":\n    sys.exit(1)', ""))
        done, found = self.run_script("predictions.py", "--benchmarks", "sp", "--class", "S", "--rounds", "3")
        self.assertEqual(done.returncode, 0, done.stderr)
        static = next(row for row in found["runs"] if row["cus"] == "1x1" and row["schedule"] == "static")
        self.assertEqual(len(static["ms"]), 3)
        self.assertAlmostEqual(static["error"], 2e3 / 1e3 - 1)
        self.assertEqual([row["schedule"] for row in found["runs"] if row["is_source"]], ["pool"])
        self.assertIn("(calibrated from)", done.stdout)

    def test_what_cannot_be_is_refused_by_name(self):
        for words, wanted in ((["--benchmarks", "mg"], "--benchmarks: mg"), (["--rounds", "0"], "--rounds 0"), (["--from", "2x1,magic"], "--from 2x1,magic"),
                              (["--benchmarks", "bt", "--rounds", "1"], "exit status 1")):
            done, _ = self.run_script("predictions.py", *words)
            self.assertEqual(done.returncode, 1, words)
            self.assertIn(wanted, done.stderr)


class MoreGpus(Programs):
    def test_each_number_of_gpus_is_predicted_on_both_ways_between_them(self):
        done, found = self.run_script("more_gpus.py", "--classes", "d,f", "--schedules", "auto", "--passes", "7", "--host-link", "40", "--device-link", "300")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({(row["class"], row["gpus"]) for row in found["runs"]}, {("D", n) for n in (1, 2, 4, 8)})
        (eight,) = (row for row in found["runs"] if row["gpus"] == 8 and row["route"] == "host" and row["benchmark"] == "sp")
        self.assertAlmostEqual(eight["ms"], 250)
        self.assertEqual((found["host_link"], found["device_link"]), (40, 300))

    def test_runs_that_are_not_there_are_named(self):
        done, _ = self.run_script("more_gpus.py", "--runs", str(self.bin))
        self.assertEqual(done.returncode, 1)
        self.assertIn("no h200-sp-D.json there", done.stderr)


if __name__ == "__main__":
    unittest.main()
