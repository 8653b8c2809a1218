#!/usr/bin/env bash
# The search explores what plain enumeration does, also where calls only look at what others do: random programs
# (tests/data/orders.c) have the same outcomes and deadlocks by `dfs` and by `optimal` and `dpor`.
# COUNT=N: how many programs of each family.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
most=60000

# outcomes STRATEGY RESTART FAMILY SEED: verdict, kinds of bugs and outcomes
outcomes() {
    rm -f seen
    timeout 60 "$HEDDLE" check --strategy "$1" --restart "$2" --explain 0 --keep-going --races off --max-executions $most --json report.json ./orders \
        -- "$3" "$4" seen >out 2>&1
    echo "status $?"
    grep '^incomplete' out
    sed -n 's/^[[:space:]]*"kind":[[:space:]]*\("[^"]*"\).*/\1/p' report.json | sort -u
    [ ! -f seen ] || sort -u seen
}

gcc -O1 -c "$ROOT/tests/data/orders_file.c" || exit 1
"$HEDDLE" cc -O1 -g -pthread "$ROOT/tests/data/orders.c" orders_file.o -o orders || exit 1
for family in r s o c k; do
    distinct=0 done=0 seed=1
    while [ $seed -le "${COUNT:-6}" ]; do
        outcomes dfs undo $family $seed >expected
        seed=$((seed + 1))
        grep -q "\"executions\":[[:space:]]*$most\b" report.json && continue # too many to enumerate
        case $(head -n 1 expected) in
        "status 1") done=$((done + 1)) ;;
        *) # what is not seen is the file with the outcomes
            if grep -q '^incomplete: parts of the program were not compiled by heddle cc' expected; then
                done=$((done + 1))
            else
                fail "$family $((seed - 1)): $(cat out)"
            fi
            ;;
        esac
        distinct=$((distinct + $(wc -l <expected)))
        for how in "optimal undo" "dpor undo" "optimal replay"; do
            # shellcheck disable=SC2086
            outcomes $how $family $((seed - 1)) >got
            if ! cmp -s expected got; then
                fail "program $((seed - 1)) of family $family: $how differs from plain enumeration: $(diff expected got | head -n 5)"
            fi
        done
    done
    [ $distinct -gt $((2 * done)) ] && [ $done -gt 1 ] || fail "family $family has hardly any outcomes: $distinct of $done"
done
finish
