# shellcheck shell=bash
# Shared by the scripts of this folder; sourced, never called.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

say() { printf '%s\n' "$*" >&2; }
die() { say "$(basename "$0"): $1"; exit "${2:-1}"; }

has_nvidia_gpu() {
  [[ -e /dev/nvidia0 ]] || { command -v nvidia-smi >/dev/null && nvidia-smi -L 2>/dev/null | grep -q '^GPU '; }
}

has_nvcc() { command -v nvcc >/dev/null || [[ -x /usr/local/cuda/bin/nvcc ]]; }

# The preset a user runs on this machine: cuda where its compiler and a GPU are both present, else release.
choose_preset() {
  if has_nvidia_gpu && has_nvcc; then echo cuda; else echo release; fi
}

# Configures a preset that has no build tree yet, or an older one than the presets; ninja sees every other change.
configure() {
  local preset=$1 log=build/$1/configure.log
  if [[ build/$preset/build.ninja -nt CMakePresets.json ]]; then
    ninja -C "build/$preset" build.ninja >"$log" 2>&1 || { cat "$log" >&2; die "configuring build/$preset failed"; }
    return
  fi
  mkdir -p "build/$preset"
  say "configuring build/$preset"
  cmake --preset "$preset" >"$log" 2>&1 || { cat "$log" >&2; die "cmake --preset $preset failed"; }
  touch "build/$preset/build.ninja"
}

# Reads ninja's output; on a terminal one line tells how far it is.
show_progress() {
  local line shown=''
  while IFS= read -r line; do
    if [[ -t 2 && $line =~ ^\[([0-9]+/[0-9]+)\] ]]; then
      printf '\rbuilding %s: %s ' "$1" "${BASH_REMATCH[1]}" >&2
      shown=yes
    fi
  done
  if [[ $shown ]]; then printf '\r\033[K' >&2; fi
}

# build PRESET [TARGET]...: says only that it builds and how long it took; the whole log where it fails.
build() {
  local preset=$1 log=build/$1/build.log start=$SECONDS
  shift
  configure "$preset"
  local targets=()
  if (($#)); then targets=(--target "$@"); fi
  if ! cmake --build "build/$preset" "${targets[@]}" 2>&1 | tee "$log" | show_progress "$preset"; then
    grep -vE '^\[[0-9]+/[0-9]+\] (Building|Linking)' "$log" >&2 || true
    die "building ${*:-everything} with the preset $preset failed; the whole log is $log"
  fi
  if grep -qE '^\[[0-9]+/[0-9]+\] (Building|Linking)' "$log"; then say "built ${*:-everything} in build/$preset ($((SECONDS - start)) s)"; fi
}

# run_tests PRESET [ctest arguments]: programs in random order, and the cases inside each by a seed that is said.
run_tests() {
  local preset=$1
  shift
  export TEST_SEED=${TEST_SEED:-$((RANDOM * 32768 + RANDOM + 1))}
  say "tests in random order; inside the programs TEST_SEED=$TEST_SEED repeats it"
  local status=0
  ctest --test-dir "build/$preset" --output-on-failure --no-tests=error -j2 --schedule-random "$@" || status=$?
  say_skipped "build/$preset/Testing/Temporary/LastTest.log"
  return "$status"
}

# What cases of programs that passed could not test here, and how many of them: CTest shows whole programs alone.
say_skipped() {
  local log=$1 reasons
  [[ -e $log ]] || return 0
  reasons=$(grep -o '\[skipped\] .*' "$log" | sed 's/^\[skipped\] //' | sort | uniq -c | sort -rn) || return 0
  say "cases that were skipped: $(awk '{n += $1} END {print n}' <<<"$reasons")"
  printf '%s\n' "$reasons"
}
