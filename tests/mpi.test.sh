#!/usr/bin/env bash
# A search that ranks share: the same verdict, counts and report for every number of them.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
MPI=$BUILD/heddle-mpi
[ -x "$MPI" ] && type mpirun >/dev/null 2>&1 || { echo 'no MPI is installed: scripts/setup.sh mpi'; finish; }

# Open MPI asks for these where there are few processors, and where the tests run as root.
export NO_COLOR=1 # its ranks have terminals
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
[ "$(mpirun -n 2 "$MPI" --version 2>&1 | grep -c '^heddle-mpi')" -eq 1 ] || { echo 'mpirun belongs to another MPI than heddle-mpi was built with'; finish; }
ranks() {
    local count=$1
    shift
    timeout -k 5 300 mpirun -n "$count" "$MPI" "$@" >out 2>err </dev/null
    status=$?
}
plain() { sed -E 's/[0-9.]+ s([,;]|$)/T s\1/; s/, [0-9]+ workers//; s/, [0-9]+ events,/,/; s/longest [0-9]+ events?, //; s/, [0-9]+ more begun and given up as repeats of others//'; }

# `same WHAT ARGUMENT…`: what one process says is what 1, 2 and 5 ranks say.
same() {
    local what=$1
    shift
    rm -f ./*.hd
    heddle check --strategy optimal --explain 0 "$@"
    { cat out && echo "status $status"; } | plain >alone
    for count in 1 2 5; do
        rm -f ./*.hd
        ranks $count check --explain 0 "$@"
        { cat out && echo "status $status"; } | plain >shared
        diff alone shared >difference || fail "$what, $count ranks: $(head -c 500 difference; cat err)"
    done
}
"$HEDDLE" cc -O2 -g -DK=10 "$PROGRAMS/critical.c" -o critical || fail 'critical cannot be built'
"$HEDDLE" cc -O1 -g -DSIZE=7 "$DATA/jobs/random.c" -o random || fail 'the random program cannot be built'
"$HEDDLE" cc -O1 -g -DSIZE=4 "$DATA/jobs/random.c" -o small || fail 'the random program cannot be built'
"$HEDDLE" cc -O1 -g -I "$DATA/jobs" -x c - -o tests <<'END' || fail 'the tests cannot be built'
#define SIZE 3
#define main random_main
#include "random.c"
#undef main
heddle_test("random") { random_main(2, (char *[]){"random", "29500000", NULL}); }
END
same 'a search to its end' -j 2 ./critical
same 'all bugs, and a lesson' --keep-going ./random -- 21
same 'the first bug' ./random -- 3
grep -q '^heddle-mpi: 5 ranks, [0-9]* messages with [0-9]* bytes' err || fail "messages: $(cat err)"
# Ranks that say often that they are there leave no message behind, of which a library might complain.
HEDDLE_PATIENCE=0.5 ranks 5 check --explain 0 ./critical
! grep -q WARN out err || fail "messages were left: $(grep WARN out err | head -n 3)"

# The seed's distributed DPOR: verdict and bugs are the same, and there is no trace that it does not run at least once.
"$HEDDLE" cc -O2 -g "$ROOT/bench/programs/tables.c" -o tables || fail 'tables cannot be built'
bugs() { grep -E '^			"(kind|fingerprint)":' report.json | sort; }
for strategy in ddpor ddpor-aggressive; do
    ranks 5 check --strategy $strategy --explain 0 ./critical
    grep -q 'units explored by [2-4] of them' err || fail "critical by $strategy: one rank did everything: $(cat out err)"
    check --strategy optimal ./tables
    traces=$(field executions)
    ranks 5 check --strategy $strategy --explain 0 --json report.json ./tables
    [ $status -eq 0 ] && [ "$(field executions)" -ge "$traces" ] && [ "$(field strategy)" = $strategy ] ||
        fail "tables by $strategy: status $status, $traces traces, $(cat out err)"
    for seed in 3 21; do
        rm -f ./*.hd
        check --strategy optimal --keep-going --explain 0 ./small -- $seed
        bugs >alone
        rm -f ./*.hd report.json
        ranks 3 check --strategy $strategy --keep-going --explain 0 --json report.json ./small -- $seed
        bugs >shared
        diff alone shared >difference || fail "random program $seed by $strategy: $(head -c 500 difference; cat err)"
        [ -s alone ] || fail "random program $seed has no bug"
    done
done

# By states: verdict, counts and bugs are those of one process that tells all threads apart.
by_states() {
    local what=$1 strategy=$2 all=$3
    shift 3
    facts() { sed -nE "s/^	\"(verdict${all:+|executions|blocked|events|states})\":.*/&/p" report.json && grep -E '^			"(kind|fingerprint)":' report.json | sort; }
    heddle check --strategy "$strategy" --symmetry off --explain 0 --json report.json "$@"
    { facts && echo "status $status"; } >alone
    for count in 1 2 5; do
        rm -f ./*.hd report.json
        ranks $count check --strategy "$strategy" --explain 0 --json report.json "$@"
        { facts && echo "status $status"; } >shared
        diff alone shared >difference || fail "$what, $count ranks: $(head -c 500 difference; cat err)"
    done
    case $what in *bugs*) grep -q '4 workers' out || fail "$what: nobody helped: $(cat out err)" ;; esac # the other is small
    ! grep -q 'searches alone' err || fail "$what: $(cat err)"
}
by_states 'all bugs by states' states all --keep-going ./random -- 8
by_states 'no bug by states' states all ./critical
# Where arguments lie in memory depends on how long the environment is, and that differs among ranks.
cat >longer <<'END'
#!/bin/sh
LONGER=$(printf "%0$((${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-0}} + 1))d" 0)
export LONGER
exec "$0-mpi" "$@"
END
chmod +x longer && ln -s "$MPI" longer-mpi
HEDDLE_ALONE=0 MPI=$PWD/longer by_states 'environments of different lengths' states all --keep-going ./tests
by_states 'all bugs by dlspor' dlspor '' --keep-going ./random -- 8
ranks 2 check --strategy states --symmetry on ./critical
[ $status -eq 2 ] && grep -q 'tell all threads apart' err || fail "symmetry: $(cat out err)"

# A rank that dies costs the unit that it had, which another explores again, where mpirun lets the others live.
if mpirun --version 2>&1 | grep -q 'Open MPI'; then
    "$HEDDLE" cc -O2 -g -DK=13 "$PROGRAMS/critical.c" -o larger || fail 'critical cannot be built'
    HEDDLE_PATIENCE=2 timeout -k 5 300 mpirun --enable-recovery -n 3 "$MPI" check --explain 0 ./larger >out 2>err </dev/null &
    job=$!
    killed=
    for ((i = 0; i < 100 && !killed; i++)); do
        sleep 0.1
        worker=$(pgrep -x larger | head -n 1) # it is a child of its rank
        rank=$([ -n "$worker" ] && ps -o ppid= -p "$worker" | tr -d ' ')
        [ -n "$rank" ] && [ "$(readlink -f /proc/"$rank"/cwd)" = "$(pwd -P)" ] && sleep 0.3 && kill -9 "$rank" 2>/dev/null && killed=$rank
    done
    wait $job
    status=$?
    grep -q '^  10400600 executions' out || fail "a rank that was killed ($killed): status $status, $(cat out err)"
    grep -q 'nothing was heard of rank [12] for 2 s' err || fail "a rank that was killed ($killed): $(cat err)"

    # By states nothing that it said is believed any more.
    HEDDLE_PATIENCE=2 timeout -k 5 300 mpirun --enable-recovery -n 3 "$MPI" check --strategy states --keep-going --explain 0 ./random -- 5 >out 2>err </dev/null &
    job=$!
    killed=
    for ((i = 0; i < 100 && !killed; i++)); do
        sleep 0.1
        worker=$(pgrep -x random | head -n 1)
        rank=$([ -n "$worker" ] && ps -o ppid= -p "$worker" | tr -d ' ')
        [ -n "$rank" ] && [ "$(readlink -f /proc/"$rank"/cwd)" = "$(pwd -P)" ] && sleep 0.3 && kill -9 "$rank" 2>/dev/null && killed=$rank
    done
    wait $job
    grep -q 'rank 0 searches alone: nothing was heard of a rank any more' err || fail "a rank that was killed by states ($killed): $(cat out err)"
    grep -q '^bug 2 of 2: deadlock' out || fail "a rank that was killed by states ($killed): $(cat out err)"
fi

# What one rank or one process has saved goes on with others.
ranks 3 check --save kept --time 0.3 ./critical
case $status in
    0) ;; # it was quicker
    3)
        heddle resume --time 100 kept
        [ $status -eq 0 ] ;;
    *) false ;;
esac && grep -q '^  184756 executions' out || fail "saved by ranks: status $status, $(cat out err)"
heddle check --save more --max-executions 5000 ./critical
ranks 3 resume --max-executions 100 more
[ $status -eq 2 ] && grep -q 'cannot be kept by several ranks' err || fail "a bound on executions: $(cat out err)"
ranks 2 check --strategy dfs ./critical
[ $status -eq 2 ] && grep -q 'ranks share searches by optimal, ddpor, states, spor and dlspor, not by dfs' err || fail "dfs: $(cat out err)"
ranks 2 frobnicate
[ $status -eq 2 ] && grep -q '^usage: mpirun' err || fail "no command: $(cat out err)"

finish
