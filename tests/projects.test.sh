#!/usr/bin/env bash
# docs/projects.md is what a new user sees: every command in it (after `$ `) is run here, on copies of the projects, and the lines
# that follow it have to be in its output, in this order. `…` stands for whatever comes there.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
unset -f heddle # the command itself
PATH=$(dirname "$HEDDLE"):$PATH
export COLUMNS=110 LC_ALL=C.UTF-8
mkdir examples
cp -r "$ROOT/examples/projects" examples
start=$PWD

# as_pattern LINE: a basic regular expression for it.
as_pattern() { printf '%s' "$1" | sed 's/[].[*^$\\]/\\&/g; s/…/.*/g; s/[[:space:]]*$//'; }

# follows LINE: it is in what the last command said, after the lines looked for before; `at` moves on to it.
follows() {
    local found
    found=$(tail -n +$((at + 1)) "$start/said" | grep -n -m 1 -e "^$(as_pattern "$1")[[:space:]]*\$" | cut -d: -f1)
    [ -n "$found" ] || return 1
    at=$((at + found))
}

commands=0
while IFS= read -r line; do
    case $line in
    '$ '*)
        command=${line#??} at=0 commands=$((commands + 1)) missed=
        eval "$command" >"$start/said" 2>&1 </dev/null
        # A native run of a test with a seeded bug fails now and then.
        for _ in 1 2 3 4 5; do
            [ "$command" = 'make check' ] && grep -q '^FAIL:' "$start/said" || break
            eval "$command" >"$start/said" 2>&1 </dev/null
        done
        ;;
    '' | '…') ;;
    *)
        [ -n "$missed" ] || follows "$line" || missed=$line
        [ "$missed" != "$line" ] || fail "$command: no '$line' after line $at of: $(cat "$start/said")"
        ;;
    esac
done < <(sed -n '/^```console$/,/^```$/{/^```/!p}' "$ROOT/docs/projects.md")
cd "$start" || exit 1
[ "$commands" -ge 15 ] || fail "only $commands commands in docs/projects.md"
nothing_left projects
finish
