#!/usr/bin/env bash
# A newcomer's first command in a fresh copy: in a path with blanks, without network, without root.
#   first_command.sh REPOSITORY
set -euo pipefail
repository=$1
if ! git -C "$repository" rev-parse 2>/dev/null; then echo "[skipped] the first command: this is no clone"; exit; fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
copy="$work/a path with blanks/yoke"
mkdir -p "$copy" "$work/home"
(cd "$repository" && git ls-files -z | tar --create --null --files-from=-) | tar --extract --directory="$copy"

command=(env -i "PATH=$PATH" "HOME=$work/home" "$copy/scripts/run.sh" --class S)
if ((EUID == 0)) && unshare --net true 2>/dev/null; then
  chown -R 65534:65534 "$work"
  command=(unshare --net setpriv --reuid=65534 --regid=65534 --clear-groups "${command[@]}")
else
  echo "[skipped] without network and root: this test does not run as root"
fi
output=$("${command[@]}" 2>&1) || { printf 'run.sh ended with %s:\n%s\n' $? "$output"; exit 1; }
if [[ $output != *"SUCCESSFUL"* ]]; then printf 'run.sh did not verify:\n%s\n' "$output"; exit 1; fi
