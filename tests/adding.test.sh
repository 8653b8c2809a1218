#!/usr/bin/env bash
# The section "How to add …" of docs/internals.md names every file of src/ that a new pthread call, strategy, kind of bug and
# format of reports needs. This adds one of each to a copy of the sources, by edits to those files and no others, and looks
# whether reports show them. Also: what is there is named in the manual.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
files=$ROOT/tests/adding

# documented HEADING NAME: the files of src/ that the table below this heading names, with NAME for the new one's.
documented() {
    sed -n '/^## How to add/,$p' "$ROOT/docs/internals.md" | sed '1d;/^## /,$d' |
        sed -n "/^### … $1\$/,\$p" | sed '1d;/^### /,$d' |
        sed -n 's/^| `\(src\/[^`]*\)` |.*/\1/p' | sed "s/NAME/$2/" | sort
}

# Each edit notes its file. One that changes nothing is wrong: what it looks for is not there any more.
edit() { # FILE SED-COMMAND
    cp "$1" before
    sed -i "$2" "$1"
    cmp -s "$1" before && fail "$1: there is nothing to edit by $2"
    echo "$1" >>edited
}

add() { # FILE PATH
    cp "$files/$1" "$2"
    echo "$2" >>edited
}

# compare HEADING NAME: whether the files that were edited since the last time are those that are documented.
compare() {
    sort -u edited >edited.sorted
    documented "$1" "$2" >documented
    [ -s documented ] || fail "docs/internals.md has no table of files for: $1"
    diff documented edited.sorted >difference || {
        fail "$1: the table (<) and what was edited (>) differ:"
        cat difference
    }
    rm edited
}

mkdir 'a tree' && cd 'a tree' || exit 1 # make works there, too
cp -r "$ROOT/src" "$ROOT/include" "$ROOT/Makefile" "$ROOT/scripts" .

edit src/check/bug.h '/^    BUG_KINDS$/i\    BUG_BAD_PEEK,'
edit src/check/bug.c '/^    \[BUG_KINDS\] = /i\    [BUG_BAD_PEEK] = {"bad-peek", "An unlucky word is looked at.", .object = BUG_ON_MEMORY},'
compare 'a kind of bug' bad_peek

edit src/model/op.h '/^    OP_KINDS$/i\    OP_PEEK,'
edit src/model/op.c '$i\    [OP_PEEK] = {"peek", EFFECT_READ, .names_object = true, .answer = ANSWER_NUMBER},'
edit src/target/threads/engine/operations.h '$i\enum effect do_peek(struct thread *t, struct place *word);'
edit src/target/threads/engine/operations.c '$i\    [OP_PEEK] = {NULL, do_peek, NULL, NULL},'
add peek.c src/target/threads/pthread/peek.c
compare 'a pthread call' peek

edit src/explore/strategy.h '/^    STRATEGIES$/i\    STRATEGY_LAST,'
edit src/explore/strategy.h '$i\struct strategy *last_new(struct target *target, const struct strategy_options *options);'
edit src/explore/strategy.c '/^const struct strategy_traits strategy_table/a\    [STRATEGY_LAST] = {"last", STRATEGY_FOR_PROGRAMS, last_new, .samples = "one run does not cover everything"},'
edit src/cli/check.c 's/pos, fuzz, sample/pos, fuzz, sample, last/'
add last.c src/explore/last.c
compare 'a strategy' last

edit src/report/format.h '0,/REPORT_FORMATS/s//FORMAT_TAP, REPORT_FORMATS/'
edit src/report/format.h '$i\extern const struct report_format tap_format;'
edit src/report/format.c '$i\    [FORMAT_TAP] = &tap_format,'
add tap.c src/report/tap.c
compare 'a format of reports' tap

