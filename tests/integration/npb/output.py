#!/usr/bin/env python3
"""What SP-MZ prints and writes: report, help, JSON.

output.py SP-MZ
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from clean import without_settings  # noqa: E402

PROGRAM = sys.argv[1]


def run(*arguments, status=0):
    environment = without_settings()
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, env=environment, timeout=300)
    assert done.returncode == status, f"{arguments}: exit {done.returncode}\n{done.stdout}{done.stderr}"
    return done


def the_report_has_the_classic_fields_and_a_line_for_each_cu():
    done = run("--class", "S", "--cus", "1x1+1", "--devices", "emulated:1", "--explain")
    for field in ("Class", "Size", "Iterations", "Time in seconds", "Mop/s total", "Operation type",
                  "Verification", "Set-up seconds", "map of whole zones, longest first", "relative error"):
        assert field in done.stdout, field
    assert "SUCCESSFUL" in done.stdout and "floating point" in done.stdout
    assert any(line.split()[:2] == ["0", "cpu"] for line in done.stdout.splitlines())
    assert any(line.split()[:2] == ["1", "gpu"] for line in done.stdout.splitlines())
    assert done.stderr == "", done.stderr  # no progress line where stderr is no terminal


def the_report_ends_with_what_was_chosen_and_what_bounds_the_step():
    beside = run("--class", "S", "--cus", "1x1+1", "--devices", "emulated:1").stdout.splitlines()[-1]
    assert re.match(r" Choice: auto: .*; the step is bound by CU [01] ", beside), beside
    for alternative in ("GPUs alone", "CPUs alone"):
        assert alternative in beside, beside
    assert " timed, ±" in beside and " predicted, ±" in beside, beside
    idle = run("--class", "S", "--cus", "1x1+1", "--devices", "emulated:1", "--schedule", "static-hybrid,pcf=1000").stdout
    assert idle.splitlines()[-1].endswith("; no zones went to CU 0"), idle


def the_model_and_what_would_help_are_explained():
    text = run("--class", "S", "--cus", "1x1+1", "--devices", "emulated:1", "--explain").stdout
    assert re.search(r"Deciding took \S+ ms \(\S+% of the time\), in which nothing ran", text), text
    assert re.search(r"Model of CU \d: \S+ ms a zone, nine of ten within \S+ ms, and \S+ ms for a launch", text), text
    assert "  What would help: " in text and "  The step is bound by CU " in text, text


def without_a_configuration_the_report_says_which_was_chosen_and_why():
    text = run("--class", "S", "--devices", "none", "--steps", "2").stdout
    assert re.search(r" Note: \d+x\d+: chosen for 4 tasks on \d+ CPUs: ", text), text


def a_run_without_reference_prints_norms_and_no_verdict():
    for arguments in (["--steps", "5"], ["--grid", "20x18x7", "--zones", "2x3", "--steps", "3"]):
        done = run("--class", "S", "--cus", "1x1", "--devices", "none", *arguments)
        assert "NOT PERFORMED" in done.stdout and "xce5" in done.stdout
        assert "reference" not in done.stdout


def quiet_prints_the_verdict_only():
    assert len(run("--class", "S", "--cus", "1x1", "--devices", "none", "--quiet").stdout.splitlines()) == 1


def help_and_version_are_answers():
    text = run("--help").stdout
    for option in ("--class", "--steps", "--cus", "--schedule", "--devices", "--grid", "--zones", "--exchange",
                   "--peer-faces", "--links",
                   "--profile", "--solo", "--explain", "--trace", "--json", "--samples", "--quiet", "Examples"):
        assert option in text, option
    assert "Yoke" in run("--version").stdout


def samples_are_kept_with_their_quantiles(folder):
    path = os.path.join(folder, "samples.json")
    run("--class", "S", "--cus", "1x1+1", "--devices", "emulated:1", "--schedule", "static", "--steps", "7", "--samples", "--json", path)
    with open(path, encoding="utf-8") as file:
        found = json.load(file)
    tasks = found["samples"]["tasks"]
    assert [each["id"] for each in tasks] == [0, 1, 2, 3] and all(len(each["seconds"]) == 7 for each in tasks), tasks
    for each in tasks:
        ordered = sorted(each["seconds"])
        assert each["quantiles_s"][0] == ordered[0] and each["quantiles_s"][2] == ordered[3] and each["quantiles_s"][4] == ordered[6]
        assert abs(each["mean_s"] - sum(ordered) / 7) < 1e-12 and each["deviation_s"] >= 0
        assert each["units"] == [found["tasks"][each["id"]]["unit"]] * 7
    units = found["samples"]["units"]
    assert [each["samples"] for each in units] == [14, 14], units
    assert sum(each["work"] for each in found["units"]) == 7 * 4 * 10 * 10 * 4


def the_json_has_every_field_of_its_schema(folder):
    path = os.path.join(folder, "run.json")
    run("--class", "S", "--cus", "1x1+1", "--devices", "emulated:1", "--schedule", "static", "--solo", "--json", path)
    with open(path, encoding="utf-8") as file:
        found = json.load(file)
    for key in ("schema", "record", "benchmark", "class", "cus", "devices", "schedule", "iterations", "setup_s", "deciding_s",
                "seconds", "mops", "verification", "norms", "hybrid_efficiency", "cpu_gain", "units", "steps", "tasks", "bytes"):
        assert key in found, key
    record = found["record"]
    assert 0 < found["deciding_s"] < found["seconds"], found["deciding_s"]
    assert record["command"][1:3] == ["--class", "S"] and record["commit"], record
    assert record["settings"]["YOKE_SCHEDULE"] == {"value": "static", "from": "--schedule"}, record["settings"]
    assert [d["model"] for d in record["devices"]] == ["emulated"], record["devices"]
    assert found["devices"] == ["emulated:0"] and found["schedule"] == "static"
    assert found["hybrid_efficiency"] > 0 and isinstance(found["cpu_gain"], float)
    assert found["units"][1]["device"] == "emulated:0" and found["units"][0]["device"] is None
    assert found["units"][1]["replays"] > 95  # one graph a step, for 100 steps; two are captured at their second use
    # Two neighbouring zones in each space: 4 of a space's 8 faces go to the other, in every step.
    face = 5 * 10 * 4 * 8
    moved = {(b["from"], b["to"]): b["n"] for b in found["bytes"]}
    assert moved == {(0, 1): 100 * 4 * face, (1, 0): 100 * 4 * face}, moved


def two_devices_lay_their_batches_out_once(folder):
    path = os.path.join(folder, "two.json")
    run("--class", "S", "--cus", "+2", "--devices", "emulated:2", "--schedule", "static", "--json", path)
    with open(path, encoding="utf-8") as file:
        assert all(unit["replays"] > 95 for unit in json.load(file)["units"])


def faces_between_devices_go_the_way_that_is_asked_for(folder):
    face = 5 * 10 * 4 * 8
    by_host = {(0, 1): 100 * 4 * face, (1, 0): 100 * 4 * face, (0, 2): 100 * 4 * face, (2, 0): 100 * 4 * face}
    moved = {"direct": {(1, 2): 100 * 4 * face, (2, 1): 100 * 4 * face}, "host": by_host, "frozen": {}}
    for way, expected in moved.items():
        path = os.path.join(folder, "way.json")
        text = run("--class", "S", "--cus", "+2", "--devices", "emulated:2", "--schedule", "static", "--peer-faces", way,
                   "--links", "--json", path).stdout
        assert re.search(r" Link: emulated:0 to emulated:1: emulated, \S+ GB/s\n", text), text
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
        assert {(b["from"], b["to"]): b["n"] for b in found["bytes"]} == expected, found["bytes"]
        assert found["peer_faces"] == way and len(found["links"]) == 6 and all(link["bytes_per_s"] > 0 for link in found["links"])
        frozen = way == "frozen"
        assert found["verification"] == ("NOT PERFORMED" if frozen else "SUCCESSFUL"), found["verification"]
        assert ("--peer-faces frozen: faces between devices stayed as they were" in text) == frozen, text
        if way == "direct":
            assert sum(unit["steps_ahead"] for unit in found["units"]) > 0, found["units"]
        else:
            assert all(unit["steps_ahead"] == 0 for unit in found["units"]), found["units"]


def a_run_leaves_a_profile_with_which_the_next_one_begins(folder):
    path = os.path.join(folder, "profile.json")
    arguments = ("--class", "S", "--cus", "1x1+1", "--devices", "emulated:1", "--explain", "--profile", path)
    norms = [run(*arguments).stdout.split("Norms")[1].split("CU  kind")[0] for _ in range(2)]
    assert norms[0] == norms[1], norms
    with open(path, encoding="utf-8") as file:
        found = json.load(file)
    assert found["schema"] == "yoke-profile/1" and len(found["entries"]) == 1, found
    entry = found["entries"][0]
    assert entry["work"].startswith("SP-MZ S 24x24x6, 4 tasks") and entry["cus"] == "1x1+1", entry
    assert len(entry["runs"]) == 2 and len(entry["runs"][0]["units"]) == 2, entry
    run("--class", "S", "--cus", "1x1", "--devices", "none", "--profile", path)  # one way only: nothing to learn
    with open(path, encoding="utf-8") as file:
        assert json.load(file) == found


def a_profile_that_is_none_costs_one_line(folder):
    path = os.path.join(folder, "diary.txt")
    with open(path, "w", encoding="utf-8") as file:
        file.write("Dear diary")
    done = run("--class", "S", "--cus", "1x1+1", "--devices", "emulated:1", "--profile", path)
    assert done.stdout.count("profile: ") == 1 and path in done.stdout and done.stderr == "", done.stdout + done.stderr
    with open(path, encoding="utf-8") as file:
        assert file.read() == "Dear diary"


def main():
    checks = [the_report_has_the_classic_fields_and_a_line_for_each_cu,
              the_report_ends_with_what_was_chosen_and_what_bounds_the_step, the_model_and_what_would_help_are_explained,
              without_a_configuration_the_report_says_which_was_chosen_and_why,
              a_run_without_reference_prints_norms_and_no_verdict, quiet_prints_the_verdict_only,
              help_and_version_are_answers]
    with_folder = [the_json_has_every_field_of_its_schema, samples_are_kept_with_their_quantiles,
                   two_devices_lay_their_batches_out_once, faces_between_devices_go_the_way_that_is_asked_for,
                   a_run_leaves_a_profile_with_which_the_next_one_begins, a_profile_that_is_none_costs_one_line]
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for check in checks + with_folder:
            try:
                check(*([folder] if check in with_folder else []))
            except (AssertionError, KeyError) as broken:
                failures += 1
                print(f"{check.__name__}: {broken}")
    print(f"{len(checks + with_folder) - failures} of {len(checks + with_folder)} hold")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
