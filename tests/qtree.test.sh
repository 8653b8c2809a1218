#!/usr/bin/env bash
# heddle qtree: every kind of violation with both its events, trees as text, pictures and JSON, bad lines, long logs.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
export LC_ALL=C.UTF-8

# log LINE…: writes the log.
log() { printf '%s\n' "$@" >log; }

# wrong KIND SENTENCE [OPTION…]: what is said of the log.
wrong() {
    local kind=$1 sentence=$2
    shift 2
    heddle qtree "$@" log
    [ $status -eq 1 ] && [ "$(head -n 1 out)" = "violation: $kind" ] && [ "$(sed -n '2s/^  //p' out)" = "$sentence" ] ||
        fail "$kind: status $status: $(cat out err)"
}

# right WHAT [OPTION…]
right() {
    local what=$1
    shift
    heddle qtree "$@" log
    [ $status -eq 0 ] && [ "$(head -n 1 out)" = consistent ] || fail "$what: status $status: $(cat out err)"
}

# refused SENTENCE [OPTION…]: one sentence, status 2.
refused() {
    local sentence=$1
    shift
    heddle qtree "$@"
    [ $status -eq 2 ] && [ ! -s out ] && [ "$(wc -l <err)" -eq 1 ] && grep -qF -- "$sentence" err ||
        fail "refused $*: status $status: $(cat out err)"
}

log 'add 1 1 a 0' 'add 1 3 b 0' 'add 1 2 a 1' 'commit 1 3' 'add 1 5 b 3' 'commit 1 5'
right 'a tree with a slow leader'
says 'counts' '^  6 events: 4 rounds added, 2 committed, in 1 instance; '
log 'add 1 1 a 0' 'add 1 3 b 0' 'commit 1 3' 'add 1 4 a 1'
wrong passed-over 'round 4 (a) was added at line 4 on round 1, passing over round 3 (b), which was committed at line 3'
prints 'tree' '    ├─◌ 1 = a  ghost'
prints 'tree' '    │ ✗ 4 = a  refused, added at line 4'
prints 'tree' '    ● 3 = b  added at line 2, committed at line 3'
log 'add 1 1 a 0' 'add 1 3 b 0' 'commit 1 1'
wrong passed-over 'round 1 (a) was committed at line 3, but round 3 (b), added at line 2 on round 0, had passed over it'
# The printed algorithm of the seed takes this one: the last line makes a ghost of what was committed.
log 'add 1 1 v 0' 'add 1 4 v 1' 'add 1 5 v 4' 'commit 1 4' 'commit 1 1' 'add 1 3 v 0'
wrong passed-over 'round 3 (v) was added at line 6 on round 0, passing over round 1 (v), which was committed at line 5'
log 'add 1 1 a 0' 'add 1 1 b 0'
wrong added-twice 'round 1 was added twice: with value a on round 0 at line 1, and with value b on round 0 at line 2'
wrong added-twice 'round 1 was added twice: with value a on round 0 at line 1, and with value b on round 0 at line 2' --witnesses
log 'add 1 1 a 0' 'commit 1 1' 'commit 1 1' 'add 1 1 a 0'
wrong committed-twice 'round 1 (a) was committed twice: at line 2, and at line 3'
right 'told by two' --witnesses
log 'add 1 1 a 0' 'add 1 2 b 1'
wrong value-changed 'round 2 was added with value b at line 2 on round 1, which was added with value a at line 1'
right 'a log of commands' --values any
log 'values any' 'add 1 1 a 0' 'add 1 2 b 1'
right 'a setting in the log'
log 'commit 1 2'
wrong never-added 'round 2 was committed at line 1, but had never been added'
log 'add 1 2 a 1'
wrong no-parent 'round 2 was added at line 1 on round 1, which had never been added'
log 'add 1 2 a 2'
wrong parent-not-lower 'round 2 was added at line 1 on round 2, which is not lower'
log 'add 1 0 a 0'
wrong round-zero 'round 0 was added at line 1, but that is the root'
log 'add x 1 a 0' 'add y 1 b 0' 'commit y 2'
wrong never-added 'instance y: round 2 was committed at line 3, but had never been added'

# The transcript in the document.
heddle qtree "$ROOT/examples/consensus/passed_over.log"
sed -n '/^\$ heddle qtree examples/,/^```/p' "$ROOT/docs/qtree.md" | sed '1d;$d' >wanted
[ -s wanted ] && head -n "$(wc -l <wanted)" out | cmp -s - wanted || fail "docs/qtree.md: $(diff wanted out)"

