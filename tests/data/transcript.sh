# Transcripts in documents are true: each command in a block of ```console (after `$ `) is run, and the lines that follow it have to be
# in its output, in this order. `…` stands for whatever comes there. Sourced after common.sh; it replaces the function `heddle` by the
# command itself.
# shellcheck shell=bash
unset -f heddle
PATH=$BUILD:$PATH
export COLUMNS=110 LC_ALL=C.UTF-8

# as_pattern LINE: a basic regular expression for it.
as_pattern() { printf '%s' "$1" | sed 's/[].[*^$\\]/\\&/g; s/…/.*/g; s/[[:space:]]*$//'; }

# follows LINE: it is in what the last command said, after the lines looked for before; `at` moves on to it.
follows() {
    local found
    found=$(tail -n +$((at + 1)) "$work/said" | grep -n -m 1 -e "^$(as_pattern "$1")[[:space:]]*\$" | cut -d: -f1)
    [ -n "$found" ] || return 1
    at=$((at + found))
}

# run_command COMMAND: what a transcript's command prints goes to the file said.
run_command() { eval "$1" >"$work/said" 2>&1 </dev/null; }

# transcript DOCUMENT LEAST: runs it, from the present directory; there have to be at least so many commands.
transcript() {
    local line command='' at=0 commands=0 missed=
    while IFS= read -r line; do
        case $line in
        '$ '*)
            command=${line#??} at=0 commands=$((commands + 1)) missed=
            run_command "$command"
            ;;
        '' | '…') ;;
        *)
            [ -n "$missed" ] || follows "$line" || missed=$line
            [ "$missed" != "$line" ] || fail "$command: no '$line' after line $at of: $(cat "$work/said")"
            ;;
        esac
    done < <(sed -n '/^```console$/,/^```$/{/^```/!p}' "$1")
    [ "$commands" -ge "$2" ] || fail "only $commands commands in $1"
}
