#!/usr/bin/env bash
# heddle cluster: the examples, what can go wrong with nodes, budgets, replay, reports, wrong use; random protocols.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
EXAMPLES=$ROOT/examples/cluster

# run_cluster WHAT VERDICT ARGUMENT…: the first line, the status, nothing on standard error.
run_cluster() {
    local what=$1 verdict=$2 wanted
    shift 2
    rm -f report.json
    heddle cluster --json report.json "$@"
    case $verdict in verified) wanted=0 ;; incomplete) wanted=3 ;; *) wanted=1 ;; esac
    [ "$(head -n 1 out)" = "$verdict" ] || fail "$what: $verdict expected, got $(head -n 2 out err)"
    [ $status -eq $wanted ] || fail "$what: status $status instead of $wanted"
    [ ! -s err ] || fail "$what: $(head -n 3 err)"
}

# refused WHAT TEXT ARGUMENT…: one sentence, status 2.
refused() {
    local what=$1 text=$2
    shift 2
    heddle cluster "$@"
    [ $status -eq 2 ] || fail "$what: status $status"
    [ "$(grep -c '^heddle' err)" -eq 1 ] && grep -qF -- "$text" err || fail "$what: '$text' expected, got: $(cat err)"
}

# node WHAT BODY…: a protocol of one callback, in what.c.
node() {
    local what=$1
    shift
    { printf '#include <heddle/node.h>\n#include <stdlib.h>\n#include <string.h>\n#include <assert.h>\n'; printf '%s\n' "$@"; } >"$what.c"
}

# Two-phase commit, by every way to search.
TWO=$EXAMPLES/two_phase_commit.c
for how in '--policy auto' '--policy none' '--strategy dpor' '--strategy optimal' '--order any'; do
    # shellcheck disable=SC2086
    run_cluster "two-phase $how" verified --crashes 1 --reboots 1 $how "$TWO"
    # shellcheck disable=SC2086
    run_cluster "forgetful $how" 'bug: invariant' --crashes 1 --reboots 1 $how --cflags -DFORGETFUL "$TWO"
    prints "forgetful $how" 'one node has committed and another has aborted'
    prints "forgetful $how" 'faults: 2, events: 7'
done
run_cluster random incomplete --crashes 1 --reboots 1 --strategy random --max-executions 1000 "$TWO"
run_cluster few incomplete --crashes 1 --reboots 1 --max-executions 5 "$TWO"
prints few '--max-executions was reached'
run_cluster short incomplete --max-events 3 "$TWO"

# The same run again, from the file; not with the bug gone.
run_cluster story 'bug: invariant' --crashes 1 --reboots 1 --cflags -DFORGETFUL --svg story.svg "$TWO"
sed -n '/^      0/,/reboot$/p' out >first
[ "$(wc -l <first)" -eq 8 ] || fail "story: $(cat out)"
heddle replay two_phase_commit.invariant.hd
[ $status -eq 1 ] || fail "replay: status $status: $(cat err)"
sed -n '/^      0/,/reboot$/p' out | cmp -s - first || fail "replay: another story: $(cat out)"
xmllint --noout story.svg || fail 'svg: not well-formed'
[ "$(jq -r '.bug.story | map(.event) | join(" ")' report.json)" = 'deliver deliver deliver deliver deliver crash reboot' ] ||
    fail "json: $(cat report.json)"
sed -i 's/^flags .*/flags /' two_phase_commit.invariant.hd
heddle replay two_phase_commit.invariant.hd
[ $status -eq 0 ] && grep -q 'no longer fails' out || fail "replay: of a right protocol: $status $(cat out err)"
for damage in 's/^end//' 's/^steps .*/steps 9999999999/' 's/^nodes 3/nodes 0/' 's/^order .*/order x/' 's/:/;/'; do
    sed "$damage" two_phase_commit.invariant.hd >bad.hd
    heddle replay bad.hd
    [ $status -eq 2 ] && [ "$(wc -l <err)" -eq 1 ] || fail "replay: $damage: status $status: $(cat err)"
done

# The tutorial's pieces, put together, behave as it says.
sed -n '/^## From an empty file/,/^## Events/p' "$ROOT/docs/cluster.md" | sed -n '/^```c$/,/^```$/p' | grep -v '^```' >commit.c
[ "$(wc -l <commit.c)" -lt 100 ] || fail "tutorial: $(wc -l <commit.c) lines"
run_cluster tutorial verified commit.c
run_cluster tutorial-crash 'bug: invariant' --crashes 1 --reboots 1 commit.c
prints tutorial-crash 'replay: heddle replay commit.invariant.hd'
sed -i '/heddle_self() != 0/d' commit.c
run_cluster tutorial-right verified --crashes 1 --reboots 1 commit.c
rm -f commit.c commit.invariant.hd

