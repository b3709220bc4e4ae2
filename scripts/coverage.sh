#!/usr/bin/env bash
# Builds the tests of some rooms, runs them, and prints which share of the branches of these rooms they take.
#   ./scripts/coverage.sh             base, cu, placement, scheduling and runtime; exit 1 where one is below 90 %
#   ./scripts/coverage.sh base cu     some of them, by their own tests alone
#   ./scripts/coverage.sh --files     a line for each file as well
#   ./scripts/coverage.sh --json FILE writes them down as well
# A branch is an outcome of a condition in the source, as clang counts them: what unwinds for an exception is none.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

bar=90
known=(base cu placement scheduling runtime)
rooms=()
files='' json=''
while (($#)); do
  case $1 in
    --files) files=yes ;;
    --json)
      [[ ${2:-} ]] || die "--json: a file was expected behind it" 2
      json=$2
      shift
      ;;
    -h | --help) sed -n '2,7s/^# \?//p' "$0"; exit ;;
    *) [[ " ${known[*]} " == *" $1 "* ]] || die "$1: unknown; accepted: ${known[*]}, --files, --json FILE" 2
       rooms+=("$1") ;;
  esac
  shift
done
if ((${#rooms[@]} == 0)); then rooms=("${known[@]}"); fi

scripts/setup.sh coverage
tree=build/coverage profiles=$PWD/build/coverage/profiles
targets=("${rooms[@]/#/tests/}")
(build coverage "${targets[@]/%//all}")

rm -rf "$profiles"
selection=$(IFS='|' && echo "^(${rooms[*]})_")
# %m: programs of one kind add up in one file, those that tests start included.
LLVM_PROFILE_FILE=$profiles/%4m.profraw run_tests coverage -R "$selection" -LE '^full$'
llvm-profdata-19 merge -sparse -o "$profiles/all.profdata" "$profiles"/*.profraw

programs=()
for program in "$tree"/tests/*_*; do
  if [[ -f $program && -x $program ]]; then programs+=("$program"); fi
done
others=("${programs[@]:1}")

# report_of ROOM: llvm-cov's table of the room's files and their total.
report_of() {
  llvm-cov-19 report "${programs[0]}" "${others[@]/#/-object=}" -instr-profile "$profiles/all.profdata" \
    -show-region-summary=false "$PWD/$1"
}

below=() found=()
for room in "${rooms[@]}"; do
  table=$(report_of "$room")
  if [[ $files ]]; then printf '%s\n' "$table"; fi
  read -r lines branches < <(awk '$1 == "TOTAL" { print $(NF - 3), $NF }' <<<"$table")
  printf '%-12s branches %s, lines %s\n' "$room" "$branches" "$lines"
  found+=("$room ${branches%\%} ${lines%\%}")
  if awk -v share="${branches%\%}" -v bar=$bar 'BEGIN { exit !(share < bar) }'; then below+=("$room"); fi
done
if [[ $json ]]; then
  printf '%s\n' "${found[@]}" | python3 -c 'import json, sys; sys.path.insert(0, "scripts"); import record
rooms = [dict(zip(("room", "branches", "lines"), (r, float(b), float(l)))) for r, b, l in map(str.split, sys.stdin)]
json.dump({"schema": "yoke-coverage/1", "record": record.of_script() | {"command": ["scripts/coverage.sh"]}, "rooms": rooms},
          sys.stdout, indent=1)' >"$json"
fi
if ((${#below[@]})); then die "below $bar % of the branches: ${below[*]}"; fi
