#!/usr/bin/env bash
# tests/fuzz/unread.sh BUILD COUNT [FIRST]: random protocols with global variables that are updated from each other, by gcc and clang at
# every level of optimisation. What heddle proves to be unread is held against what happens: an audit compares states that differ
# only in it, and the verdict is the same if it counts. Prints each difference; status 1 if there are any.
set -u
[ $# -ge 2 ] || { sed -n 's/^# //p' "$0" >&2; exit 2; }
HEDDLE=$(readlink -f "$1")/heddle
count=$2 first=${3:-1}
work=$(mktemp -d) || exit 2
trap 'cd /; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cd "$work" || exit 2
export TMPDIR=$work
wrong=0 proved=0 fewer=0 bugs=0

below() { echo $((RANDOM % $1)); }
pick() { local list=("$@"); echo "${list[RANDOM % $#]}"; }
variable() { pick v0 v1 v2 me.a me.b me.c 'me.d[1]' wide 'seen[from]' 'seen[from]' 'at[from & 1].a' 'at[from & 1].b'; }
# value DEPTH: an expression.
value() {
    case $(below 8) in
    0 | 1 | 2) below 4 ;;
    3) echo from ;;
    4) variable ;;
    5) [ "$1" -gt 0 ] && echo "($(value $(($1 - 1))) $(pick + - '*' '^' '&') $(value $(($1 - 1))))" || below 3 ;;
    6) echo '*(const int *)data' ;;
    7) echo 1 ;;
    esac
}
statement() {
    local to
    to=$(variable)
    case $(below 12) in
    0 | 1 | 2 | 3) echo "$to $(pick += -= ^= '*=') $(value 1);" ;;
    4) echo "$to++;" ;;
    5) echo "$to = $to $(pick + '<<' - '>>') $(below 3);" ;;
    6) echo "$to = $(value 1);" ;;
    7) [ "$1" -gt 0 ] && echo "if ($(value 1) $(pick '<' '>' == '!=') $(below 4)) { $(statement $(($1 - 1))) }" ;;
    8) [ "$1" -gt 0 ] && echo "if (from $(pick '<' '>' ==) $(below 3)) { $(statement $(($1 - 1))) $(statement $(($1 - 1))) }" ;;
    9) echo "note($(value 0));" ;;
    10) echo "tally(&$to);" ;;
    11) echo "$to = $to + $(value 1); $to = $to * 3;" ;;
    esac
}
# protocol: the text of a protocol. Most variables are only kept up; v0 is reported.
protocol() {
    local i
    cat <<'END'
#include <heddle/node.h>
static int v0, v1, v2, left, noted;
static long wide;
static int seen[4];
static struct { int a; long b; } at[2];
static struct { int a; short b; unsigned char c; int d[3]; } me;
static void __attribute__((noinline)) note(int value) { noted += value; }
static void __attribute__((noinline)) tally(const void *place) { (void)place; noted++; }
static void boot(int self, int nodes)
{
    left = 2;
    heddle_send((self + 1) % nodes, &(int){self + 1}, sizeof(int));
    heddle_send(self, &(int){2}, sizeof(int));
}
static void message(int from, const void *data, size_t size)
{
    (void)size;
END
    for ((i = 0; i < 5; i++)); do statement 2; done
    cat <<END
    if (left-- > 0)
        heddle_send((from + 1) % heddle_nodes(), &(int){$(value 0)}, sizeof(int));
}
static void report(void *s) { *(int *)s = v0 * $(below 2) + noted * $(below 2) + left; }
static const char *check(const struct heddle_view *v) { return *(const int *)v->state[0] == $(below 9) + 2 ? "it is that number" : NULL; }
const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .state_size = sizeof(int), .report = report, .check = check};
END
}
# search ARGUMENT…: verdict, states and what is proved, in these variables.
search() {
    rm -f report.json
    timeout 60 "$HEDDLE" cluster --nodes 2 --json report.json --next last --policy states "$@" protocol.c >out 2>err
    verdict=$(sed -n 's/^	"verdict":	"\(.*\)",$/\1/p' report.json) states=$(sed -n 's/^	"states":	\([0-9]*\),$/\1/p' report.json)
    names=$(sed -n 's/^	"unread":	"\(.*\)",$/\1/p' report.json)
}
for ((seed = first; seed < first + count; seed++)); do
    RANDOM=$seed
    protocol >protocol.c
    flags=-O$(pick 0 1 2 3 s)
    export HEDDLE_CC=$(pick gcc gcc clang)
    search --states whole --cflags "$flags"
    whole=$verdict all=$states
    [ -n "$whole" ] || { echo "$seed: $(head -c 300 err)"; wrong=$((wrong + 1)); continue; }
    search --cflags "$flags"
    [ "$verdict" = "$whole" ] || { echo "$seed $HEDDLE_CC $flags: $whole, without $names $verdict"; wrong=$((wrong + 1)); }
    [ "$verdict" != bug ] || bugs=$((bugs + 1))
    [ -n "$names" ] || continue
    proved=$((proved + 1))
    [ "$states" -ge "$all" ] || fewer=$((fewer + 1))
    search --audit --cflags "$flags"
    ! grep -q '^wrong rule' out || { echo "$seed $HEDDLE_CC $flags: $names: $(head -n 3 out)"; wrong=$((wrong + 1)); }
done
echo "$count protocols, $bugs of them fail; of $proved something is proved to be unread, $fewer have fewer states without it; $wrong differences"
exit $((wrong > 0))