# Nodes that may change places: fewer states, the same verdict; a protocol that says so wrongly is found out.
grep -v '\.renaming' "$TWO" >distinct.c
run_cluster distinct verified --nodes 4 --crashes 2 --reboots 1 --next last distinct.c
many=$(jq .states report.json)
run_cluster alike verified --nodes 4 --crashes 2 --reboots 1 --next last --audit "$TWO"
jq -e ".renamed > 0 and .states * 2 < $many" report.json >/dev/null || fail "alike: $(jq -c '[.renamed, .states]' report.json), $many without"
sed 's/= ~1u/= ~0u/' "$TWO" >wrongly.c
run_cluster wrongly 'wrong rule' --nodes 4 --crashes 2 --reboots 1 --audit wrongly.c
prints wrongly 'the protocol says that nodes may change places'

# Leader election: right without faults and in a sample with them; old bugs are found; a wrong rule is found out.
ELECTION=$EXAMPLES/election.c
run_cluster election verified "$ELECTION"
run_cluster election-rules incomplete --crashes 1 --reboots 1 --policy samc --audit --max-executions 20000 "$ELECTION"
run_cluster election-sample incomplete --crashes 2 --reboots 2 --strategy random --max-executions 5000 "$ELECTION"
run_cluster 1419 'bug: liveness' --crashes 1 --cflags -DZK1419 "$ELECTION"
prints 1419 'and so on'
run_cluster 1075 'bug: liveness' --crashes 1 --reboots 1 --strategy random --max-executions 50000 --cflags -DZK1075 "$ELECTION"
run_cluster gone 'bug: liveness' --crashes 1 --strategy random --cflags -DCOUNTS_GONE "$ELECTION"
run_cluster 790 'bug: liveness' --crashes 1 --reboots 1 --timeouts 1 --policy samc --next random --max-executions 50000 --cflags -DZK790 "$ELECTION"
run_cluster 975 'bug: invariant' --cflags -DZK975 "$ELECTION"
prints 975 'a node leads that no quorum voted for'
run_cluster 1492 'bug: liveness' --crashes 1 --cflags '-DOBSERVERS=1 -DZK1492' "$ELECTION"
prints 1492 'a node leads without a quorum'
run_cluster observers incomplete --crashes 1 --max-executions 100000 --cflags -DOBSERVERS=1 "$ELECTION"
run_cluster wrong 'wrong rule' --crashes 1 --reboots 1 --policy samc --audit --cflags -DWRONG_RULE "$ELECTION"
prints wrong 'independent, but the two orders differ'

# Atomic broadcast: right in samples with faults; old bugs are found; a wrong rule is found out.
BROADCAST=$EXAMPLES/broadcast.c
run_cluster broadcast incomplete --crashes 1 --reboots 1 --max-events 120 --max-executions 50000 --patience 1000 "$BROADCAST"
run_cluster broadcast-sample incomplete --crashes 3 --reboots 3 --strategy random --max-executions 5000 --patience 1000 "$BROADCAST"
run_cluster broadcast-next incomplete --crashes 3 --reboots 3 --max-events 120 --next random --max-executions 10000 --patience 1000 "$BROADCAST"
# Links that were not served for long have much to deliver before nodes can come to rest: nobody is accused for that.
run_cluster broadcast-unfair incomplete --max-executions 3000 "$BROADCAST"
run_cluster broadcast-rules incomplete --crashes 1 --reboots 1 --policy lmi,cmi --audit --max-executions 20000 --patience 1000 "$BROADCAST"
run_cluster 335 'bug: invariant' --crashes 3 --reboots 3 --strategy random --max-executions 100000 --cflags -DZK335 --patience 1000 "$BROADCAST"
prints 335 'two nodes have committed different transactions'
run_cluster 1653 'bug: invariant' --crashes 1 --reboots 1 --strategy random --max-executions 50000 --cflags -DZK1653 --patience 1000 "$BROADCAST"
prints 1653 'its history is newer than its epoch'
# Of every policy: a wrong rule is found out, the right one is not accused.
for policy in lmi cmi crs rss; do
    [ $policy = cmi ] && most=60000 || most=6000
    for file in "$ELECTION" "$BROADCAST"; do
        run_cluster "$policy wrong ${file##*/}" 'wrong rule' --crashes 2 --reboots 2 --policy $policy --audit --next random --max-events 150 --max-executions $most --cflags -DSEED_RULES "$file"
        run_cluster "$policy right ${file##*/}" incomplete --crashes 2 --reboots 2 --policy $policy --audit --next random --max-events 150 --patience 1000 --max-executions 3000 "$file"
    done
