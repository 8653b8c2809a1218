#!/usr/bin/env bash
# tests/fuzz/promela.sh FUZZ_PREDICT [COUNT [FIRST]]: whether Spin gives the answers that every order of a small run gives, on COUNT
# random runs. Says nothing and succeeds if Spin is not there.
set -u
type -P spin >/dev/null || exit 0
fuzz=$(readlink -f "$1") count=${2:-20} first=${3:-1}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
"$fuzz" "$count" "$first" "$work" >said || { cat said; exit 1; }
asked=0 wrong=0
for model in *-*.pml; do
    [ -e "$model" ] || break
    asked=$((asked + 1))
    spin -search -ltl never_happens "$model" >answer 2>&1
    if grep -q 'errors: 0' answer; then answer=no; elif grep -q 'errors: 1' answer; then answer=yes; else answer=none; fi
    [ "${model%%-*}" = "$answer" ] || { echo "$model: Spin says $answer"; head -n 3 answer; wrong=$((wrong + 1)); }
done
echo "$asked models, Spin disagrees on $wrong"
[ "$wrong" -eq 0 ] && [ "$asked" -gt 0 ]
