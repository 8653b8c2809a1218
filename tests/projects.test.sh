#!/usr/bin/env bash
# docs/projects.md is what a new user sees: every command in it is run here, on copies of the projects, and prints what it says.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
. "$DATA/transcript.sh"
mkdir examples
cp -r "$ROOT/examples/projects" examples

# A native run of a test with a seeded bug fails now and then.
run_command() {
    for _ in 1 2 3 4 5 6; do
        eval "$1" >"$work/said" 2>&1 </dev/null
        [ "$1" = 'make check' ] && grep -q '^FAIL:' "$work/said" || break
    done
}

transcript "$ROOT/docs/projects.md" 15
cd "$work" || exit 1
nothing_left projects
finish