done

# Going on at random places finds what is far from the beginning, and verifies as well; what a policy is worth.
for how in '--policy auto' '--policy samc'; do
    # shellcheck disable=SC2086
    run_cluster "1653 $how" 'bug: invariant' --crashes 1 --reboots 1 --max-events 60 --next random $how --max-executions 100000 --cflags -DZK1653 --patience 1000 "$BROADCAST"
done
run_cluster 1653-random-dpor 'bug: invariant' --crashes 1 --reboots 1 --max-events 60 --strategy random-dpor --max-executions 200000 --cflags -DZK1653 --patience 1000 "$BROADCAST"
run_cluster two-phase-next verified --crashes 1 --reboots 1 --next random "$TWO"
run_cluster two-phase-random-dpor verified --crashes 1 --reboots 1 --strategy random-dpor "$TWO"
run_cluster mark incomplete --crashes 1 --reboots 1 --mark auto --max-executions 500 "$ELECTION"
jq -e '.complete == 500 and .marked > 450' report.json >/dev/null || fail "mark: $(jq -c '[.complete, .marked]' report.json)"

# Globals and heap are each node's own: three nodes count for themselves, on the heap too.
node own 'static int count; static int *heap; static char *name;' \
    'static void boot(int self, int nodes) { (void)nodes; heap = calloc(1, sizeof *heap); name = strdup("ab"); name[0] += self; heddle_broadcast("x", 1); }' \
    'static void message(int from, const void *d, size_t n) { (void)from; (void)d; (void)n; count++; ++*heap; heap = realloc(heap, 64 * (unsigned)count); assert(count <= 2 && *heap == count && name[0] == 97 + heddle_self()); free(malloc(100)); }' \
    'const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message};'
run_cluster own verified own.c
run_cluster own-dfs verified --strategy dfs own.c

# A node draws one of three by the order of its timers: every pair of draws is tried, and no other.
for pair in '2 1 bug: invariant' '2 3 verified'; do
    read -r one other verdict <<<"$pair"
    node draws 'static int drawn = -1;' \
        'static void boot(int self, int nodes) { (void)self; (void)nodes; for (int i = 0; i < 3; i++) heddle_set_timer(i); }' \
        'static void timer(int which) { for (int i = 0; i < 3; i++) heddle_clear_timer(i); drawn = which; }' \
        'static void message(int from, const void *d, size_t n) { (void)from; (void)d; (void)n; }' \
        'static void report(void *s) { *(int *)s = drawn; }' \
        "static const char *check(const struct heddle_view *v) { return *(const int *)v->state[0] == $one && *(const int *)v->state[1] == $other ? \"drawn\" : NULL; }" \
        'const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .timer = timer, .state_size = sizeof(int), .report = report, .check = check};'
    run_cluster "draws $one $other" "$verdict" --nodes 2 --timeouts 2 draws.c
done

# Code that fails is a finding: by assertion, by signal, by never coming back.
body='static void boot(int self, int nodes) { (void)nodes; if (!self) heddle_send(1, "x", 1); }'
tail='const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message};'
for case in 'assertion:assert(from == 7)' 'crash:*(volatile int *)8 = from' 'crash:abort()' 'hang:for (volatile int i = 0;; i++) ;' \
    'misuse:heddle_send(17, d, n)' 'misuse:heddle_send(from, NULL, n)' 'misuse:heddle_write(NULL, d, n)' \
    'misuse:void *volatile p = malloc(8), *volatile q = p; free(p); free(q)' 'misuse:char *volatile p = malloc(64); p += 16; free(p)'; do
    node bad "$body" "static void message(int from, const void *d, size_t n) { (void)from; (void)d; (void)n; ${case#*:}; }" "$tail"
    run_cluster "$case" "bug: ${case%%:*}" bad.c
done
node recursion "$body" 'static int deep(int n) { volatile char room[4096]; room[0] = (char)n; return deep(n + 1) + room[0]; }' \
    'static void message(int from, const void *d, size_t n) { (void)d; (void)n; deep(from); }' "$tail"
run_cluster recursion 'bug: crash' recursion.c

# Budgets: what may go wrong does, and no more.
node lossy "$body" 'static int got;' 'static void message(int from, const void *d, size_t n) { (void)from; (void)d; (void)n; got++; }' \
    'static void report(void *s) { *(int *)s = got; }' \
    'static const char *check(const struct heddle_view *v) { return *(const int *)v->state[1] > 1 ? "twice" : NULL; }' \
    'static const char *quiet(const struct heddle_view *v) { return *(const int *)v->state[1] ? NULL : "never"; }' \
    'const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .state_size = sizeof(int), .report = report, .check = check, .quiet = quiet};'
