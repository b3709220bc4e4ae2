#!/usr/bin/env bash
# An outside program builds and runs against the installed tree, through CMake and through pkg-config.
#   install_test.sh BUILD_DIR COMPILER VERSION
set -euo pipefail
build=$1 compiler=$2 version=$3
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() { printf 'FAILED: %s\n' "$1"; exit 1; }
step() { printf '%s\n' "$1"; }

configure() {  # configure PROJECT
  cmake -G Ninja -S "$here/$1" -B "$work/$1" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$tree" >"$work/log" 2>&1 ||
    { cat "$work/log"; fail "configuring $1"; }
}

runs() {  # runs FOLDER: its programs say what they must
  local said
  said=$("$1/main") || fail "$1/main ended with $?"
  [[ $said == "yoke $version, headers $version: sum 3" ]] || fail "$1/main printed: $said"
  said=$(YOKE_CUS=1x1 "$1/queries") || fail "$1/queries ended with $?"
  [[ $said == "1 CUs" ]] || fail "$1/queries printed: $said"
  said=$("$1/pragmas") || fail "$1/pragmas ended with $?"
  [[ $said == "2 threads" ]] || fail "$1/pragmas ignores #pragma omp; it printed: $said"
  local cus
  for cus in 1x1 $(if (($(nproc) > 1)); then echo 2x1 1x2; fi); do
    said=$(YOKE_CUS=$cus "$1/bound") || fail "$1/bound under $cus ended with $?"
    [[ $said == "$((${cus%x*} * ${cus#*x})) threads, 0 elsewhere" ]] || fail "$1/bound under $cus printed: $said"
  done
}

has_one_openmp() {  # has_one_openmp PROGRAM
  [[ $(ldd "$1" | grep -c 'libomp') == 1 ]] || fail "$1 needs one libomp"
  ! ldd "$1" | grep -E 'not found|libgomp' || fail "$1 misses a library or has two OpenMP runtimes"
}

cmake --install "$build" --prefix "$work/first" >"$work/log" 2>&1 || { cat "$work/log"; fail "installing"; }
# What was installed must not remember where.
tree=$work/moved
mv "$work/first" "$tree"

step "every public header is installed, each room's in a directory of its own"
repository=$here/../../..
for room in base devices devices/gpu cu versions flow placement scheduling runtime engine tasks zones arrays; do
  diff <(cd "$repository/$room/include" && find . -type f | sort) <(cd "$tree/include/yoke/${room#*/}" && find . -type f | sort) ||
    fail "headers of $room"
done

step "find_package gives programs that build and run"
configure outside
cmake --build "$work/outside"
runs "$work/outside"

step "kernels of an outside project round as Yoke's own do, without a word about it"
said=$("$work/outside/bits") || fail "bits ended with $?"
[[ $said == "0 of 1000 contracted" ]] || fail "bits printed: $said"

step "the installed tree tests itself, and a folder without one is refused"
"$tree/share/yoke/test_install.sh" "$tree" "$compiler" >"$work/log" 2>&1 || { cat "$work/log"; fail "test_install.sh"; }
[[ $(grep -c "^yoke $version on .*: 9000" "$work/log") == 2 ]] || { cat "$work/log"; fail "test_install.sh ran no programs"; }
if "$tree/share/yoke/test_install.sh" "$work/nowhere" >"$work/log" 2>&1; then fail "test_install.sh found a Yoke in an empty folder"; fi
grep -q "nowhere: no Yoke is installed there" "$work/log" || { cat "$work/log"; fail "test_install.sh does not say what is missing"; }

step "one line is all that CMake is told of a project's kernels"
configure kernels
cmake --build "$work/kernels"
said=$("$work/kernels/main") || fail "kernels ended with $?"
[[ $said == "1 2 6, 4, 2 threads, avx2" ]] || fail "kernels printed: $said"
if cmake -S "$here/kernels" -B "$work/kernels" -DNAMES_NO_TARGET=ON >"$work/log" 2>&1; then fail "kernels of no target were accepted"; fi
grep -q 'nothing.cpp is no target' "$work/log" || { cat "$work/log"; fail "the refusal does not say what is wanted"; }

step "guide and examples are installed at the paths that the guide names, and the examples build as a project of their own"
docs=$tree/share/doc/yoke/docs
diff -r "$repository/docs/examples" "$docs/examples" || fail "examples"
diff -r "$repository/docs/guide" "$docs/guide" || fail "guide"
cmp "$repository/README.md" "$docs/../README.md" || fail "README"
python3 "$repository/tests/docs/links.py" "$docs/.." >"$work/log" || { cat "$work/log"; fail "links of installed pages"; }
cmake -G Ninja -S "$docs/examples" -B "$work/examples" -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_PREFIX_PATH="$tree" >"$work/log" 2>&1 || { cat "$work/log"; fail "configuring docs/examples"; }
cmake --build "$work/examples" --target yoke-hello yoke-jacobi yoke-your-schedule-test weighted_factoring
"$work/examples/yoke-your-schedule-test" || fail "yoke-your-schedule-test ended with $?"

