#!/usr/bin/env bash
# What no test sees: format, naming, room boundaries, sizes, headers that compile alone, figures that differ from their data, docstrings
# that Doxygen does not understand, headers without a licence, shell scripts.
#   ./scripts/check.sh                    all of them
#   ./scripts/check.sh format rooms       some; of shell, format, rooms, sizes, licences, headers, figures, api, tidy, tidy-part, names
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

stages=(shell format rooms sizes licences headers figures api tidy)
accepted=("${stages[@]}" tidy-part names)

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

check_sizes() {
  local found
  found=$(scripts/measure.py --bars) || { grep 'wanted at most' <<<"$found" >&2; return 1; }
}

# Public headers are copied without the rest, so each names its licence; of other files REUSE.toml does.
check_licences() {
  local line='// SPDX-License-''Identifier: Apache-2.0 WITH LLVM-exception' found # in two: this file does not say so of itself
  found=$(files '*/include/yoke/*.hpp' ':!tests' | while read -r header; do
    [[ $(head -n 1 "$header") == "$line" ]] || printf '%s:1: no licence; allowed: %s\n' "$header" "$line"
  done)
  if [[ $found ]]; then say "$found"; return 1; fi
}

# Each alone in what its room links, and alone with warnings in what its room may use.
check_headers() { build "$(choose_preset)" all_verify_interface_header_sets && scripts/rooms.py --headers; }

check_figures() { scripts/results.py --check; }

check_api() { scripts/api.sh; }

# What clang-tidy finds in files that the dev preset compiles; their headers come along. find_with_tidy [OPTION…] [FILE…]: in all, or those.
find_with_tidy() {
  local log=build/dev/tidy.log options=() files=("^$PWD/")
  while [[ ${1:-} == -* ]]; do options+=("$1"); shift; done
  if (($#)); then files=("${@/#/^}"); fi
  if ! run-clang-tidy-19 -quiet -p build/dev -j "$(nproc)" "${options[@]}" "${files[@]}" >"$log" 2>&1; then
    grep -E -A3 '(error|warning):' "$log" | awk '!seen[$0]++' | sed "s|$PWD/||" >&2
    return 1
  fi
}

# find_in_part PART [OPTION…]: in the files that tidy_files.py names; an empty answer would stand for all.
find_in_part() {
  configure dev
  local part=$1 files
  shift
  files=$(scripts/tidy_files.py "$part" build/dev)
  [[ $files ]] || die "tidy_files.py $part names no file"
  mapfile -t files <<<"$files"
  find_with_tidy "$@" "${files[@]}"
}

check_tidy() { configure dev && find_with_tidy; }

# All take as long as a build.
check_tidy-part() { find_in_part part; }

# Names and what else is cheap: 1.9 s a file, nearly all of them for what it includes; so each header that the part does not read.
# What is not cheap is taken away: to ask for names by themselves would ask in folders that turn them off, too.
check_names() { find_in_part names '-checks=-bugprone-*,-misc-*,-performance-*'; }

case ${1:-} in -h | --help) sed -n '2,5s/^# \?//p' "$0"; exit ;; esac
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