run_cluster none verified lossy.c
run_cluster drop 'bug: liveness' --drops 1 lossy.c
prints drop '(lost)'
run_cluster double 'bug: invariant' --duplicates 1 lossy.c

# What a node sends to itself is neither lost nor doubled; what it sends to another is.
node own 'static int got;' \
    'static void boot(int self, int nodes) { int x = self; if (self == nodes - 1) heddle_send(TO, &x, sizeof x); }' \
    'static void message(int from, const void *d, size_t n) { (void)from; (void)d; (void)n; got++; }' \
    'static void report(void *s) { *(int *)s = got; }' \
    'static const char *quiet(const struct heddle_view *v) { return *(const int *)v->state[TO] == 1 ? NULL : "not once"; }' \
    'const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .state_size = sizeof(int), .report = report, .quiet = quiet};'
for order in fifo any; do
    run_cluster "own, $order" verified --nodes 2 --drops 1 --duplicates 1 --order $order --cflags -DTO=1 own.c
    run_cluster "not own, $order" 'bug: liveness' --nodes 2 --drops 1 --order $order --cflags -DTO=0 own.c
done
[ "$(LC_ALL=C "$HEDDLE" replay lossy.invariant.hd | sed -n '4,$p' | head -n 4)" = "$(cat <<'END'
      0         1         2
   1  |         |         |  78 from node 0 to node 1 is doubled
   2  |--------->         |  78
   3  |--------->         |  78 (again)
END
)" ] || fail "double: $(cat out)"
run_cluster cut 'bug: liveness' --partitions 1 lossy.c
node halves 'static unsigned got;' 'static void boot(int self, int nodes) { (void)self; (void)nodes; }' \
    'static void request(int n) { (void)n; heddle_broadcast("x", 1); }' \
    'static void message(int from, const void *d, size_t n) { (void)d; (void)n; got |= 1u << from; }' \
    'static void report(void *s) { *(unsigned *)s = got; }' \
    'static const char *quiet(const struct heddle_view *v) { const unsigned *const *got = (const unsigned *const *)v->state; return *got[0] == 2 && *got[1] == 1 && *got[2] == 8 && *got[3] == 4 ? "halves" : NULL; }' \
    'static const struct heddle_request requests[] = {{0, 0}, {1, 0}, {2, 0}, {3, 0}};' \
    'const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .request = request, .requests = requests, .request_count = 4, .state_size = sizeof got, .report = report, .quiet = quiet};'
run_cluster halves 'bug: liveness' --nodes 4 --partitions 2 --strategy random --max-executions 100000 halves.c
prints halves 'cut off'
run_cluster no-halves incomplete --nodes 4 --partitions 1 --strategy random --max-executions 10000 halves.c
run_cluster crash 'bug: liveness' --crashes 1 lossy.c

# Connections: a node that comes back never gets what was sent before the sender knew of the crash; otherwise it may.
node lives 'static int lost, lives, wrong;' \
    'static void boot(int self, int nodes) { (void)nodes; heddle_read("lives", &lives, sizeof lives); lives++; heddle_write("lives", &lives, sizeof lives); heddle_sync(); if (!self) heddle_send(1, &lost, sizeof lost); }' \
    'static void request(int n) { (void)n; heddle_send(1, &lost, sizeof lost); }' \
    'static void message(int from, const void *d, size_t n) { (void)from; (void)n; wrong |= *(const int *)d != lives - 1; }' \
    'static void down(int peer) { lost += peer == 1; heddle_send(1, &lost, sizeof lost); }' \
    'static void report(void *s) { *(int *)s = wrong; }' \
    'static const char *check(const struct heddle_view *v) { return *(const int *)v->state[1] ? "for another life" : NULL; }' \
    'static const struct heddle_request requests[] = {{0, 0}};' \
    'const struct heddle_protocol heddle_protocol = {.network = HEDDLE_CONNECTIONS, .boot = boot, .message = message, .down = down, .request = request, .requests = requests, .request_count = 1, .state_size = sizeof(int), .report = report, .check = check};'
for how in '--policy auto' '--policy none' '--strategy dpor' '--strategy optimal' '--strategy dfs'; do
    # shellcheck disable=SC2086
    run_cluster "lives $how" verified --nodes 2 --crashes 1 --reboots 1 $how lives.c
    # shellcheck disable=SC2086
    run_cluster "lives in order $how" 'bug: invariant' --nodes 2 --crashes 1 --reboots 1 --order fifo $how lives.c