if [[ -x $tree/bin/yoke ]]; then
  step "the installed command finds the program that compares schedules"
  "$tree/bin/yoke" compare --machine "$docs/examples/machines/epyc-2-mi50-sp.json" --class SP:S --cus 2x1 \
    --out "$work/compare" >"$work/log" 2>&1 || { cat "$work/log"; fail "comparing"; }
  [[ -s $work/compare/index.html ]] || fail "comparing left no page"
fi

step "a schedule in a shared object, built by one line, is taken by a program that was built without it"
"$compiler" -std=c++20 -O2 -shared -fPIC -I"$tree/include/yoke/base" -I"$tree/include/yoke/scheduling" \
  "$docs/examples/user_schedule_plugin.cpp" -o "$work/mine.so"
(cd "$work" && YOKE_CUS=1x1 YOKE_SCHEDULE=./mine.so:heavy-to-gpus YOKE_DISPLAY_ENV=1 examples/yoke-hello) >"$work/log" 2>&1 ||
  { cat "$work/log"; fail "yoke-hello under ./mine.so:heavy-to-gpus"; }
grep -q 'YOKE_SCHEDULE = ./mine.so:heavy-to-gpus' "$work/log" || { cat "$work/log"; fail "the schedule is not in force"; }
cmake --build "$work/examples" --target heavy_to_gpus
YOKE_CUS=1x1 YOKE_SCHEDULE="$work/examples/heavy_to_gpus.so:heavy-to-gpus" "$work/examples/yoke-hello" >"$work/log" 2>&1 ||
  { cat "$work/log"; fail "yoke-hello under heavy_to_gpus.so"; }

step "pkg-config gives programs that build and run"
mkdir "$work/pc"
pc=$(find "$tree" -name yoke.pc -printf '%h')
read -ra flags < <(PKG_CONFIG_PATH=$pc pkg-config --cflags --libs yoke)
for program in main queries pragmas bound; do
  "$compiler" -std=c++20 "$here/outside/$program.cpp" "${flags[@]}" -o "$work/pc/$program"
done
runs "$work/pc"
[[ $(PKG_CONFIG_PATH=$pc pkg-config --modversion yoke) == "$version" ]] || fail "yoke.pc has another version"

step "a program finds the libomp that Yoke was built with"
for program in "$work"/{outside,pc}/{main,queries,pragmas,bound}; do
  has_one_openmp "$program"
done

step "a room that is not linked cannot be included"
configure boundary
cmake --build "$work/boundary" --target within
if cmake --build "$work/boundary" --target across >"$work/log" 2>&1; then fail "scheduling sees placement"; fi
grep -q "'yoke/placement.hpp' file not found" "$work/log" || { cat "$work/log"; fail "across failed for another reason"; }

if command -v g++ >/dev/null; then
  step "g++ gives programs with libomp, through CMake and through pkg-config"
  cmake -G Ninja -S "$here/outside" -B "$work/gnu" -DCMAKE_CXX_COMPILER=g++ -DCMAKE_PREFIX_PATH="$tree" >"$work/log" 2>&1 ||
    { cat "$work/log"; fail "configuring with g++"; }
  cmake --build "$work/gnu"
  runs "$work/gnu"
  mkdir "$work/gnu-pc"
  for program in main queries pragmas bound; do
    g++ -std=c++20 "$here/outside/$program.cpp" "${flags[@]}" -o "$work/gnu-pc/$program"
  done
  runs "$work/gnu-pc"
  for program in "$work"/{gnu,gnu-pc}/{main,queries,pragmas,bound}; do has_one_openmp "$program"; done

  step "g++ with libgomp found before is refused with what to do"
  if cmake -G Ninja -S "$here/openmp-first" -B "$work/gnu-first" -DCMAKE_CXX_COMPILER=g++ \
    -DCMAKE_PREFIX_PATH="$tree" >"$work/log" 2>&1; then
    fail "two OpenMP runtimes were accepted"
  fi
  grep -q 'put find_package(yoke) before' "$work/log" || { cat "$work/log"; fail "the refusal does not say what to do"; }
fi

step "the yoke command runs, and has a manual page"
if [[ -x $tree/bin/yoke ]]; then
  said=$("$tree/bin/yoke" --version)
  [[ ${said%%$'\n'*} == "yoke $version" ]] || fail "bin/yoke has another version"
  has_one_openmp "$tree/bin/yoke"
  grep -q '^\.SS yoke places' "$tree/share/man/man1/yoke.1" || fail "yoke.1 has no commands"
fi

step "the licence is installed"
find "$tree" -name LICENSE | grep -q . || fail "no LICENSE in the installed tree"
