#!/usr/bin/env bash
# bench/inject.sh [RUNS]: the seed's error propagation analysis in form (seed 000, tables 8 to 10 and figure 17) on
# programs written for it (bench/inject/), beside the seed's figures. RUNS faults of each kind (default 100).
# bench/inject_free.sh has runs without a fault. Needs jq and bc.
. "$(dirname "$(readlink -f "$0")")/common.sh"
runs=${1:-100}
programs="quicksort pca kmeans blackscholes swaptions"
declare -A theirs=([quicksort]="72 24650 30.38min 1.57 0.30" [pca]="17 12126 150.43min 1.29 0.17"
    [kmeans]="65 13460 81.94min 0.79 0.13" [blackscholes]="3 2810 0.99min 1.58 0.20" [swaptions]="4 22630 144.61min 8.57 2.86")
for program in $programs; do "$HEDDLE" cc -g -O1 -pthread -o $program "$ROOT/bench/inject/$program.c" || exit 2; done

echo "Is the golden run comparable, and what does comparing cost? (tables 8 and 10; the seed's figures in brackets)"
printf '%-14s %14s %9s %16s %11s %20s %22s\n' program threads records 'dependent pairs' comparable 'check s' 'trace and compare s'
for program in $programs; do
    "$HEDDLE" inject --compare --faults malloc --json golden.json ./$program >/dev/null
    read -r threads pairs minutes sanitize compare <<<"${theirs[$program]}"
    jq -r '[.threads, .records, .dependent, .comparable, .check_seconds, .compare_seconds] | @tsv' golden.json |
        while read -r t r d c s p; do
            printf '%-14s %6s %7s %9s %8s %7s %11s %9.3f %10s %9.4f %12s\n' $program "$t" "[$threads]" "$r" "$d" "[$pairs]" "$c" "$s" "[$minutes]" "$p" \
                "[$sanitize+$compare]"
        done
done

# A plain run of the program, built without heddle, in a loop of the shell.
plain_speed() { # PROGRAM
    local began ended n=200
    gcc -g -O1 -pthread -o plain "$ROOT/bench/inject/$1.c" -lm || return
    began=$(date +%s.%N)
    for ((k = 0; k < n; k++)); do ./plain >/dev/null; done
    ended=$(date +%s.%N)
    echo "$n / ($ended - $began)" | bc -l
}

# bounds K N: the share and its bounds with 95 % confidence (Wilson), in percent.
bounds() {
    awk -v k="$1" -v n="$2" 'BEGIN {
        if (!n) { print "-"; exit }
        z = 1.959963985; p = k / n; m = (p + z * z / (2 * n)) / (1 + z * z / n)
        h = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)) / (1 + z * z / n)
        printf "%.1f–%.1f %%\n", 100 * (k ? m - h : 0), 100 * (k < n ? m + h : 1)
    }'
}

echo
echo "Faults whose trace deviates (figure 17): at all, and in other records than that of the fault itself, with 95 % bounds;"
echo "crashes and silent corruptions without a deviation; runs/s beside those of the plain program in a shell"
printf '%-13s %-10s %-9s %5s %9s %16s %6s %7s %7s %7s %7s\n' program way fault runs deviates spreads crash silent missed runs/s plain
for program in $programs workqueue; do
    plain=$(plain_speed $program)
    [ -x $program ] || "$HEDDLE" cc -g -O1 -pthread -o $program "$ROOT/bench/inject/$program.c" || exit 2
    for fault in bitflip filesize mallsize callcorr invalptr; do
        "$HEDDLE" inject --compare --faults $fault --runs "$runs" -j "$(nproc)" --timeout 5 --json faults.json ./$program >/dev/null 2>&1
        [ $? -le 1 ] || continue # it makes no call that can be given this
        jq -r '[.faults[] | select(.class != "not activated")] as $f |
            [.mode, ($f | length), ([$f[] | select(.deviates)] | length), ([$f[] | select(.records_reached > 0)] | length),
             ([$f[] | select(.class == "crash")] | length), ([$f[] | select(.class == "silent corruption")] | length),
             ([$f[] | select((.class == "crash" or .class == "silent corruption") and (.deviates | not))] | length),
             (.faults | length) / .seconds] | @tsv' faults.json |
            while read -r way n k spread crash silent missed speed; do
                printf '%-13s %-10s %-9s %5s %9s %16s %6s %7s %7s %7.0f %7.0f\n' $program "$way" $fault "$n" "$k" "$(bounds "$spread" "$n")" "$crash" "$silent" \
                    "$missed" "$speed" "$plain"
            done
    done
done
