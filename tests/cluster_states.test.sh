#!/usr/bin/env bash
# Small protocols of which it is known whether they fail, at the edges of what a state is (cluster_states/): every way to search judges
# them right, with one worker and with several. Each file is a right protocol, and with -DWRONG a wrong one.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

# judge FILE FLAGS VERDICT OPTION…
judge() {
    local file=$1 flags=$2 verdict=$3
    shift 3
    heddle cluster "$@" --cflags "$flags" "$file"
    [ "$(head -n 1 out)" = "$verdict" ] || fail "$(basename "$file") $flags $*: $verdict expected, got $(head -n 2 out err)"
}

count=0
for file in "$ROOT"/tests/cluster_states/*.c; do
    [[ $(head -n 1 "$file") =~ ^'// expect: '(.*)'; '(.*)'; options: '(.*)$ ]] || { fail "$file does not say what is expected"; continue; }
    right=${BASH_REMATCH[1]} wrong=${BASH_REMATCH[2]} options=${BASH_REMATCH[3]}
    for how in '' '--policy states --next last -j 2' '--states branching --next first -j 2' '--states exact --next random'; do
        # shellcheck disable=SC2086
        judge "$file" '' "$right" $options $how
        # shellcheck disable=SC2086
        judge "$file" -DWRONG "$wrong" $options $how
        count=$((count + 2))
    done
done
[ $count -ge 176 ] || fail "only $count were judged"
finish
