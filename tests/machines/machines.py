#!/usr/bin/env python3
"""Machines that are not here, as hwloc would describe them, made from what their vendors publish.

machines.py    writes each into this folder, as NAME.xml
"""
import itertools
import pathlib
from typing import NamedTuple

GIB = 1 << 30
MIB = 1 << 20


class Accelerator(NamedTuple):
    pci: str
    pci_class: str
    ids: str
    model: str
    memory: int  # bytes
    numa: int  # the node that it is near
    link: float = 31.507692  # GB/s of 16 lanes of PCIe 4


class Core(NamedTuple):
    threads: tuple  # OS numbers
    kind: int = 0


class Machine(NamedTuple):
    name: str
    sockets: list  # of lists of NUMA nodes, of lists of last caches, of lists of cores
    memory: int  # bytes of a NUMA node
    cache: int  # bytes of a last cache
    accelerators: list = []
    kinds: tuple = ()  # CoreType of each kind


def bitmap(bits):
    """As hwloc writes sets: words of 32 bits, the highest first."""
    value = sum(1 << bit for bit in set(bits))
    words = []
    while value or not words:
        words.append(value & 0xFFFFFFFF)
        value >>= 32
    return ",".join(f"0x{word:08x}" for word in reversed(words))


class Writer:
    def __init__(self, machine):
        self.machine = machine
        self.lines = []
        self.gp_index = itertools.count(1)

    def object(self, of, cpus, nodes, inside=(), **attributes):
        sets = {"cpuset": bitmap(cpus), "complete_cpuset": bitmap(cpus), "nodeset": bitmap(nodes),
                "complete_nodeset": bitmap(nodes)} if cpus else {}
        if of == "Machine":
            sets |= {"allowed_cpuset": bitmap(cpus), "allowed_nodeset": bitmap(nodes)}
        every = {"type": of, **attributes, **sets, "gp_index": next(self.gp_index)}
        self.lines.append("<object " + " ".join(f'{key}="{value}"' for key, value in every.items()) + ">")
        for write in inside:
            write()
        self.lines.append("</object>")

    def info(self, name, value):
        self.lines.append(f'<info name="{name}" value="{value}"/>')

    def core(self, core, number, nodes):
        threads = [lambda cpu=cpu: self.object("PU", [cpu], nodes, os_index=cpu) for cpu in core.threads]
        self.object("Core", core.threads, nodes, threads, os_index=number)

    def cache(self, cores, numbers, nodes):
        cpus = [cpu for core in cores for cpu in core.threads]
        inside = [lambda core=core: self.core(core, next(numbers), nodes) for core in cores]
        self.object("L3Cache", cpus, nodes, inside, cache_size=self.machine.cache, depth=3, cache_linesize=64,
                    cache_associativity=16, cache_type=0)

    def accelerator(self, device):
        def body():
            def memory():
                self.info("RSMIVRAMSize" if device.ids.startswith("1002") else "CUDAGlobalMemorySize", device.memory // 1024)

            self.info("PCIDevice", device.model)
            self.object("OSDev", [], [], [memory], name="gpu", osdev_type=5)

        bus = device.pci[5:7]

        def child():
            self.object("PCIDev", [], [], [body], pci_busid=device.pci, pci_link_speed=f"{device.link:f}",
                        pci_type=f"{device.pci_class} [{device.ids}] [{device.ids}] 00")

        self.object("Bridge", [], [], [child], bridge_type="0-1", depth=0, bridge_pci=f"{device.pci[:4]}:[{bus}-{bus}]")

    def node(self, number, caches, numbers):
        cpus = [cpu for cores in caches for core in cores for cpu in core.threads]

        def memory():
            self.object("NUMANode", cpus, [number], os_index=number, local_memory=self.machine.memory)

        near = [device for device in self.machine.accelerators if device.numa == number]
        inside = [memory, *(lambda cores=cores: self.cache(cores, numbers, [number]) for cores in caches),
                  *(lambda device=device: self.accelerator(device) for device in near)]
        self.object("Group", cpus, [number], inside, kind=1001, subkind=0)

    def text(self):
        numbers = itertools.count()
        node_numbers = itertools.count()
        whole = [[(next(node_numbers), caches) for caches in nodes] for nodes in self.machine.sockets]
        cpus_of = lambda nodes: [cpu for _, caches in nodes for cores in caches for core in cores for cpu in core.threads]

        def socket(number, nodes):
            inside = [lambda n=n, c=c: self.node(n, c, numbers) for n, c in nodes]
            self.object("Package", cpus_of(nodes), [n for n, _ in nodes], inside, os_index=number)

        every = [node for nodes in whole for node in nodes]
        self.object("Machine", cpus_of(every), [n for n, _ in every],
                    [lambda i=i, nodes=nodes: socket(i, nodes) for i, nodes in enumerate(whole)], os_index=0)
        kinds = [self.kind(number, name) for number, name in enumerate(self.machine.kinds)]
        return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', '<!DOCTYPE topology SYSTEM "hwloc2.dtd">',
                          '<topology version="2.0">', *self.lines, *kinds, "</topology>", ""])

    def kind(self, number, name):
        cores = (core for nodes in self.machine.sockets for caches in nodes for cores in caches for core in cores)
        cpus = [cpu for core in cores if core.kind == number for cpu in core.threads]
        return f'<cpukind cpuset="{bitmap(cpus)}" forced_efficiency="{number}"><info name="CoreType" value="{name}"/></cpukind>'


