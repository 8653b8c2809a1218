#!/usr/bin/env bash
# kill_campaign.sh ROUNDS [SEED]: searches that are killed again and again at random moments, workers and the command itself, and go on with
# other numbers of workers. The last report has to be that of a search that nobody disturbed, but for times. Each round prints its
# seed; `kill_campaign.sh 1 SEED` runs it again. Needs HEDDLE, works in an empty directory.
set -u
rounds=$1 first=${2:-1}
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
HEDDLE=${HEDDLE:-$here/../build/heddle}
failed=0 kills=0 resumes=0

programs=(critical writers random-4 random-5 random-11 random-14 random-18 random-21)
"$HEDDLE" cc -O2 -g -DK=10 "$here/../bench/programs/critical.c" -o critical || exit 2
"$HEDDLE" cc -O2 -g -DN=7 "$here/../bench/programs/writers.c" -o writers || exit 2
"$HEDDLE" cc -O1 -g -DSIZE=7 "$here/data/jobs/random.c" -o random || exit 2

# The program of this name, and its arguments.
words_of() {
    program=${1%-*} arguments=()
    [ "$program" = "$1" ] || arguments=(-- "${1#*-}")
}
plain() { sed -E 's/[0-9.]+ s([,;]|$)/T s\1/; s/, [0-9]+ workers//; s/, [0-9]+ events,/,/; s/longest [0-9]+ events?, //; s/, [0-9]+ more begun and given up as repeats of others//' "$1"; }

# What an undisturbed search says.
reference() {
    words_of "$1"
    [ -e "$1.expected" ] && return
    "$HEDDLE" check --strategy optimal --keep-going --explain 0 "./$program" "${arguments[@]}" >"$1.out" 2>&1
    echo "status $?" >>"$1.out"
    plain "$1.out" >"$1.expected"
}

# Kills somebody after a moment: the command, or one of its workers.
disturb() {
    local command=$1 victim=$1 workers
    sleep "0.$(printf %03d $((RANDOM % 700)))"
    mapfile -t workers < <(pgrep -P "$command" -x "$program" 2>/dev/null)
    [ $((RANDOM % 3)) -gt 0 ] && [ ${#workers[@]} -gt 0 ] && victim=${workers[RANDOM % ${#workers[@]}]}
    kill -9 "$victim" 2>/dev/null && kills=$((kills + 1))
    [ "$victim" = "$command" ]
}

round() {
    local seed=$1 name command status=0
    RANDOM=$seed
    name=${programs[RANDOM % ${#programs[@]}]}
    reference "$name"
    words_of "$name"
    rm -rf kept ./*.hd
    "$HEDDLE" check --save kept --save-every 0.2 --keep-going --explain 0 -j $((1 + RANDOM % 3)) "./$program" "${arguments[@]}" >out 2>err &
    command=$!
    for ((i = 0; i < 6; i++)); do
        kill -0 $command 2>/dev/null || break
        disturb $command || continue
        wait $command 2>/dev/null
        status=$?
        [ -e kept/search ] || { echo "seed $seed: killed before it began"; return; }
        resumes=$((resumes + 1))
        "$HEDDLE" resume -j $((1 + RANDOM % 3)) kept >out 2>err &
        command=$!
    done
    wait $command 2>/dev/null
    status=$?
    echo "status $status" >>out
    plain out >got
    if ! diff "$name.expected" got >difference; then
        failed=$((failed + 1))
        echo "seed $seed, $name: the report is another one: $(head -c 500 difference; cat err)"
    fi
}

for ((r = 0; r < rounds; r++)); do
    round $((first + r))
done 2>/dev/null
echo "$rounds searches, $kills kills, $resumes times begun again; $failed with another report"
[ $failed -eq 0 ]
