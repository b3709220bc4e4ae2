"""Zones on ranks of two hosts, which are network namespaces with a name each: the bits of plain memory.

hosts.py MPIEXEC PROGRAM (of Open MPI)"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

MPIEXEC, PROGRAM = sys.argv[1:3]
HOSTS = {f"yoke-{os.getpid()}-{which}": f"10.213.77.{number}" for number, which in ((1, "a"), (2, "b"))}
FIRST, SECOND = HOSTS
# In place of ssh: HOST COMMAND, where HOST is an address.
AGENT = """#!/bin/sh
address=$1
shift
case $address in {cases} esac
exec ip netns exec "$host" unshare --uts sh -c "hostname $host; $*"
"""


def command(*words):
    return subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)


def make_hosts():
    """Why there are none; empty where there are."""
    steps = [["ip", "netns", "add", host] for host in HOSTS]
    steps.append(["ip", "-n", FIRST, "link", "add", "to-other", "type", "veth", "peer", "name", "to-other", "netns", SECOND])
    for host, address in HOSTS.items():
        steps += [["ip", "-n", host, "addr", "add", f"{address}/24", "dev", "to-other"],
                  ["ip", "-n", host, "link", "set", "to-other", "up"], ["ip", "-n", host, "link", "set", "lo", "up"]]
    steps.append(["ip", "netns", "exec", FIRST, "unshare", "--uts", "hostname", FIRST])
    for step in steps:
        try:
            done = command(*step)
        except OSError as problem:
            return f"{' '.join(step)}: {problem}"
        if done.returncode != 0:
            return f"{' '.join(step)}: {done.stderr.strip()}"
    return ""


def remove_hosts():
    for host in HOSTS:
        try:
            command("ip", "netns", "delete", host)
        except OSError:
            return


class Hosts(unittest.TestCase):
    def run_on(self, ranks_each, *arguments, **settings):
        with tempfile.TemporaryDirectory() as folder:
            agent = pathlib.Path(folder) / "agent"
            agent.write_text(AGENT.format(cases=" ".join(f"{address}) host={host} ;;" for host, address in HOSTS.items())),
                             encoding="utf-8")
            agent.chmod(0o700)
            environment = {name: value for name, value in os.environ.items() if not name.startswith("YOKE_")}
            environment |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "TMPDIR": folder} | settings
            words = [MPIEXEC, "--host", ",".join(f"{address}:{ranks_each}" for address in HOSTS.values()), "--bind-to", "none"]
            for name, value in (("plm_rsh_agent", str(agent)), ("btl_tcp_if_include", "to-other"), ("oob_tcp_if_include", "to-other"),
                                ("rmaps_base_oversubscribe", "1")):
                words += ["--mca", name, value]
            for name in settings:
                words += ["-x", name]
            inside = " ".join(f"'{word}'" for word in (*words, PROGRAM, *map(str, arguments)))
            return subprocess.run(["ip", "netns", "exec", FIRST, "unshare", "--uts", "sh", "-c", f"hostname {FIRST}; {inside}"],
                                  env=environment, capture_output=True, text=True, timeout=300, check=False)

    def test_the_bits_of_one_process(self):
        for ranks_each, cus in ((1, "1x1"), (2, "1x1+1")):
            with self.subTest(ranks_each=ranks_each, cus=cus):
                done = self.run_on(ranks_each, "random", 7000, 8, YOKE_CUS=cus, YOKE_DEVICES="emulated:2")
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertIn(f"{2 * ranks_each} ranks: done", done.stdout)

    def test_each_host_deals_its_own_devices_and_cpus(self):
        done = self.run_on(2, "devices", YOKE_CUS="+1", YOKE_DEVICES="emulated:2")
        taken = [name for _, name in sorted(re.findall(r"rank (\d) has .* and (emulated:\d)", done.stdout))]
        self.assertEqual(taken, ["emulated:0", "emulated:1", "emulated:0", "emulated:1"], done.stdout + done.stderr)
        self.assertIn(f"ranks 0 to 1 on {FIRST} see the same 2 devices", done.stderr)

    def test_a_rank_that_is_killed_ends_those_elsewhere(self):
        done = self.run_on(1, "killed", YOKE_CUS="1x1")
        self.assertNotEqual(done.returncode, 0)
        self.assertNotIn("ranks: done", done.stdout)


if __name__ == "__main__":
    reason = make_hosts()
    try:
        if reason:
            print(f"[skipped] no network namespaces here: {reason} [all skipped]")
        else:
            unittest.main(argv=sys.argv[:1])
    finally:
        remove_hosts()
