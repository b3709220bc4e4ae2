#!/usr/bin/env bash
# Makes the reference of the public headers with Doxygen: build/api/html/index.html. Fails where Doxygen warns.
#   ./scripts/api.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

case ${1:-} in
  -h | --help) sed -n '2,3s/^# \?//p' "$0"; exit ;;
  '') ;;
  *) die "$1: takes no arguments" 2 ;;
esac
command -v doxygen >/dev/null || die "doxygen is missing: scripts/setup.sh check installs it"
converted=build/api/converted
rm -rf build/api
mkdir -p "$converted"
# All headers by one call: a filter of Doxygen's would be started for each of them, twice.
folders=(*/include devices/*/include)
mapfile -t headers < <(find "${folders[@]}" -name '*.hpp' -not -path '*/yoke/detail/*' | sort)
scripts/api/as_doxygen.py "$converted" "${headers[@]}"
version=$(sed -nE 's/^#define YOKE_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)$/\2/p' base/include/yoke/version.hpp | paste -sd.)
export YOKE_API_VERSION=$version YOKE_API_FOLDERS="${folders[*]/#/$converted/}"
if ! doxygen scripts/api/Doxyfile >build/api/log 2>&1; then
  sed "s|$PWD/||; s|^$converted/||" build/api/log >&2
  die "Doxygen does not understand $(grep -cE ': (warning|error):' build/api/log) places"
fi
