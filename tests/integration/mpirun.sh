#!/usr/bin/env bash
# mpirun.sh MPIEXEC N COMMAND...: N ranks on a machine with fewer CPUs, and in a container.
set -euo pipefail
launcher=$1 n=$2
shift 2
options=()
if [[ $("$launcher" --version) == *"Open MPI"* ]]; then options=(--allow-run-as-root --oversubscribe --bind-to none); fi
exec "$launcher" "${options[@]}" -n "$n" "$@"
