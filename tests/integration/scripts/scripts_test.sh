#!/usr/bin/env bash
# The scripts, with a machine made of pretended commands: nothing is installed, built or run.
#   scripts_test.sh REPOSITORY
# shellcheck disable=SC2016  # the pretended commands expand their own variables
set -euo pipefail
repository=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

check() {  # check SENTENCE STATUS_WANTED PATTERN: the last run ended with that status and printed that
  if [[ $status == "$2" && $output =~ $3 ]]; then
    printf 'ok: %s\n' "$1"
  else
    printf 'FAILED: %s\n  status %s, wanted %s; output, wanted /%s/:\n%s\n' "$1" "$status" "$2" "$3" "$output"
    failures=$((failures + 1))
  fi
}
run() { status=0; output=$("$@" 2>&1) || status=$?; }

# A machine: the only commands on its PATH are these; each call of apt-get or sudo is logged.
machine=$work/bin
mkdir "$machine"
for tool in bash cat dirname basename sed grep mktemp rm env tail mkdir tee; do ln -s "$(command -v "$tool")" "$machine/$tool"; done
pretend() {  # pretend COMMAND, its script on stdin
  { echo '#!/usr/bin/env bash'; cat; } >"$machine/$1"
  chmod +x "$machine/$1"
}
all="clang-19 libomp-19-dev libclang-rt-19-dev cmake ninja-build pkg-config python3 libhwloc-dev libfmt-dev \
libcli11-dev nlohmann-json3-dev catch2 libbenchmark-dev"
installed() { printf 'for p in %s; do echo "installed $p"; done; exit 1\n' "$*" | pretend dpkg-query; }
setup() { : >"$work/log"; run env -u CI LOG="$work/log" PATH="$machine" "$repository/scripts/setup.sh" "$@"; }
pretend apt-get <<<'echo "apt-get $*" >>"$LOG"'
pretend sudo <<<'echo "sudo $*" >>"$LOG"; while [[ $1 == -* ]]; do shift; done; exec "$@"'
log_has() { grep -qE "$1" "$work/log" || { output="log: $(<"$work/log")"; status="log without $1"; }; }

installed "$all"
setup
check "setup says and installs nothing when all is there" 0 '^$'
[[ ! -s $work/log ]] || { status=log; check "setup does not call apt when all is there" 0 ''; }

installed "${all/libfmt-dev/}"
setup
log_has 'apt-get update'
log_has 'apt-get install -y --no-install-recommends libfmt-dev$'
check "setup names and installs exactly what is missing" 0 '^installing with apt: libfmt-dev$'

installed "${all/cmake/}"
pretend cmake <<<''
setup
check "a command on the PATH counts as installed" 0 '^$'
rm "$machine/cmake"

installed "$all"
setup check
check "setup check asks for the tools of the checks" 0 'git clang-format-19 clang-tidy-19 shellcheck doxygen libopenblas0-pthread libopenblas0-openmp libopenblas-dev libfftw3-dev libopenmpi-dev openmpi-bin libmpich-dev mpich$'

pretend apt-get <<<'echo "E: no network"; exit 100'
installed "${all/catch2/}"
setup
check "a failing apt is an error with its last words and the line to type" 1 'E: no network.*apt-get install catch2$'

setup everything
check "setup refuses an unknown set" 2 'everything: unknown; accepted: build, check'

if ((EUID == 0)) && command -v setpriv >/dev/null && chmod 755 "$work" && chmod 666 "$work/log"; then
  ln -s "$(command -v setpriv)" "$machine/setpriv"
  pretend apt-get <<<'echo "apt-get $*" >>"$LOG"'
  as_user() { run env -u CI LOG="$work/log" PATH="$machine" setpriv --reuid=65534 --clear-groups "$repository/scripts/setup.sh"; }
  if setpriv --reuid=65534 --clear-groups test -x "$repository/scripts/setup.sh"; then
    as_user
    log_has '^sudo -n apt-get update'
    check "setup uses sudo where it is not root" 0 'installing with apt: catch2'
    rm "$machine/sudo"
    as_user
    check "without root and sudo setup prints the line to type" 1 'as root, please: apt-get install catch2$'
  else
    echo "[skipped] setup as another user: it cannot read the repository"
  fi
else
  echo "[skipped] setup as another user: this test does not run as root"
fi

run "$repository/scripts/run.sh" --class S --benchmark=spmz
check "run.sh refuses an unknown benchmark" 2 'spmz: no such benchmark; accepted: sp-mz bt-mz lu-mz all'
run "$repository/scripts/run.sh" --benchmark
check "run.sh refuses a benchmark without a name" 2 'no such benchmark; accepted: sp-mz bt-mz lu-mz all'
run "$repository/scripts/check.sh" style
check "check.sh refuses an unknown check" 2 'style: no such check; accepted: shell format rooms sizes licences headers figures api tidy tidy-part names'

exit $((failures > 0))
