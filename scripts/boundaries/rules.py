"""The rules that look at one file after the other."""

import os
import re

from boundaries.finding import Finding
from boundaries.layout import ALIAS_HEADER, DRIVER, DRIVER_USES, MAX_LINES, MAY_USE, PURE, STOREYS
from boundaries.source import Source, included, is_under, private_header, public_headers

SCRIPTS = {".py", ".sh", ".cmake"}


class Rules:
    """Each method is a rule: takes a source, yields findings. What is exempt stands in its first lines."""

    def __init__(self, paths):
        self.headers = public_headers(paths)
        self.paths = set(paths)

    def rooms_use_only_lower_rooms(self, source):
        if source.room is None:
            return
        allowed = MAY_USE[source.room]
        for line, name, target in included(source, self.headers, self.paths):
            room = Source(target, "").room
            if room is None:
                yield Finding(line, f"{name} belongs to no room", "a room includes rooms only")
            elif room not in allowed and not (name == ALIAS_HEADER and "runtime" in allowed):
                yield Finding(line, f"{source.room} includes {name} of {room}",
                              f"{source.room} may use {', '.join(sorted(allowed))}")
            elif room != source.room and target not in self.headers.values():
                yield Finding(line, f"{source.room} includes the private header {target}",
                              f"the public headers of {room}")

    def programs_include_no_detail(self, source):
        if source.room not in ("benchmarks", "examples", "tools"):
            return
        for line, _, name in source.includes:
            if name.startswith("yoke/detail/"):
                yield Finding(line, f"{source.room} includes {name}", "public headers outside of yoke/detail/")

    def the_driver_uses_only_its_lower_rooms(self, source):
        if not source.path.startswith(DRIVER):
            return
        room = source.path[len(DRIVER):].split("/")[0]
        for line, _, name in source.includes:
            if (match := re.match(r"driver/(\w+)/", name)) and match[1] not in DRIVER_USES[room]:
                yield Finding(line, f"{room} includes {name} of {match[1]}",
                              f"{room} may use {', '.join(sorted(DRIVER_USES[room])) or 'no other room'}")

    def storeys_use_only_lower_ones(self, source):
        for folder, storeys in STOREYS.items():
            own = source.path[len(folder):].split("/") if source.path.startswith(folder) else []
            if len(own) < 2:
                continue
            if own[0] not in storeys:
                yield Finding(1, f"{folder}{own[0]} is none of its storeys", ", ".join(storeys))
                continue
            lower = storeys[:storeys.index(own[0])]
            for line, _, name in source.includes:
                if (match := re.match(r"\.\./(\w+)/", name)) and match[1] not in lower:
                    yield Finding(line, f"{own[0]} includes {name}",
                                  f"{own[0]} may use {', '.join(lower) or 'no other storey'}")

    def vendor_headers_stay_in_the_gpu_backend(self, source):
        # The stand-ins are vendor headers themselves.
        if is_under(source.path, "devices/gpu", "tests/support/hip-over-cuda", "tests/support/fake-hip"):
            return
        vendor = re.compile(r"^(cuda|cuda_\w+|cuda\w*|cooperative_groups|nvml|nvrtc|device_launch_parameters"
                            r"|cub/.*|thrust/.*|cuda/.*|hip/.*|hipcub/.*|rocprim/.*|nvtx3/.*)(\.h|\.hpp|\.cuh)?$")
        for line, _, name in source.includes:
            if vendor.match(name):
                yield Finding(line, f"vendor header {name}", f"only in devices/gpu; others include <{ALIAS_HEADER}>")

    def vendor_macros_have_two_homes(self, source):
        if source.path in ("base/include/yoke/compiler.hpp", "devices/gpu/include/yoke/gpu.hpp") or is_under(
                source.path, "tests/support/hip-over-cuda", "tests/support/fake-hip"):
            return
        for line, name in source.uses(r"\b__(?:CUDACC|CUDA_ARCH|NVCC|HIPCC|HIP_DEVICE_COMPILE|HIP_PLATFORM\w*)__\b"):
            yield Finding(line, name, "YOKE_DEVICE_PASS and what else compiler.hpp has")

    def kernels_do_not_ask_for_the_vendor(self, source):
        homes = ("base/include/yoke/compiler.hpp", "devices/include/yoke/vendors.hpp")
        if source.path in homes or is_under(source.path, "devices/gpu", "tests"):
            return
        for line, name in source.uses(r"\bYOKE_(?:CUDA_PASS|FOR_AMD)\b"):
            yield Finding(line, name, "only in devices/include/yoke/vendors.hpp; others call what it has")

    def no_kernel_counts_on_lanes(self, source):
        """A warp has 32 lanes and a wavefront 64; the threads of an emulated block run one after the other."""
        for line, name in source.uses(r"\b(?:__(?:shfl|ballot|any|all|activemask|syncwarp|reduce|match)\w*|warpSize|"
                                      r"__popcll?|__ffsll?|__laneid|tiled_partition)\b"):
            yield Finding(line, name, "threads of a block talk through shared memory and meet at the end of a phase")

    def rooms_that_decide_are_pure(self, source):
        """They are told what happened; so they run in virtual time as on a machine."""
        if source.room not in PURE:
            return
        allowed = "they are told times, and who calls them has the threads"
        for line, _, name in source.includes:
            if name in ("chrono", "ctime", "thread", "future", "condition_variable", "filesystem", "fstream", "yoke/clock.hpp"):
                yield Finding(line, f"{source.room} includes <{name}>", allowed)
        for line, name in source.uses(r"\b(?:std::chrono|std::j?thread|std::async|clock_gettime|std::random_device|rand)\b"):
            yield Finding(line, name, allowed)

    def hwloc_has_one_home(self, source):
        if source.path == "base/src/topology_hwloc.cpp":
            return
        allowed = "only in base/src/topology_hwloc.cpp; others ask <yoke/topology.hpp>"
        for line, _, name in source.includes:
            if name.startswith("hwloc"):
                yield Finding(line, f"hwloc header {name}", allowed)
        for line, name in source.uses(r"\b(?:hwloc|HWLOC)_\w+"):
            yield Finding(line, name, allowed)

    def mpi_has_one_home(self, source):
        if is_under(source.path, "mpi/src", "tests", "docs/examples"):
            return
        allowed = "only in mpi/src and programs of users; others take yoke::ranks"
        for line, _, name in source.includes:
            if name == "mpi.h":
                yield Finding(line, f"header {name}", allowed)
        for line, name in source.uses(r"\bMPIX?_[A-Z]\w+"):
            yield Finding(line, name, allowed)

    def the_environment_stays_in_settings(self, source):
        if re.match(r"base/src/settings\w*\.[ch]pp$", source.path) or is_under(source.path, "tests"):
            return
        for line, name in source.uses(r"\b(?:(?:secure_)?getenv|setenv|unsetenv|putenv|clearenv|environ)\b"):
            yield Finding(line, name, "only in base/src/settings*.cpp; others ask <yoke/settings.hpp>")

    def json_has_one_home(self, source):
        """nlohmann's dump throws at a byte that is no UTF-8, and text of others has any."""
        if source.path == "base/include/yoke/text.hpp" or is_under(source.path, "tests"):
            return
        for line, name in source.uses(r"\.dump(?=\s*\()"):
            yield Finding(line, name, "json_text of <yoke/text.hpp>")

    def results_have_one_writer(self, source):
        if source.path == "base/src/output_file.cpp" or is_under(source.path, "tests", "docs/examples"):
            return
        for line, name in source.uses(r"\b(?:std::o?fstream|std::(?:fopen|freopen))\b"):
            yield Finding(line, name, "output_file of <yoke/output_file.hpp>, which knows FIFOs and says why")

    def openmp_entry_points_stay_in_openmp(self, source):
        if re.match(r"cu/src/openmp\w*\.[ch]pp$", source.path):
            return
        if is_under(source.path, "tests", "docs/examples", "benchmarks"):  # OpenMP programs themselves
            return
        allowed = "only in cu/src/openmp*.cpp; others use <yoke/openmp.hpp> or pragmas"
        for line, _, name in source.includes:
            if name in ("omp.h", "omp-tools.h"):
                yield Finding(line, f"OpenMP header {name}", allowed)
        verbs = "get|set|in|init|destroy|test|unset|pause|display|capture|fulfill|target|alloc|free"
        for line, name in source.uses(rf"\b(?:omp_(?:{verbs})\w*|kmp_\w+|__kmpc_\w+|ompt_\w+)\s*\("):
            yield Finding(line, name, allowed)

    def conformance_sees_public_headers_alone(self, source):
        if source.path.startswith("tests/conformance/") and (found := private_header(source, self.headers, self.paths)):
            yield Finding(found[0], f"the private header {found[1]}", "public headers and those of tests; others in tests/ROOM")

    def files_stay_short(self, source):
        """Tests and scripts too, whose medians have no bar; scripts/measure.py counts the same lines."""
        if not source.is_code() and source.suffix not in SCRIPTS and not source.path.endswith("CMakeLists.txt"):
            return
        count = len(source.text.splitlines())
        if count > MAX_LINES:
            yield Finding(1, f"{count} lines", f"at most {MAX_LINES}: split it by concept")

    def no_private_paths(self, source):
        pattern = re.compile(r"(?<![\w.$}])/(?:home|Users|root|work|mnt|media|srv)/[\w.]+")
        for number, line in enumerate(source.text.split("\n"), 1):
            if match := pattern.search(line):
                yield Finding(number, f"private path {match[0]}", "paths inside the repository or of the system")

    def no_unfinished_marks(self, source):
        pattern = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|XX" r"X)\b")
        for number, line in enumerate(source.text.split("\n"), 1):
            if match := pattern.search(line):
                yield Finding(number, f"mark {match[0]}", "finished work; what is left goes into an issue")

    def links_resolve(self, source):
        if source.suffix != ".md":
            return
        code = False
        for number, line in enumerate(source.text.split("\n"), 1):
            if line.lstrip().startswith("```"):
                code = not code
            for link in [] if code else re.findall(r"\]\(([^)\s#]+)[^)]*\)", line):
                target = os.path.normpath(os.path.join(os.path.dirname(source.path), link))
                if "://" in link or target in self.paths or any(is_under(path, target) for path in self.paths):
                    continue
                yield Finding(number, f"link to {link}, which is not there", "files and folders of the repository")

    def all(self):
        return [rule for name in vars(Rules) if not name.startswith("_") and name != "all"
                for rule in [getattr(self, name)]]
