#!/usr/bin/env bash
# The number of executions, which optimal search makes equal to the number of traces: each program in bench/programs
# states a formula. The other strategies need at least as many, and come to the same verdict.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
build_once

# run NAME FLAGS OPTION…
run() {
    local name=$1 flags=$2
    shift 2
    check --cflags "-O2 $flags" "$@" "$PROGRAMS/$name.c"
    what="$name $flags $*"
}

# exactly COUNT NAME FLAGS OPTION…
exactly() {
    local count=$1
    shift
    run "$@" --strategy optimal
    expect "$what" verified || return
    [ "$(field executions)" = "$count" ] || fail "$what: $count executions expected, got $(field executions)"
    [ "$(field blocked)" = 0 ] || fail "$what: $(field blocked) blocked executions"
    [ "$(field cut)" = 0 ] || fail "$what: $(field cut) executions were cut"
}

# at_least COUNT NAME FLAGS OPTION…
at_least() {
    local count=$1
    shift
    run "$@"
    expect "$what" verified || return
    [ "$(field executions)" -ge "$count" ] || fail "$what: only $(field executions) executions for $count traces"
}

factorial() { [ "$1" -le 1 ] && echo 1 || echo $(($1 * $(factorial $(($1 - 1))))); }

# central K: (2K)! / (K!)^2
central() {
    local k result=1
    for ((k = 1; k <= $1; k++)); do result=$((result * 2 * (2 * k - 1) / k)); done
    echo $result
}

for n in 11 12 13 14 16; do exactly $((8 ** (n - 11))) indexer -DN=$n; done
for n in 13 14 15 16 26; do exactly $((2 ** (n - 13))) filesystem -DN=$n; done
for ((n = 2; n <= 12; n++)); do exactly $((2 ** (n - 2) * (n + 3))) lastzero -DN=$n; done
for ((n = 1; n <= 12; n++)); do exactly $((2 ** n)) readers -DN=$n; done
for ((n = 1; n <= 7; n++)); do exactly "$(factorial $((n + 1)))" writers -DN=$n; done
for ((k = 1; k <= 9; k++)); do exactly "$(central $k)" critical -DK=$k; done
exactly 4 casadd -DN=2
exactly 60 casadd -DN=3
exactly 3120 casadd -DN=4
exactly 1001 fig41 '-DN=20 -DNOASSERT'

for strategy in optimal dpor dfs; do
    run fig32 '' --strategy $strategy
    expect "$what" bug deadlock
    run fig41 -DN=20 --strategy $strategy
    expect "$what" bug assertion
done

# What changes how executions are started again, or what else is watched, does not change which there are.
for option in '--restart replay' '--restart undo' '--restart verify' '--races off' '--leaks'; do
    # shellcheck disable=SC2086
    {
        exactly 64 indexer -DN=13 $option
        exactly 8 filesystem -DN=16 $option
        exactly 704 lastzero -DN=8 $option
        exactly 256 readers -DN=8 $option
        exactly 120 writers -DN=4 $option
        exactly 252 critical -DK=5 $option
        exactly 60 casadd -DN=3 $option
    }
done

at_least 8 indexer -DN=12 --strategy dpor
at_least 4 filesystem -DN=15 --strategy dpor
at_least 64 lastzero -DN=5 --strategy dpor
at_least 256 readers -DN=8 --strategy dpor
at_least 720 writers -DN=5 --strategy dpor
at_least 924 critical -DK=6 --strategy dpor
at_least 3120 casadd -DN=4 --strategy dpor
at_least 1001 fig41 '-DN=20 -DNOASSERT' --strategy dpor
at_least 5 lastzero -DN=2 --strategy dfs
at_least 12 lastzero -DN=3 --strategy dfs
at_least 8 readers -DN=3 --strategy dfs
at_least 24 writers -DN=3 --strategy dfs
at_least 70 critical -DK=4 --strategy dfs
at_least 60 casadd -DN=3 --strategy dfs
finish
