#!/usr/bin/env bash
# Processes that the program starts and that run on their own: pipes, socket pairs and event counters connect the program with
# them as they do without heddle. Every program of tests/children says in its first line what heddle has to answer.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

for program in "$ROOT"/tests/children/*.c; do
    read -r verdict kind < <(sed -n '1s|^// expect: *||p' "$program")
    name=$(basename "$program")
    check --explain 0 "$program"
    expect "$name" "$verdict" "$kind"
    [ "$verdict" = verified ] || continue
    gcc -w -pthread "$program" -o native && timeout 20 ./native || fail "$name: fails natively"
done
check --explain 0 "$ROOT/tests/children/between_threads.c"
tells 'a pipe between threads' 'waits in read for what does not come'
check --explain 0 "$ROOT/tests/children/sleeps.c"
tells 'a process that sleeps' 'waits in waitpid, and a process that it has started does nothing for three seconds'
finish