done
[ "$(jq -r .order report.json)" = fifo ] && grep -q '^order fifo' lives.invariant.hd || fail "lives: $(grep order lives.invariant.hd)"
run_cluster lives-any 'bug: invariant' --nodes 2 --crashes 1 --reboots 1 --order any lives.c

# Of what a node sent before it crashed the rest may be lost; without connections nothing is.
node rest 'static int got, end = -1;' 'static void boot(int self, int nodes) { (void)nodes; if (!self) { heddle_send(1, "x", 1); heddle_send(1, "y", 1); } }' \
    'static void message(int from, const void *d, size_t n) { (void)from; (void)d; (void)n; got++; if (end >= 0) abort(); }' \
    'static void down(int peer) { (void)peer; end = got; }' 'static void report(void *s) { *(int *)s = end; }' \
    'static const char *check(const struct heddle_view *v) { return *(const int *)v->state[1] == REST ? "so many" : NULL; }' \
    'const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .down = down, .state_size = sizeof(int), .report = report, .check = check};'
for got in 0 1 2; do
    for how in '--policy auto' '--strategy optimal'; do
        # shellcheck disable=SC2086
        run_cluster "$got of the rest $how" 'bug: invariant' --nodes 2 --crashes 1 --order connection $how --cflags -DREST=$got rest.c
    done
    heddle replay rest.invariant.hd
    [ $status -eq 1 ] && grep -q '^order connection' rest.invariant.hd || fail "replay: over a connection: $status $(cat out err)"
done
run_cluster 'no more than the rest' verified --nodes 2 --crashes 1 --order connection --cflags -DREST=3 rest.c
run_cluster 'none of the rest' verified --nodes 2 --crashes 1 --cflags -DREST=1 rest.c
for fault in drops duplicates partitions; do refused "$fault over connections" 'by crashes only' --$fault 1 lives.c; done
run_cluster lives-drop 'bug: invariant' --nodes 2 --crashes 1 --reboots 1 --drops 1 --order fifo lives.c

# Disks: what was not synced may be lost or kept, and torn only with a budget for it.
node disk 'static int value, lost;' \
    'static void boot(int self, int nodes) { (void)self; (void)nodes; if (heddle_read("v", &value, sizeof value) < 0) heddle_write("v", &(int){0x01010101}, sizeof value); lost = value != 0x01010101 && value != 0; }' \
    'static void message(int from, const void *d, size_t n) { (void)from; (void)d; (void)n; }' \
    'static void report(void *s) { ((int *)s)[0] = lost; ((int *)s)[1] = value; }' \
    'static const char *check(const struct heddle_view *v) { const int *s = v->state[0]; return s[0] ? "torn" : NULL; }' \
    'static const char *kept(const struct heddle_view *v) { const int *s = v->state[0]; return s[1] ? "kept" : NULL; }' \
    'const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .state_size = 2 * sizeof(int), .report = report, .check = CHECK};'
run_cluster untorn verified --nodes 1 --crashes 1 --reboots 1 --cflags -DCHECK=check disk.c
run_cluster kept 'bug: invariant' --nodes 1 --crashes 1 --reboots 1 --cflags -DCHECK=kept disk.c
run_cluster torn 'bug: invariant' --nodes 1 --crashes 1 --reboots 1 --disk-faults 1 --cflags -DCHECK=check disk.c
prints torn 'tearing the last write'

# Which of two blobs was written first does not matter afterwards.
node blobs 'static void boot(int self, int nodes) { (void)nodes; if (self) heddle_send(0, "x", 1); }' \
    'static void message(int from, const void *d, size_t n) { heddle_write(from == 1 ? "ab" : "a", d, n); heddle_sync(); }' \
    'const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message};'
run_cluster blobs verified blobs.c
grep -q 'independent at one node: 1 times' out || fail "blobs: $(cat out)"
node unsynced 'static int lost;' 'static void boot(int self, int nodes) { (void)self; (void)nodes; lost = heddle_read("a", NULL, 0) >= 0 && heddle_read("b", NULL, 0) < 0; heddle_write("a", "", 0); heddle_sync(); heddle_write("b", "", 0); }' \
    'static void message(int from, const void *d, size_t n) { (void)from; (void)d; (void)n; }' 'static void report(void *s) { *(int *)s = lost; }' \
    'static const char *check(const struct heddle_view *v) { return *(const int *)v->state[0] ? "b is lost" : NULL; }' \
    'const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .state_size = sizeof(int), .report = report, .check = check};'
