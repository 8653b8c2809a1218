#!/usr/bin/env bash
# setup.sh [build] [test] [real] [lint] [mpi]: installs what is missing of scripts/packages.txt (all but mpi without arguments).
# Silent when all is there. Without root it prints the line to run, and exits with status 2.
set -eu
list=$(dirname "$(readlink -f "$0")")/packages.txt
wanted=" ${*:-build test real lint} "

missing=()
while read -r purpose package sign; do
    [[ $purpose = \#* || $wanted != *" $purpose "* ]] && continue
    if [[ $sign = /* ]]; then
        [[ -e $sign ]] && continue
    else
        type -P "$sign" >/dev/null && continue
    fi
    missing+=("$package")
done <"$list"
[[ ${#missing[@]} -eq 0 ]] && exit 0

if [[ $(id -u) -ne 0 ]] || ! type -P apt-get >/dev/null; then
    echo "heddle: some packages are missing; run: sudo apt-get install --no-install-recommends ${missing[*]}" >&2
    exit 2
fi
echo "Installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
install() { apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null; }
install 2>/dev/null || { apt-get update -qq && install; }
