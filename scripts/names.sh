#!/usr/bin/env bash
# scripts/names.sh [ROOT]: whether every name in backticks in README.md, docs/*.md and tests/README.md exists. Prints those that do not;
# status 1 if there are any. What a name is to be is seen by its form:
#
#   `a/b.c`, `b.c`, `folder/`    a file or folder whose path in the tree ends so
#   `--option`                   an option of heddle, or of a script
#   `HEDDLE_NAME`, `some_name`   a word in the code of heddle, of its tests or examples; comments do not count
#   `make target`                a target of the Makefile
#   `heddle command`             a command
#
# It also prints the names that two .c files in folders of src share.
#
# Everything else in backticks (values, types, plain words, commands of the shell) is not looked at, nor are blocks of code. The section
# "Where the next parts go" of docs/internals.md is left out, since what it names is to be made. Names of others, such as files of
# programs that a document tells of, stand in scripts/names.txt.
set -u
ROOT=$(cd "${1:-$(dirname "$(readlink -f "$0")")/..}" && pwd) || exit 2
cd "$ROOT" || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

find . \( -path ./.git -o -path './build*' \) -prune -o -print | sed 's|^\./||' >"$work/paths"
code=$(find src include tests examples bench scripts Makefile -type f \( -name '*.[chS]' -o -name '*.cc' -o -name '*.sh' -o -name '*.awk' -o -name Makefile \))
# shellcheck disable=SC2086
cat $code | sed 's|//.*||' | grep -oE '[A-Za-z_][A-Za-z0-9_]+' | sort -u >"$work/words"
cat src/*/*.c scripts/*.sh tests/*/*.sh tests/*.sh examples/real/*.sh bench/*.sh Makefile | sed 's|^ *//.*||' >"$work/all"
{
    grep -oE -- '--[a-z][a-z0-9-]*' "$work/all"
    grep -oE '^ *\{"[a-z][a-z0-9-]*"' "$work/all" | sed 's/.*"\(.*\)"/--\1/'
} | sort -u >"$work/options"
grep -oE '^[a-z][a-z-]*:' Makefile | tr -d : >"$work/targets"
grep -ohE '"[a-z+]+"' src/cli/main.c | tr -d '"' >"$work/commands"
# Calls of the C library that are documented one by one, which tests/calls.test.sh and tests/library_calls.test.sh check.
{
    grep -ohE '`[^`]*`' docs/calls.md docs/descriptors.md | grep -oE '[A-Za-z_][A-Za-z0-9_]+'
    sed 's|//.*||' src/target/threads/library/library_table.c | grep -oE '[A-Za-z_][A-Za-z0-9_]+'
    sed 's/#.*//; s/ *$//' scripts/names.txt
} | sort -u >"$work/others"

awk -v work="$work" '
    function table(file, into,   line) {
        while ((getline line < (work "/" file)) > 0) into[line] = 1
        close(work "/" file)
    }
    # A path is known by each of its ends: "src/base/mem.c", "base/mem.c", "mem.c".
    function paths(   line) {
        while ((getline line < (work "/paths")) > 0) {
            ends[line] = 1
            while (match(line, /\//)) { line = substr(line, RSTART + 1); ends[line] = 1 }
        }
    }
    function fits_some(pattern,   expression, path) {
        expression = pattern
        gsub(/[.+]/, "[&]", expression)
        gsub(/[*]/, "[^/]*", expression)
        gsub(/\[chS]/, "[chS]", expression)
        for (path in ends) if (path ~ "^" expression "$") return 1
        return 0
    }
    function is_path(name) {
        sub(/^(\.\.?\/)+/, "", name)
        sub(/\/$/, "", name)
        return name in ends || (name ~ /[*[]/ && fits_some(name))
    }
    function wrong(what) { print FILENAME ":" FNR ": " what; bad = 1 }
    function look_at(name,   word) {
        if (name in others || name ~ /NAME|FILE/ && name !~ /^HEDDLE_/) return
        if (name ~ /^make [a-z]/) {
            split(name, word, " ")
            if (!(word[2] in targets)) wrong("the Makefile has no target for `" name "`")
        } else if (name ~ /^heddle [a-z]/) {
            split(name, word, " ")
            if (!(word[2] in commands)) wrong("there is no command `" name "`")
        } else if (match(name, /^--[a-z][a-z0-9-]*/)) {
            if (!(substr(name, 1, RLENGTH) in options) && !(substr(name, 1, RLENGTH) in others))
                wrong("there is no option `" substr(name, 1, RLENGTH) "`")
        } else if (name ~ /^(\/|-|build)/ || name ~ /[^A-Za-z0-9_.\/*+[\]-]/) {
            return # of the machine, an option of a compiler, what was built, words
        } else if (name ~ /\/$/ || name ~ /^[a-z.][A-Za-z0-9_.*-]*\/[A-Za-z0-9_.\/*+[\]-]+$/ || name ~ /^[A-Za-z0-9_*.-]+\.(c|h|S|cc|sh|awk|md|txt|py)$/) {
            if (!is_path(name)) wrong("there is no file or folder `" name "`")
        } else if (name ~ /^[A-Za-z_][A-Za-z0-9_]*_[A-Za-z0-9_]*$/) {
            if (!(name in words)) wrong("nothing is called `" name "`")
        }
    }
    BEGIN {
        table("words", words); table("options", options); table("targets", targets)
        table("commands", commands); table("others", others); paths()
    }
    FNR == 1 { block = plan = 0 }
    /^ *```/ { block = !block; next }
    block { next }
    /^## / { plan = /Where the next parts go/ }
    plan { next }
    {
        text = $0
        while (match(text, /`[^`]+`/)) {
            name = substr(text, RSTART + 1, RLENGTH - 2)
            text = substr(text, RSTART + RLENGTH)
            look_at(name)
        }
    }
    END { exit bad }' README.md docs/*.md tests/README.md
bad=$?

# A file is called by its name alone in comments, in messages of compilers and in debuggers.
find src -name '*.c' -printf '%f\n' | sort | uniq -d >"$work/twice"
while read -r name; do
    echo "src has two files that are called $name: $(find src -name "$name" -printf '%P\n' | sort | tr '\n' ' ')"
    bad=1
done <"$work/twice"
exit "$bad"
