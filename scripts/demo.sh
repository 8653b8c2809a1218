#!/usr/bin/env bash
# Shows heddle on a bounded buffer with a bug, and on the corrected one. Status 0 if both verdicts are as they should be.
set -u
cd "$(dirname "$(readlink -f "$0")")/.." || exit 2

# expect STATUS COMMAND…: prints the command, runs it, and compares its exit status.
expect() {
    local status=$1
    shift
    printf '\n$ %s\n' "$*"
    "$@"
    local got=$?
    if [ "$got" -ne "$status" ]; then
        echo "demo: expected exit status $status from '$*', got $got." >&2
        exit 1
    fi
}

PATH=$PWD/build:$PATH
out=$(mktemp -d) || exit 2
trap 'rm -rf "$out"' EXIT
cp examples/bounded_buffer_wrong.c examples/bounded_buffer.c "$out" && cd "$out" || exit 2 # reports are written here
echo "A bounded buffer that asks 'if' instead of 'while' before it waits: heddle finds the interleaving that breaks it."
expect 1 heddle check bounded_buffer_wrong.c
echo
echo "The corrected one: heddle goes through every interleaving."
expect 0 heddle check bounded_buffer.c