# As `make dev`, but with a command that is not optimised, and no more than is used below.
make -j"$(nproc)" BUILD=build-dev LTO= RUNTIME_OPTIMISE='-O1 -foptimize-sibling-calls' CFLAGS='-O0 -Wno-maybe-uninitialized -Wno-format-truncation' ${CC:+CC="$CC"} \
    build-dev/heddle build-dev/libheddle.so build-dev/link/libheddle.so build-dev/libheddle-frameworks.a >build.log 2>&1 || {
    fail "it does not compile:"
    grep -A5 'error' build.log | head -n 20
    exit 1
}
scripts/layers.sh >layers.log 2>&1 || { fail "the layers are broken:" && cat layers.log; }

heddle=$PWD/build-dev/heddle
"$heddle" check --explain 1 --json use.json --sarif use.sarif --tap use.tap "$files/use.c" >use.txt 2>&1
[ $? -eq 1 ] || { fail "the program does not fail:" && cat use.txt; }

# expects FILE PATTERN
expects() {
    grep -q -- "$2" "$1" || fail "$1 does not have: $2"
}
expects use.txt '^bug: bad-peek after'
expects use.txt 'peek word → 13'
expects use.txt 'looks at an unlucky word, in main at .*use.c:19: word'
expects use.json '"kind":	"bad-peek"'
expects use.json '"operation":	"peek"'
expects use.sarif '"ruleId":	"heddle/bad-peek"'
expects use.sarif '"text":	"An unlucky word is looked at."'
expects use.tap '^not ok 1 - .*use.c # bad-peek$'
expects use.bad-peek.hd '^bug bad-peek$'

"$heddle" check --strategy last --json last.json "$files/use.c" >last.txt 2>&1
[ $? -eq 3 ] || { fail "one run that passes is not incomplete:" && cat last.txt; }
expects last.txt 'one run does not cover everything'
expects last.json '"strategy":	"last"'
"$heddle" check --help >help.txt
expects help.txt '^  --tap FILE  *write a line for each test (TAP)$'
expects help.txt 'sample, last'

echo 'bad-peek:main' >known.supp
"$heddle" check --suppressions known.supp "$files/use.c" >known.txt 2>&1 || { fail "it cannot be suppressed by its name:" && cat known.txt; }

# What heddle itself has is in the manual.
"$HEDDLE" check --sarif own.sarif "$CASES/abort.c" >/dev/null 2>&1
kinds=$(sed -n 's/^.*"id":	"heddle\/\([a-z-]*\)".*/\1/p' own.sarif)
[ "$(echo "$kinds" | wc -l)" -ge 16 ] || fail "SARIF does not list the kinds of bug: $kinds"
for kind in $kinds; do
    grep -q "\`$kind\`" "$ROOT/docs/json.md" || fail "docs/json.md does not list $kind"
    sed 's/\\-/-/g' "$ROOT"/docs/man/heddle-check.1 "$ROOT"/docs/man/heddle-lin.1 | grep -q "^\.B $kind\$" ||
        fail "no manual page says what $kind is"
done
"$HEDDLE" check --help >own_help.txt
for option in $(sed -n 's/^  --\([a-z-]*\).*/\1/p' own_help.txt); do
    sed 's/\\-/-/g' "$ROOT/docs/man/heddle-check.1" | grep -q -- "--$option\>" || fail "heddle-check(1) does not have --$option"
done
strategies=$(sed -n 's/^    \[STRATEGY_[A-Z]*\] = {"\([a-z]*\)", STRATEGY_FOR_PROGRAMS.*/\1/p' "$ROOT/src/explore/strategy.c")
[ "$(echo "$strategies" | wc -l)" -ge 6 ] || fail "strategy.c does not list the strategies: $strategies"
for strategy in $strategies; do
    grep -A2 '^  --strategy NAME' own_help.txt | grep -q "\<$strategy\>" || fail "heddle check --help does not name strategy $strategy"
    grep -q "^\.BR\{0,1\} .*\<$strategy\>" "$ROOT/docs/man/heddle-check.1" || fail "heddle-check(1) does not say what strategy $strategy is"
done
finish
