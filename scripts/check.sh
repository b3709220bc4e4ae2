#!/usr/bin/env bash
# What no test sees: format, naming, room boundaries, headers that compile alone, figures that differ from their data, shell scripts.
#   ./scripts/check.sh                    all of them
#   ./scripts/check.sh format rooms       some; of format, rooms, headers, figures, shell, tidy, tidy-quarter
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

stages=(shell format rooms headers figures tidy)
accepted=("${stages[@]}" tidy-quarter)

files() { git ls-files -co --exclude-standard -- "$@"; }

check_shell() {
  local script
  { files '*.sh' && echo .ci/run; } | while read -r script; do bash -n "$script"; done
  { files '*.sh' && echo .ci/run; } | xargs shellcheck -x -P scripts
}

check_format() {
  if ! files '*.cpp' '*.hpp' '*.cu' '*.cuh' | xargs clang-format-19 --dry-run -Werror; then
    say 'clang-format-19 -i FILE... puts that right'
    return 1
  fi
}

check_rooms() { scripts/rooms.py; }

check_headers() { scripts/rooms.py --headers; }

check_figures() { scripts/results.py --check; }

# The files that the dev preset compiles; their headers come along. tidy [FILE…]: all of them, or those.
check_tidy() {
  configure dev
  local log=build/dev/tidy.log files=("^$PWD/")
  if (($#)); then files=("${@/#/^}"); fi
  if ! run-clang-tidy-19 -quiet -p build/dev -j "$(nproc)" "${files[@]}" >"$log" 2>&1; then
    grep -E -A3 '(error|warning):' "$log" | awk '!seen[$0]++' | sed "s|$PWD/||" >&2
    return 1
  fi
}

# Sources that commits of the last day changed, the newest first.
changed_of_late() {
  git log --since='1 day ago' --name-only --format= -- '*.cpp' | awk -v top="$PWD/" '!seen[$0]++ {print top $0}'
}

# Every fourth file, others each day, and at most 60 of those that were changed of late: all take as long as a build.
check_tidy-quarter() {
  configure dev
  local all late
  mapfile -t all < <(sed -n 's/^ *"file": "\(.*\)",\?$/\1/p' build/dev/compile_commands.json | sort -u)
  mapfile -t late < <(changed_of_late | grep -Fxf <(printf '%s\n' "${all[@]}"))
  if ((${#late[@]} > 60)); then say "tidy-quarter: of ${#late[@]} files that were changed of late the 60 newest"; fi
  mapfile -t all < <({
    printf '%s\n' "${all[@]}" | awk -v day="$(date +%s)" 'NR % 4 == int(day / 86400) % 4'
    if ((${#late[@]})); then printf '%s\n' "${late[@]:0:60}"; fi  # else an empty line, which stands for all files
  } | sort -u)
  check_tidy "${all[@]}"
}

case ${1:-} in -h | --help) sed -n '2,4s/^# \?//p' "$0"; exit ;; esac
if (($# == 0)); then set -- "${stages[@]}"; fi
for stage in "$@"; do
  [[ " ${accepted[*]} " == *" $stage "* ]] || die "$stage: no such check; accepted: ${accepted[*]}" 2
done

scripts/setup.sh check
failed=()
for stage in "$@"; do
  start=$SECONDS
  # A subshell, because errexit is off in a function that is asked for its status.
  set +e
  (set -e; "check_$stage")
  status=$?
  set -e
  if ((status)); then verdict=FAILED failed+=("$stage"); else verdict=passed; fi
  printf '%-8s %s (%d s)\n' "$stage" "$verdict" $((SECONDS - start))
done
if ((${#failed[@]})); then die "failed: ${failed[*]}"; fi
