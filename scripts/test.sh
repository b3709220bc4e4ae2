#!/usr/bin/env bash
# Builds the project and runs its tests; ends with CTest's summary.
#   ./scripts/test.sh                 the suite
#   ./scripts/test.sh --full          the long matrices (tests labelled full) as well
#   ./scripts/test.sh -R placement    any other arguments go to ctest
# The order is random; TEST_SEED=N repeats the order of the cases inside each program.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

selection=(-LE '^full$')
arguments=()
for argument in "$@"; do
  case $argument in
    --full) selection=() ;;
    -h | --help) sed -n '2,6s/^# \?//p' "$0"; exit ;;
    *) arguments+=("$argument") ;;
  esac
done

scripts/setup.sh
preset=$(choose_preset)
build "$preset"
run_tests "$preset" "${selection[@]}" "${arguments[@]}"
