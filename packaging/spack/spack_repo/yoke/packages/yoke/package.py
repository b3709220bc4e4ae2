"""Yoke from the working copy that this file is part of."""

import pathlib

from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage
from spack_repo.builtin.build_systems.rocm import ROCmPackage

from spack.package import *


class Yoke(CMakePackage, CudaPackage, ROCmPackage):
    """A runtime extension of OpenMP that yokes CPU cores and GPUs to one loop."""

    git = pathlib.Path(__file__).resolve().parents[6].as_uri()
    license("Apache-2.0 WITH LLVM-exception", checked_by="authors")

    version("main", branch="main")

    variant("tools", default=True, description="the command yoke")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type=("build", "run"))
    depends_on("python@3.9:", type=("build", "run"), when="+tools")
    depends_on("llvm-openmp@19:")
    depends_on("hwloc@2.9:")
    depends_on("fmt@9:")
    depends_on("nlohmann-json@3.11:", type="build")
    depends_on("cli11@2.3:", type="build", when="+tools")
    depends_on("cuda@13:", when="+cuda")
    depends_on("hip@5.2:", when="+rocm")

    requires("%cxx=clang@19:", msg="Yoke itself is compiled by clang 19 or later; programs may be by g++ 12")
    conflicts("+cuda", when="+rocm", msg="a build has one vendor of GPUs")
    conflicts("cuda_arch=none", when="+cuda", msg="say for which GPUs: cuda_arch=90")
    conflicts("amdgpu_target=none", when="+rocm", msg="say for which GPUs: amdgpu_target=gfx90a")

    generator("ninja")

    def cmake_args(self):
        spec = self.spec
        args = [
            self.define_from_variant("YOKE_BUILD_TOOLS", "tools"),
            self.define("YOKE_BUILD_TESTS", False),
            self.define("YOKE_BUILD_BENCHMARKS", False),
            self.define("YOKE_BUILD_EXAMPLES", False),
        ]
        if spec.satisfies("+cuda"):
            args += [
                self.define("YOKE_GPU", "cuda"),
                self.define("CMAKE_CUDA_ARCHITECTURES", spec.variants["cuda_arch"].value),
            ]
        elif spec.satisfies("+rocm"):
            args += [
                self.define("YOKE_GPU", "hip"),
                self.define("CMAKE_HIP_ARCHITECTURES", spec.variants["amdgpu_target"].value),
            ]
        return args

    def test_program(self):
        """An outside program is built against the installed package and runs"""
        script = which(pathlib.Path(self.prefix.share) / "yoke" / "test_install.sh", required=True)
        script(self.prefix, self.compiler.cxx)
