#!/usr/bin/env bash
# heddle predict: what recorded runs of known truth allow, and what they do not; bad input.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

# predicted FILE: the kinds and patterns that were predicted, in one line, sorted.
predicted() {
    jq -r '[.predictions[] | .kind + (if .pattern then " " + .pattern else "" end)] | sort | join(", ")' "$1"
}

# Every run in tests/predict, as its first line says; a line may have options.
for run in "$ROOT"/tests/predict/*.txt; do
    name=$(basename "$run" .txt)
    wanted=$(sed -n '1s/^# expect: //p' "$run")
    read -ra options <<<"$(sed -n 's/^# options: //p' "$run")"
    heddle predict --all --json report.json "${options[@]}" "$run"
    [ "$wanted" = nothing ] && wanted='' && code=0 || code=1
    got=$(predicted report.json)
    [ "$got" = "$wanted" ] || fail "$name: expected '$wanted', got '$got'"
    [ $status -eq $code ] || fail "$name: status $status instead of $code: $(cat err)"
done

heddle predict --all "$ROOT/tests/predict/two_locks.txt"
says 'two locks' 'pattern 3'
says 'two locks' 'T1 +T2$'
heddle predict --kinds race "$ROOT/tests/predict/two_locks.txt"
[ $status -eq 0 ] || fail "no race was asked for and found: $(head -n 3 out)"
heddle predict --correlations "$ROOT/tests/predict/two_locks.txt"
says 'correlations' ' 0\.00 +2 +0 +100% +table, log$'

# refused WHAT TEXT ARGUMENT…: one sentence with the text, status 2.
refused() {
    local what=$1 text=$2
    shift 2
    heddle predict "$@"
    [ $status -eq 2 ] || fail "$what: status $status"
    [ "$(wc -l <err)" -eq 1 ] || fail "$what: not one sentence but: $(cat err)"
    grep -qF -- "$text" err || fail "$what: '$text' expected, got: $(cat err)"
}
echo 'T1 frob x' >bad
refused 'a bad action' 'bad:1: there is no action "frob"' bad
refused 'no file' 'No such file' missing
refused 'no argument' 'which recorded run'
refused 'a bad kind' '--kinds' --kinds frob bad
refused 'a bad region' '--regions' --regions frob bad
finish
