#!/usr/bin/env bash
# bench/inject.sh [RUNS [FAULT-FREE]]: the seed's error propagation analysis in form (seed 000, tables 8 to 10 and figure 17) on
# programs written for it (bench/inject/), beside the seed's figures. RUNS faults of each kind (default 100), FAULT-FREE runs
# without one (default 50). Needs jq.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
heddle=${BUILD:-$root/build}/heddle
runs=${1:-100}
free=${2:-50}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
programs="quicksort pca kmeans blackscholes swaptions"
declare -A theirs=([quicksort]="72 24650 30.38min 1.57 0.30" [pca]="17 12126 150.43min 1.29 0.17"
    [kmeans]="65 13460 81.94min 0.79 0.13" [blackscholes]="3 2810 0.99min 1.58 0.20" [swaptions]="4 22630 144.61min 8.57 2.86")
for program in $programs; do "$heddle" cc -g -O1 -pthread -o $program "$root/bench/inject/$program.c" || exit 2; done

echo "Is the golden run comparable, and what does comparing cost? (tables 8 and 10; the seed's figures in brackets)"
printf '%-14s %14s %9s %16s %11s %20s %22s\n' program threads records 'dependent pairs' comparable 'check s' 'trace and compare s'
for program in $programs; do
    "$heddle" inject --compare --faults malloc --json golden.json ./$program >/dev/null
    read -r threads pairs minutes sanitize compare <<<"${theirs[$program]}"
    jq -r '[.threads, .records, .dependent, .comparable, .check_seconds, .compare_seconds] | @tsv' golden.json |
        while read -r t r d c s p; do
            printf '%-14s %6s %7s %9s %8s %7s %11s %9.3f %10s %9.4f %12s\n' $program "$t" "[$threads]" "$r" "$d" "[$pairs]" "$c" "$s" "[$minutes]" "$p" \
                "[$sanitize+$compare]"
        done
done

echo
echo "Fault-free runs whose canonical trace deviates from the first, with the machine otherwise idle and under load"
printf '%-14s %8s %8s %12s\n' program runs idle 'under load'
deviating() { # PROGRAM
    "$heddle" inject --compare --golden $((free + 1)) --faults malloc --json free.json ./"$1" >/dev/null
    jq .golden_deviates free.json
}
for program in $programs; do
    idle=$(deviating $program)
    for ((k = 0; k < 2 * $(nproc); k++)); do while :; do :; done & done 2>/dev/null
    busy=$(deviating $program)
    # shellcheck disable=SC2046
    kill $(jobs -p) 2>/dev/null
    wait 2>/dev/null
    printf '%-14s %8s %8s %12s\n' $program "$free" "$idle" "$busy"
done

echo
echo "Share of faults whose trace deviates, with 95 % bounds (figure 17), and crashes and silent corruptions without a deviation"
printf '%-14s %-9s %5s %22s %8s %8s %10s %9s\n' program fault runs deviates crash silent 'missed' 'runs/s'
for program in $programs; do
    for fault in bitflip mallsize callcorr invalptr; do
        "$heddle" inject --compare --faults $fault --runs "$runs" -j "$(nproc)" --timeout 5 --json faults.json ./$program >/dev/null 2>&1
        [ $? -le 1 ] || continue
        jq -r '[.faults[] | select(.class != "not activated")] as $f | ($f | length) as $n |
            ([$f[] | select(.deviates)] | length) as $k | 1.96 as $z |
            (if $n > 0 then (($k/$n + $z*$z/(2*$n)) / (1 + $z*$z/$n)) else 0 end) as $m |
            (if $n > 0 then ($z * (($k/$n)*(1-$k/$n)/$n + $z*$z/(4*$n*$n) | sqrt) / (1 + $z*$z/$n)) else 0 end) as $h |
            [$n, $k, 100*($m-$h), 100*($m+$h), ([$f[] | select(.class == "crash")] | length),
             ([$f[] | select(.class == "silent corruption")] | length),
             ([$f[] | select((.class == "crash" or .class == "silent corruption") and (.deviates | not))] | length),
             (.faults | length) / .seconds] | @tsv' faults.json |
            while read -r n k low high crash silent missed speed; do
                printf '%-14s %-9s %5s %6s %6.1f–%5.1f %% %8s %8s %10s %9.0f\n' $program $fault "$n" "$k" "$low" "$high" "$crash" "$silent" "$missed" "$speed"
            done
    done
done
