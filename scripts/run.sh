#!/usr/bin/env bash
# Builds a benchmark of NPB-MZ and runs it.
#   ./scripts/run.sh                          class B on as many CPUs and GPUs as pay; without one class W beside an emulated GPU
#   ./scripts/run.sh --class A --cus 2x1      any other arguments go to the benchmark as they are (--help lists them)
#   ./scripts/run.sh --benchmark sp-mz ...    chooses the benchmark: sp-mz, bt-mz, lu-mz or all
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

known=(sp-mz bt-mz lu-mz)
benchmarks=(sp-mz)
choice=sp-mz
arguments=()
while (($#)); do
  case $1 in
    --benchmark) choice=${2:-} && shift ;;
    --benchmark=*) choice=${1#*=} ;;
    *) arguments+=("$1") ;;
  esac
  if (($#)); then shift; fi
done
set -- "${arguments[@]}"
case $choice in
  sp-mz | bt-mz | lu-mz) benchmarks=("$choice") ;;
  all) benchmarks=("${known[@]}") ;;
  *) die "--benchmark $choice: no such benchmark; accepted: ${known[*]} all" 2 ;;
esac

if [[ ${1:-} == -h || ${1:-} == --help ]]; then sed -n '2,5s/^# \?//p' "$0"; fi
scripts/setup.sh
preset=$(choose_preset)
build "$preset" "${benchmarks[@]}"

if (($# == 0)); then
  set -- --class W
  if [[ $preset == cuda ]]; then
    set -- --class B
    say "class B on as many CPUs and GPUs as pay"
  elif [[ -z ${YOKE_DEVICES:-}${YOKE_CUS:-} ]]; then
    set -- --class W --devices emulated:1
    if has_nvidia_gpu; then
      say "an NVIDIA GPU is here, but nvcc is not: install CUDA to use it"
    fi
    say "no usable GPU: class W on all CPUs and one emulated GPU (correct, but no faster than a CPU)"
  fi
fi
for benchmark in "${benchmarks[@]}"; do
  if ((${#benchmarks[@]} == 1)); then exec "build/$preset/bin/$benchmark" "$@"; fi
  "build/$preset/bin/$benchmark" "$@"
done