run_cluster unsynced 'bug: invariant' --nodes 1 --crashes 1 --reboots 1 unsynced.c
prints unsynced 'crash, losing what was not synced'

# What clients see: a register whose copy answers too early is not one, whatever the way to search.
REGISTER=$ROOT/tests/data/cluster/register.c
for how in '--policy auto' '--policy none' '--strategy dfs' '--policy auto --next random'; do
    # shellcheck disable=SC2086
    run_cluster "register $how" verified $how "$REGISTER"
    # shellcheck disable=SC2086
    run_cluster "register, local $how" 'bug: history' $how --cflags -DLOCAL "$REGISTER"
    prints "register, local $how" 'what clients saw is not linearizable'
done
heddle replay register.history.hd
[ $status -eq 1 ] && [ "$(head -n 1 out)" = 'bug: history' ] || fail "replay: of a history: $status $(head -n 2 out err)"
refused model 'its model is not one of those' --cflags -DNOWHERE "$REGISTER"
refused model-dpor 'it has a model' --strategy dpor "$REGISTER"

# Timers: they run out only with a budget, and at the end.
node timer 'static int fired;' 'static void boot(int self, int nodes) { (void)self; (void)nodes; heddle_set_timer(2); if (!self) heddle_send(1, "x", 1); }' \
    'static void message(int from, const void *d, size_t n) { (void)from; (void)d; (void)n; heddle_clear_timer(2); }' \
    'static void timer(int t) { (void)t; fired++; }' 'static void report(void *s) { *(int *)s = fired; }' \
    'static const char *check(const struct heddle_view *v) { return *(const int *)v->state[1] ? "fired" : NULL; }' \
    'static const char *quiet(const struct heddle_view *v) { return *(const int *)v->state[0] ? NULL : "silent"; }' \
    'const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .timer = timer, .state_size = sizeof(int), .report = report, .check = check, .quiet = quiet};'
run_cluster timer verified --nodes 2 timer.c
run_cluster timeout 'bug: invariant' --nodes 2 --timeouts 1 timer.c

# At the end timers run out though messages go to and fro for ever.
node endless 'static int over;' 'static void boot(int self, int nodes) { (void)nodes; heddle_set_timer(0); if (!self) heddle_send(1, "x", 1); }' \
    'static void message(int from, const void *d, size_t n) { heddle_send(from, d, n); }' 'static void timer(int t) { (void)t; over = 1; }' \
    'static void report(void *s) { *(int *)s = over; }' \
    'static const char *quiet(const struct heddle_view *v) { return *(const int *)v->state[0] ? NULL : "never"; }' \
    'const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .timer = timer, .state_size = sizeof(int), .report = report, .quiet = quiet};'
run_cluster endless incomplete --nodes 2 --strategy random --max-executions 1 --max-events 20 endless.c

# What a node says in an event is told after it, with the state that the event leads to, and is no event itself.
node says 'static int x;' 'static void boot(int self, int nodes) { (void)nodes; if (!self) heddle_send(1, "x", 1); }' \
    'static void message(int from, const void *d, size_t n) { (void)from; (void)d; (void)n; heddle_say("so be it"); x = 1; }' \
    'static void report(void *s) { *(int *)s = x; }' \
    'static const char *check(const struct heddle_view *v) { return *(const int *)v->state[1] ? "one" : NULL; }' \
    'static void show(const void *s, char *t, size_t n) { (void)n; t[0] = (char)(48 + *(const int *)s); t[1] = 0; }' \
    'const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .state_size = sizeof(int), .report = report, .check = check, .show_state = show};'
run_cluster says 'bug: invariant' --nodes 2 says.c
prints says '[1: 1]'
prints says 'so be it'
prints says 'events: 1'

# A report that is larger than it says, a predicate that crashes, and an execution that cannot be taken back.
node large 'static void boot(int self, int nodes) { (void)self; (void)nodes; }' 'static void message(int from, const void *d, size_t n) { (void)from; (void)d; (void)n; }' \
    'static void report(void *s) { memset(s, 1, 100); }' 'static const char *check(const struct heddle_view *v) { return (const char *)*(const int *)v->state[7]; }' \
    'const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .state_size = SIZE, .report = report, .check = check};'
run_cluster large 'bug: misuse' --cflags '-w -DSIZE=8 -include string.h' large.c
prints large '`report` writes more than state_size, which is 8 bytes'
run_cluster predicate 'bug: crash' --cflags '-w -DSIZE=100 -include string.h' large.c
prints predicate 'what looks at all nodes was ended by SIGSEGV'
refused sizeless 'has a report but no state_size' --cflags '-w -DSIZE=0 -include string.h' large.c
node growing 'static int *volatile p;' 'static void boot(int self, int nodes) { (void)nodes; if (!self) heddle_send(1, "x", 1); }' \
    'static void message(int from, const void *d, size_t n) { p = malloc(400); heddle_send(from, d, n); }' \
    'const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message};'
