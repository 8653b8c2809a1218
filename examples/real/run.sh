#!/usr/bin/env bash
# run.sh [--short] [NAME…]: checks real programs (all that have a folder here), a row for each check. docs/real-programs.md
# says what is checked. Status 0 if all is as it should be, 1 if not, 3 if sources could not be fetched.
set -u
here=$(cd "$(dirname "$0")" && pwd)
length=long
[ "${1:-}" = --short ] && length=short && shift
# shellcheck disable=SC2046
[ $# -gt 0 ] || set -- $(cd "$here" && dirname -- */check.sh)
worst=0
for name; do
    [ -x "$here/$name/check.sh" ] || { echo "run.sh: there is no $name; there are: $(cd "$here" && dirname -- */check.sh | tr '\n' ' ')" >&2; exit 2; }
    "$here/$name/check.sh" "$length"
    case $? in
    0) ;;
    3) [ $worst = 0 ] && worst=3 ;;
    *) worst=1 ;;
    esac
done
exit $worst
