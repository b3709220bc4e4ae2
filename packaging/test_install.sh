#!/usr/bin/env bash
# Whether an installed Yoke works: builds a program with a kernel against it, through CMake, and runs it. Needs no source tree.
#   test_install.sh PREFIX [COMPILER]     COMPILER: clang++-19 unless it is said
set -euo pipefail
case ${1:-} in
  -h | --help) sed -n '2,3s/^# \?//p' "$0"; exit ;;
  '' | -*) printf 'test_install.sh: wants the folder that Yoke was installed in: test_install.sh PREFIX [COMPILER]\n' >&2; exit 2 ;;
esac
prefix=$1 compiler=${2:-clang++-19}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() { printf 'test_install.sh: %s\n' "$1" >&2; exit 1; }
quietly() { "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "failed: $*"; }; }

found=$(find "$prefix" -name yokeConfig.cmake -print -quit 2>/dev/null) || true
[[ $found ]] || fail "$prefix: no Yoke is installed there: no yokeConfig.cmake"

cat >"$work/CMakeLists.txt" <<'PROJECT'
cmake_minimum_required(VERSION 3.25)
project(test_install LANGUAGES CXX)
find_package(yoke CONFIG REQUIRED)
add_executable(program)
yoke_kernel_sources(program program.cpp)
target_link_libraries(program PRIVATE yoke::yoke)
PROJECT
cat >"$work/program.cpp" <<'PROGRAM'
#include <cstdio>
#include <vector>

#include <yoke/yoke.hpp>

struct square {
  YOKE_HD void operator()(yoke::item at, yoke::device_ptr<double> x) const { x[at.x] *= x[at.x]; }
};

int main() {
  yoke::runtime rt;
  yoke::placed<double> x{rt, 1000};
  for (double& each : x.host()) each = 3;
  yoke::task_loop loop = rt.make_loop({.n_tasks = 1});
  rt.run(loop, [&](std::span<const yoke::task_id>) { yoke::launch_here<square>({.x = 1000}, "square", x); });
  double sum = 0;
  for (const double each : x.host()) sum += each;
  std::printf("yoke %s on %d units: %g\n", yoke::version().data(), rt.units().size(), sum);
  return sum == 9000 ? 0 : 1;
}
PROGRAM

quietly cmake -S "$work" -B "$work/build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$prefix"
quietly cmake --build "$work/build"
said=$("$work/build/program") || fail "the program ended with $?; it printed: $said"
on_emulated=$(YOKE_CUS=+1 YOKE_DEVICES=emulated:1 "$work/build/program") || fail "the program on an emulated GPU ended with $?"
printf '%s\n%s\n' "$said" "$on_emulated, emulated"
if [[ -x $prefix/bin/yoke ]]; then quietly "$prefix/bin/yoke" info; fi
printf 'the Yoke in %s works\n' "$prefix"