run_cluster growing incomplete --max-events 100000 growing.c
prints growing 'an execution is too long to go back'

# Wrong use.
refused nothing 'name a protocol'
refused two 'b.c cannot be read' a.c b.c
refused nodes '--nodes takes a number from 1 to 9' --nodes 12 "$TWO"
refused order '--order takes fifo, any or connection' --order lifo "$TWO"
refused policy '--policy takes' --policy lmi,xyz "$TWO"
refused strategy '--strategy takes' --strategy bfs "$TWO"
refused next '--next takes' --next second "$TWO"
refused next-strategy '--next is for searches by --policy' --next random --strategy dfs "$TWO"
refused mark '--mark takes' --mark lmi,xyz "$TWO"
refused mark-policy '--mark looks on at --policy none' --mark auto --policy lmi "$ELECTION"
refused mark-rules 'it has no rules' --mark samc "$TWO"
refused reboots '--reboots needs --crashes' --reboots 1 "$TWO"
refused audit '--audit looks into rules' --audit --policy none "$TWO"
refused audit-auto 'there is nothing to audit' --audit "$ELECTION"
refused rules 'it has no rules' --policy samc "$TWO"
refused rules-rss 'it has no rules' --policy rss "$TWO"
refused missing 'cannot be read' nowhere.c
echo 'int x;' >empty.c
refused empty 'defines no variable heddle_protocol' empty.c
echo 'int x' >broken.c
refused broken 'does not compile' broken.c
node clock "$body" '#include <unistd.h>' 'static void message(int from, const void *d, size_t n) { (void)from; (void)d; (void)n; sleep(3); }' "$tail"
refused clock 'it calls sleep' clock.c

# `check` is asked while a cluster settles, after timers too; the run is kept though it has no step.
node settle 'static int bad;' 'static void boot(int self, int nodes) { (void)nodes; (void)self; heddle_set_timer(0); }' \
    'static void message(int from, const void *d, size_t s) { (void)from; (void)d; (void)s; }' 'static void timer(int t) { (void)t; bad = 1; }' \
    'static void report(void *s) { *(int *)s = bad; }' 'static const char *check(const struct heddle_view *v) { return *(const int *)v->state[0] ? "bad" : 0; }' \
    'static const char *quiet(const struct heddle_view *v) { return *(const int *)v->state[1] ? 0 : "not yet"; }' \
    'const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .timer = timer, .state_size = 4, .report = report, .check = check, .quiet = quiet};'
run_cluster settle 'bug: invariant' settle.c
heddle replay settle.invariant.hd
[ $status -eq 1 ] || fail "settle: replay: $status $(cat out err)"

# Whoever's timer runs out stands for election. All at once, none ever wins; one after the other, the first does.
node turns 'static int votes, leader, voted;' 'static void boot(int self, int nodes) { (void)nodes; (void)self; heddle_set_timer(0); }' \
    'static void timer(int t) { int ask = 1; if (leader) return; voted = 1; votes = 1; heddle_broadcast(&ask, sizeof ask); heddle_set_timer(t); }' \
    'static void message(int from, const void *d, size_t s) { int yes = 2; (void)s; if (*(const int *)d == 2) leader |= ++votes == heddle_nodes(); else if (!voted) { voted = 1; heddle_send(from, &yes, sizeof yes); } else voted = 0; }' \
    'static void report(void *s) { *(int *)s = leader; }' \
    'static const char *quiet(const struct heddle_view *v) { for (int i = 0; i < v->nodes; i++) if (*(const int *)v->state[i]) return 0; return "no leader"; }' \
    'const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .timer = timer, .state_size = 4, .report = report, .quiet = quiet};'
run_cluster turns verified turns.c

# A crash takes what a node has sent to itself, in every network.
node self 'static int got, boots;' \
    'static void boot(int self, int nodes) { (void)nodes; heddle_read("b", &boots, sizeof boots); boots++; heddle_write("b", &boots, sizeof boots); heddle_sync(); if (self == 0 && boots == 1) { int k = 1; heddle_send(0, &k, sizeof k); } }' \
    'static void message(int from, const void *d, size_t s) { (void)d; (void)s; (void)from; got = boots; }' 'static void report(void *s) { *(int *)s = got; }' \
    'static const char *check(const struct heddle_view *v) { return *(const int *)v->state[0] == 2 ? "a message to myself outlived my memory" : NULL; }' \
    'const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .state_size = 4, .report = report, .check = check};'
