#!/usr/bin/env bash
# Calls a compiler, and adds to the file BUILD_TIMES a line: its user and system seconds, and the object that it made.
#   CMAKE_CXX_COMPILER_LAUNCHER=$PWD/scripts/timed_compiler.sh cmake …; then scripts/build_times.py --read FILE
# A program of its own in the shell, for it runs some hundred times in a build.
object='' before=''
for argument in "$@"; do
  if [[ $before == -o ]]; then object=$argument; fi
  before=$argument
done
TIMEFORMAT="%U %S $object"
{ time "$@" 2>&3; } 3>&2 2>>"${BUILD_TIMES:-/dev/null}"