def grid(sockets, nodes, caches, cores, threads):
    """Cores whose second threads are numbered behind all first ones, as Linux does on servers."""
    total = sockets * nodes * caches * cores
    number = itertools.count()
    core = lambda n: Core(tuple(n + rank * total for rank in range(threads)))
    return [[[[core(next(number)) for _ in range(cores)] for _ in range(caches)] for _ in range(nodes)]
            for _ in range(sockets)]


def mi50(bus, numa):
    return Accelerator(f"0000:{bus}:00.0", "0380", "1002:66a1", "Vega 20 [Radeon Pro VII/Radeon Instinct MI50]", 16 * GIB, numa)


def nvidia(bus, device, model, memory, numa):
    return Accelerator(f"0000:{bus}:00.0", "0302", f"10de:{device}", model, memory, numa)


def a100(bus, numa):
    return nvidia(bus, "20b2", "GA100 [A100 SXM4 80GB]", 80 * GIB, numa)


MACHINES = [
    # AMD EPYC 7742: 64 cores, four to a last cache; four NUMA nodes a socket (NPS4).
    Machine("epyc-7742-2-mi50", grid(1, 4, 4, 4, 2), 64 * GIB, 16 * MIB, [mi50("23", 1), mi50("83", 2)]),
    # Intel Xeon Platinum 8362: 32 cores.
    Machine("ice-lake-2-a40", grid(1, 1, 1, 32, 2), 512 * GIB, 48 * MIB,
            [nvidia("31", "2235", "GA102GL [A40]", 48 * GIB, 0), nvidia("b1", "2235", "GA102GL [A40]", 48 * GIB, 0)]),
    # Intel Core i7-1260P: four P cores of two threads, eight E cores of one; E is kind 0.
    Machine("laptop-p-e", [[[[*(Core((2 * i, 2 * i + 1), 1) for i in range(4)), *(Core((8 + i,)) for i in range(8))]]]],
            16 * GIB, 18 * MIB, kinds=("IntelAtom", "IntelCore")),
    # Two AMD EPYC 7543 with four NUMA nodes each, a GPU beside each node.
    Machine("eight-gpus", grid(2, 4, 2, 4, 2), 64 * GIB, 32 * MIB,
            [a100(bus, node) for node, bus in enumerate(("01", "24", "41", "61", "81", "a1", "c1", "e1"))]),
    # NVIDIA Grace Hopper: 72 cores of one thread.
    Machine("grace", grid(1, 1, 1, 72, 1), 480 * GIB, 114 * MIB, [nvidia("01", "2342", "GH100 [GH200 120GB / 480GB]", 96 * GIB, 0)]),
]


def main():
    here = pathlib.Path(__file__).resolve().parent
    for machine in MACHINES:
        (here / f"{machine.name}.xml").write_text(Writer(machine).text(), encoding="utf-8")


if __name__ == "__main__":
    main()
