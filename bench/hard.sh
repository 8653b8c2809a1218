#!/usr/bin/env bash
# bench/hard.sh [PROGRAM…]: how many executions heddle needs to the first bug of the programs in bench/hard, all of them or those
# named (reorder_5, …), with each sampler and by default, beside published figures.
#
# Programs are compiled as `heddle check` compiles sources. Each figure is the median over SEEDS (20) seeds. A sampler has at most EXECUTIONS (20000) for each seed, the default at most
# SECONDS_EACH (60) seconds; `never` means that more than half of the seeds found nothing in that. STRATEGIES says which
# columns there are. The published medians are those of the RFF paper (Wolff et al., ASPLOS 2024, 20 trials): POS and
# PCT, PERIOD (Wen et al., ASE 2022) and RFF itself, on programs of the same shapes, in which plain accesses are steps.
# From `ladder` on the shapes are of other kinds, to see whether what helps with the first ones helps elsewhere.
. "$(dirname "$(readlink -f "$0")")/common.sh"
SEEDS=${SEEDS:-20}
EXECUTIONS=${EXECUTIONS:-20000}
SECONDS_EACH=${SECONDS_EACH:-60}
STRATEGIES=${STRATEGIES:-random pct pos fuzz sample default}
# name, source, flags, published medians (- : none known)
TABLE="reorder_5       reorder        -DN=5    POS=4257 PCT=954 PERIOD=12 RFF=5
reorder_10      reorder        -DN=10   -
reorder_20      reorder        -DN=20   -
reorder_100     reorder        -DN=100  POS=never PCT=1of20 PERIOD=297 RFF=5
twostage_100    twostage       -DN=100  PERIOD=690 RFF=25
work_stealing   work_stealing  -DTHIEVES=2 -
safestack       safestack      -DROUNDS=2  nobody
quicksort       quicksort      -DSIZE=16   -
bounded_buffer  bounded_buffer -DPAIRS=3   -
ladder          ladder         -DRUNGS=10  -
ring            ring           -DN=12      -
aba             aba            -DTHREADS=4 -
upgrade         upgrade        -DUSERS=8   -
epochs          epochs         -DREADERS=4 -
stages          stages         -DSTAGES=6  -"

# to_first_bug PROGRAM STRATEGY SEED: executions, or nothing.
to_first_bug() {
    local options=(--strategy "$2" --max-executions "$EXECUTIONS")
    [ "$2" = default ] && options=()
    rm -f report.json
    timeout "$SECONDS_EACH" "$HEDDLE" check --explain 0 --schedule found.hd --json report.json "${options[@]}" --seed "$3" "$1" \
        >out 2>&1
    [ "$(sed -n 's/^	"verdict":[[:space:]]*"\([a-z]*\)".*/\1/p' report.json 2>/dev/null)" = bug ] &&
        sed -n 's/^	"executions":[[:space:]]*\([0-9]*\),$/\1/p' report.json | head -n 1
}

# median COUNT FILE: of so many, those that are missing being larger than all.
median() { sort -g "$2" | sed -n "$((($1 + 1) / 2))p" | grep . || echo never; }

printf '%-15s' program
# shellcheck disable=SC2086 # words
printf ' %9s' $STRATEGIES
printf '  published\n'
while read -r name source flags published; do
    [ $# -eq 0 ] || [[ " $* " == *" $name "* ]] || continue
    "$HEDDLE" cc --clear-dead -O2 -g "$flags" -o "$name" "$ROOT/bench/hard/$source.c" || exit 2
    printf '%-15s' "$name"
    for strategy in $STRATEGIES; do
        for seed in $(seq "$SEEDS"); do to_first_bug "./$name" "$strategy" "$seed"; done >found.txt
        printf ' %9s' "$(median "$SEEDS" found.txt)"
    done
    printf '  %s\n' "$published"
done <<<"$TABLE"