# Pairs are ordered as pairs: a new term passes over what an old one had added behind the common part.
log 'values any' 'add log 1:1 a 0' 'add log 1:2 b 1:1' 'add log 2:2 c 1:1' 'commit log 2:2' 'commit log 1:1'
right 'terms and indices'
log 'values any' 'add log 1:1 a 0' 'add log 1:2 b 1:1' 'commit log 1:2' 'add log 2:2 c 1:1'
wrong passed-over 'round 2:2 (c) was added at line 5 on round 1:1, passing over round 1:2 (b), which was committed at line 4'

# Other lines of a log, standard input, a last line without an end.
printf '%s\n' '12:03 node 1 started' '12:04 [qtree] add 1 1 a 0 # node 2' '' '12:05 [qtree] commit 1 1' >log
right 'a log with other lines' --after '[qtree] '
printf 'add 1 1 a 0\ncommit 1 1' | "$HEDDLE" qtree - >out || fail "standard input: $(cat out)"
prints 'no end' '2 events: 1 round added, 1 committed'
mkfifo pipe
exec 9<>pipe # which never ends
echo 'commit 1 1' >&9
timeout 60 "$HEDDLE" qtree - <pipe >out
[ $? -eq 1 ] || fail "a violation is not reported as soon as its line is there: $(cat out)"
exec 9>&-

# The other instances, JSON, pictures.
log 'add x 1 a 0' 'commit x 2' 'add y 1 <b> 0' 'commit z 1' 'commit x 1' 'commit y 1'
heddle qtree --keep-going --tree --json report.json --svg tree.svg --dot tree.dot log
[ $status -eq 1 ] && [ "$(head -n 1 out)" = 'violations: 2' ] || fail "two instances: $(cat out err)"
prints 'the rest' 'not looked at: 1 event of instances behind their violation'
[ "$(jq -r '.violations[].kind' report.json | tr '\n' ' ')" = 'never-added never-added ' ] || fail "JSON: $(cat report.json)"
[ "$(jq -r '.trees[] | select(.instance == "y") | .rounds[0] | "\(.round) \(.value) \(.status) \(.committed)"' report.json)" = '1 <b> committed 6' ] ||
    fail "JSON of a tree: $(cat report.json)"
grep -q '<text[^>]*>1 = &lt;b&gt;  committed</text>' tree.svg && grep -q '</svg>' tree.svg || fail "picture: $(cat tree.svg)"
grep -q 'n[0-9]* \[label="1 = <b>", ' tree.dot || fail "for Graphviz: $(cat tree.dot)"
heddle qtree --json - log
[ $status -eq 1 ] && [ "$(jq -r .verdict out)" = violation ] || fail "JSON alone: $(cat out err)"

# Bad input.
bad() {
    printf '%s\n' 'add 1 1 a 0' "$1" >log
    refused "log:2: $2" log
}
bad 'add 1 2 a' '`add` has four words behind it'
bad 'add 1 2 a 1 1' '`add` has four words behind it'
bad 'commit 1' '`commit` has two words behind it'
bad 'commit 1 x' 'x is no round'
bad 'commit 1 1:' '1: is no round'
bad 'commit 1 99999999999999999999' '99999999999999999999 is no round'
bad 'add 1 2 a -1' '-1 is no parent'
bad 'remove 1 2' 'remove is no event'
bad 'values any' '`values` has to stand before the first event'
bad "$(head -c 100000 /dev/zero | tr '\0' x)" 'xxx'
head -c 3000000 /dev/zero | tr '\0' x >log
refused 'log:1: a line is longer than a megabyte' log
printf 'values some\n' >log
refused 'log:1: settings are `values same`, `values any` and `witnesses`' log
: >log
refused 'there is no event in it' log
refused 'No such file' no_such_file
refused 'name a file of events'
refused 'one file too many' log log
refused '--values takes same or any' --values some log
refused '--after takes some text' --after '' log

# Long logs: a chain, half of which is not shown; events that come late, and such that pass over thousands.
awk 'BEGIN { print "values any"; for (i = 1; i <= 200000; i++) { print "add log 1:" i " c" i " " (i > 1 ? "1:" i - 1 : 0); print "commit log 1:" i } }' >log
right 'a long log' --tree
prints 'a long log' '⋮ 199997 rounds'
awk 'BEGIN { for (i = 2; i <= 200000; i += 2) print "add 1 " i " v " i - 2; print "commit 1 2"; for (i = 199999; i > 2; i -= 2) print "add 1 " i " v 2"; print "commit 1 199998" }' >log
wrong passed-over 'round 199998 (v) was committed at line 200001, but round 199999 (v), added at line 100002 on round 2, had passed over it'
finish