for order in fifo any connection; do
    for how in '--policy auto' '--policy none' '--strategy optimal'; do
        # shellcheck disable=SC2086
        run_cluster "self $order $how" verified --crashes 1 --reboots 1 --order $order $how self.c
    done
done

# Nodes that ask the processor's clock are found out by repetition.
node unsteady 'static unsigned n;' 'static void boot(int self, int nodes) { (void)nodes; if (!self) heddle_broadcast("x", 1); }' \
    'static void message(int from, const void *d, size_t s) { (void)from; (void)d; (void)s; n += (unsigned)__builtin_ia32_rdtsc(); }' \
    'static void report(void *s) { *(unsigned *)s = n; }' \
    'const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .state_size = 4, .report = report};'
run_cluster unsteady incomplete unsteady.c
prints unsteady 'do not always do the same'

# An observer remembers what nodes forget: both lead, one after the other, with a crash in between.
node observed 'static int leads;' 'static void boot(int self, int nodes) { (void)nodes; (void)self; }' \
    'static void message(int from, const void *d, size_t n) { (void)from; (void)d; (void)n; }' 'static void request(int n) { (void)n; leads = 1; heddle_reached("leading"); }' \
    'static void report(void *s) { *(int *)s = leads; }' \
    'static const char *check(const struct heddle_view *v) { return ((const int *)v->state[0])[0] && v->up[0] && ((const int *)v->state[1])[0] && v->up[1] ? "two leaders at once" : NULL; }' \
    'static const char *observe(const struct heddle_view *v, int node, void *memory) { unsigned *led = memory; if (node >= 0 && v->up[node] && *(const int *)v->state[node]) *led |= 1u << node; return *led == 3 ? "two have led" : NULL; }' \
    'static bool may(const void *s, int n) { (void)n; return GUARD ? *(const int *)s : 1; }' 'static const char *const goals[] = {"leading", NULL};' \
    'static const struct heddle_request requests[] = {{0, 0}, {1, 0}};' \
    'const struct heddle_protocol heddle_protocol = {.boot = boot, .message = message, .request = request, .requests = requests, .request_count = 2, .state_size = sizeof(int), .report = report, .may_request = may, .goals = goals, .never_crash = NEVER, SEEN};'
OBSERVE='.observe=observe,.observer_size=sizeof(unsigned)'
for how in '--policy auto' '--policy none' '--strategy dfs' '--next last'; do
    # shellcheck disable=SC2086
    run_cluster "observed $how" 'bug: invariant' --nodes 2 --crashes 1 $how --cflags "-DGUARD=0 -DNEVER=0 -DSEEN=$OBSERVE" observed.c
    prints "observed $how" 'two have led'
done
run_cluster unobserved 'bug: invariant' --nodes 2 --crashes 1 --cflags '-DGUARD=0 -DNEVER=0 -DSEEN=.check=check' observed.c
prints unobserved 'two leaders at once'
run_cluster guarded incomplete --nodes 2 --crashes 1 --cflags "-DGUARD=1 -DNEVER=0 -DSEEN=$OBSERVE" observed.c
prints guarded 'never reached: leading'
prints guarded 'a goal was never reached'
run_cluster spared 'bug: invariant' --nodes 2 --crashes 1 --cflags "-DGUARD=0 -DNEVER=3 -DSEEN=$OBSERVE" --json report.json observed.c
! grep -q crash out || fail "spared: $(cat out)"
refused observed-dpor 'it has an observer' --nodes 2 --strategy dpor --cflags "-DGUARD=0 -DNEVER=0 -DSEEN=$OBSERVE" observed.c

# Every story is replayed from its file: random protocols with an invariant that does not hold.
cp "$DATA/cluster/random.c" .
for seed in 3 8 14 21 40 47; do
    for order in any fifo; do
        FUZZ_SEED=$seed heddle cluster --crashes 1 --reboots 1 --drops 1 --duplicates 1 --timeouts 1 --order $order --max-executions 3000 \
            --cflags -DBROKEN random.c
        [ $status -eq 1 ] || continue
        FUZZ_SEED=$seed heddle replay random.invariant.hd
        [ $status -eq 1 ] || fail "replay: random protocol $seed, order $order: $status $(head -n 1 out err)"
    done
done

# Random protocols: the same final states whatever the way, and wrong rules are found out.
timeout 300 "$ROOT/tests/fuzz/cluster.sh" "${BUILD:-$ROOT/build}" 30 >out 2>&1 || fail "random protocols: $(tail -n 5 out)"

nothing_left all
finish
