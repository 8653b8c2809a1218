#!/usr/bin/env bash
# A sample of `make fuzz`: every strategy against plain enumeration on random programs, in the model and in the real engine; what
# reports say of failing runs, against every state of the program; judgements of histories and of transactions against trying
# every order (all of those, since they take a second); the quorum tree against the theorem that it carries out. And one of `make fuzz-inputs` (bad inputs of the command).
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
export ROOT HEDDLE

# fuzz NAME COUNT FIRST [ARGUMENT…]: COUNT random inputs from number FIRST on.
fuzz() {
    "$BUILD/tests/fuzz/fuzz_$1" "${@:2}" >said 2>&1 || fail "fuzz_$*: $(head -n 40 said; echo …; tail -n 20 said)"
}

# Most of the time goes into programs with thousands of traces, and most mistakes show in small ones.
fuzz model 60 1 all 200
fuzz model 4 1
fuzz estimate 10 1
fuzz real 20 1
# Threads that run on while another is in an exit handler; a program whose executions are all cut short by an assumption.
REAL_KIND=everything fuzz real 6 20586
REAL_KIND=everything fuzz real 1 2900025
# Threads that run one function: it fails, too, if none of them is ever alike.
REAL_KIND=alike fuzz real 50 50
# Several switches at once; threads whose values main asks for at the end of a run of joins.
fuzz switched 20 1
fuzz switched 1 200596
fuzz switched 1 100991
fuzz prune 50 1
fuzz said 20 1
fuzz history 10000 1
fuzz transactions 5000 1
fuzz qtree 10000 1
fuzz predict 400 1
fuzz requests 2000 1
fuzz comparable 300 1
"$ROOT/tests/fuzz/promela.sh" "$BUILD/tests/fuzz/fuzz_predict" 4 1 >said 2>&1 || fail "Spin disagrees: $(cat said)"
fuzz inputs 180 1
finish
