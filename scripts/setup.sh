#!/usr/bin/env bash
# Installs through apt what the project needs and this machine lacks; says what, and does nothing when all is there.
#   ./scripts/setup.sh           what building, running and testing need
#   ./scripts/setup.sh check     the tools of scripts/check.sh as well, and libraries beside which tests run programs
#   ./scripts/setup.sh hip       what building for AMD GPUs needs as well
#   ./scripts/setup.sh coverage  what counting the branches that tests take needs as well
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# PACKAGE or PACKAGE:COMMAND; a command found on the PATH counts, wherever it came from.
build_needs=(clang-19:clang++-19 libomp-19-dev libclang-rt-19-dev cmake:cmake ninja-build:ninja
  pkg-config:pkg-config python3:python3 libhwloc-dev libfmt-dev libcli11-dev nlohmann-json3-dev catch2
  libbenchmark-dev)
hip_needs=(hipcc:hipcc)
coverage_needs=(llvm-19:llvm-cov-19)
check_needs=(git:git clang-format-19:clang-format-19 clang-tidy-19:run-clang-tidy-19 shellcheck:shellcheck doxygen:doxygen
  libopenblas0-pthread libopenblas0-openmp libopenblas-dev libfftw3-dev libopenmpi-dev openmpi-bin
  libmpich-dev mpich)

case ${1:-build} in
  build) needs=("${build_needs[@]}") ;;
  check) needs=("${build_needs[@]}" "${check_needs[@]}") ;;
  hip) needs=("${build_needs[@]}" "${hip_needs[@]}") ;;
  coverage) needs=("${build_needs[@]}" "${coverage_needs[@]}") ;;
  -h | --help) sed -n '2,6s/^# \?//p' "$0"; exit ;;
  *) die "$1: unknown; accepted: build, check, hip, coverage" 2 ;;
esac

is_there() { [[ $installed == *$'\n'"$1"$'\n'* ]]; }

if ! command -v dpkg-query >/dev/null; then
  for need in "${needs[@]}"; do
    command=${need#*:}
    if [[ $need == *:* ]] && ! command -v "$command" >/dev/null; then
      die "this is no Debian or Ubuntu, and $command is missing; install the like of: ${needs[*]%%:*}"
    fi
  done
  exit
fi

# Unknown packages make dpkg-query fail; the known ones are printed all the same.
installed=$'\n'$({ dpkg-query -W -f '${db:Status-Status} ${Package}\n' "${needs[@]%%:*}" 2>/dev/null || true; } |
  sed -n 's/^installed //p')$'\n'
missing=()
for need in "${needs[@]}"; do
  package=${need%%:*}
  if is_there "$package"; then continue; fi
  if [[ $need == *:* ]] && command -v "${need#*:}" >/dev/null; then continue; fi
  missing+=("$package")
done
if ((${#missing[@]} == 0)); then exit; fi

as_root=()
if ((EUID != 0)); then
  if ! command -v sudo >/dev/null; then
    die "as root, please: apt-get install ${missing[*]}"
  fi
  as_root=(sudo)
  # Nobody is there to type a password.
  if [[ ${CI:-} || ! -t 0 ]]; then as_root+=(-n); fi
fi

say "installing with apt: ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
install=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "${missing[@]}")
if ! { "${as_root[@]}" apt-get update && "${install[@]}"; } >"$log" 2>&1; then
  tail -n 20 "$log" >&2
  die "apt failed; by hand, as root: apt-get install ${missing[*]}"
fi
