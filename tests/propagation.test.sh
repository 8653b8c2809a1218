#!/usr/bin/env bash
# Canonical traces: runs without a fault are the same wherever memory lies and whoever is first; an error is found where it went.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
subjects=$ROOT/bench/inject

# Fork and join: comparable, and the same each time. A work queue is neither.
for program in quicksort pca kmeans blackscholes swaptions; do
    heddle inject --compare --faults malloc --json report.json "$subjects/$program.c"
    jq -e '.comparable and .golden_deviates == 0 and .open_pairs == 0' report.json >/dev/null ||
        fail "$program is not comparable: $(jq -c '[.comparable, .golden_deviates, .open_pairs]' report.json)"
    jq -e 'all(.faults[]; .class == "reported" and .deviates)' report.json >/dev/null ||
        fail "$program: an allocation fails and nothing deviates"
done
# Compared as they are, with addresses in the order of the run, they deviate each time.
heddle inject --compare --naive --golden 20 --faults malloc --json report.json "$subjects/quicksort.c"
jq -e '.golden_runs == 19 and .golden_deviates == 0 and .golden_deviates_naively == 19' report.json >/dev/null ||
    fail "quicksort, compared naively: $(jq -c 'del(.faults, .kinds)' report.json)"
says 'both' 'of 19 golden runs after the first 19 deviate by addresses and order, [0-9]+ by order alone, 0 by canonical traces'
heddle inject --naive "$subjects/quicksort.c"
[ "$status" = 2 ] && [ "$(wc -l <err)" = 1 ] || fail "--naive without traces: status $status"
heddle inject --native --compare --faults create "$subjects/workqueue.c"
says 'a work queue' 'not comparable: these two may come in either order'
says 'with the pair' 'T[123]: .*next .* at .*workqueue.c:14'

# What a function writes into its frame last is seen before other functions use that memory.
cat >last.c <<'END'
#include <pthread.h>
#include <sched.h>
#include <stdio.h>

static void *work(void *unused)
{
    struct sched_param p = {0};
    pthread_setschedparam(pthread_self(), SCHED_OTHER, &p);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, work, NULL))
            return 3;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
END
for level in -O0 -O1 -O2; do
    heddle cc -g $level -pthread -o last.run last.c
    heddle inject --compare --golden 5 --faults create --json report.json ./last.run
    jq -e '.comparable and .golden_deviates == 0' report.json >/dev/null || fail "a last write, $level: $(jq -c 'del(.faults, .kinds, .by_place)' report.json)"
done

# A fault in a call that leaves no record stands in the trace itself, and a program that handles its own segmentation fault does so
# while it is traced.
cat >closed.c <<'END'
#include <stdio.h>

int main(void)
{
    FILE *file = fopen("closed.out", "w");
    fprintf(file, "a line\n");
    fclose(file);
    return 0;
}
END
heddle inject --compare --faults write --output closed.out --json report.json closed.c
jq -e '[.faults[] | select(.class == "silent corruption" and .deviates and (.fault | startswith("fclose@")))] | length == 1' report.json >/dev/null ||
    fail "a line that is lost: $(jq -c '[.faults[] | .fault, .class, .deviates]' report.json)"
cat >handled.c <<'END'
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static void handle(int signal)
{
    (void)!write(2, "no memory\n", 10);
    _exit(signal);
}

int main(void)
{
    signal(SIGSEGV, handle);
    int *p = malloc(sizeof *p);
    *p = 1;
    free(p);
    return 0;
}
END
heddle inject --compare --faults malloc --json report.json handled.c
jq -e '.faults[0].class == "reported"' report.json >/dev/null || fail "a handler: $(jq -c '.faults[0]' report.json)"

# A planted error: T1 reads another number; it reaches out[0] and, in main, total. T2 has nothing to do with it.
heddle inject --fault 'load@planted.c:10#1@T1=flip.3' --trace traces "$DATA/planted.c"
[ "$status" = 1 ] || fail "a planted error: status $status"
says 'its class' '1 silent corruption'
says 'where it begins' 'T1: another value: read in\[0\] = 1 at .*planted.c:10'
heddle trace traces/golden
[ "$status" = 0 ] || fail "a canonical trace is printed: status $status"
says 'what main did' '^main 3: join T1 at .*planted.c:20 \(main\)$'
says 'what T1 read' '^T1 0: read in\[0\] = 1 at .*planted.c:10 \(doubles\)$'
heddle trace traces/1
says 'what T1 read instead' '^T1 1: read in\[0\] = 9 at '
# What the C library allocates for the program lies elsewhere in each run. A fault that changes no memory stands in the trace.
cat >ends.c <<'END'
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
char *text;
FILE *file;
int main(void)
{
    char bytes[4];
    ssize_t n;
    if (asprintf(&text, "%d", 7) < 0 || !(file = fopen("/dev/null", "r")))
        return 1;
    while ((n = read(0, bytes, 4)) > 0)
        ;
    puts(n < 0 ? "bad" : "good");
    free(text);
    return fclose(file);
}
END
echo two >input
heddle inject --compare --faults read --every=9 --json report.json --input input ends.c
jq -e '.mode == "native" and .comparable and .golden_deviates == 0 and all(.faults[]; .deviates)' report.json >/dev/null ||
    fail "a read that fails at the end: $(jq -c '[.mode, .golden_deviates, (.faults[] | select(.deviates | not))]' report.json)"
jq -e '[.faults[] | select(.deviation == "only the fault" and .class == "silent corruption") | [.class, .records_reached]] == [["silent corruption", 0], ["silent corruption", 0]]' \
    report.json >/dev/null || fail "only the fault: $(jq -c '[.faults[] | [.fault, .class, .deviation, .records_reached]]' report.json)"
heddle trace traces
[ "$status" = 2 ] && [ "$(wc -l <err)" = 1 ] || fail "a folder that is no trace: status $status"
heddle diff traces/golden traces/golden
[ "$status" = 0 ] && [ ! -s out ] || fail "a trace and itself: status $status"
heddle diff traces/golden traces/1
[ "$status" = 1 ] || fail "two traces that differ: status $status"
grep -E '^[A-Za-z]' out >found
cat >expected <<'END'
main: another value after 7 records
T1: another value after 0 records
objects reached: 3
END
cmp -s found expected || fail "who deviates: $(diff found expected)"
says 'what was read' '> read out\[0\] = 18 at '
tail -n 3 out | sed 's/ *//' | sort | tr '\n' ' ' >found
[ "$(cat found)" = 'in[0] out[0] total ' ] || fail "what was reached: $(cat found)"
heddle diff --dot picture traces/golden traces/1
grep -q '"T1/doubles" -> "main/main" \[label="out\[0\]"\]' picture || fail 'the picture lacks the edge'
heddle diff --svg picture.svg --json - traces/golden traces/1
[ "$status" = 1 ] || fail "a picture: status $status"
jq -e '.edges == [{from_thread: "T1", from_function: "doubles", to_thread: "main", to_function: "main", objects: ["out[0]"]}]
    and ([.threads[].thread] == ["main", "T1"]) and (.objects | sort) == ["in[0]", "out[0]", "total"]' out >/dev/null || fail "as JSON: $(cat out)"
grep -q "<text[^>]*>out\[0\]</text>" picture.svg && [ "$(grep -c "class='begins'" picture.svg)" = 2 ] || fail "the picture: $(cat picture.svg)"
[ "$(grep -c '<path.*marker-end' picture.svg)" = 1 ] || fail 'the picture has other edges'

# What a fault spread to is told apart from the fault itself: the second read of this program is of no use.
cat >useless.c <<'END'
#include <stdio.h>
static int used = 1, useless = 1;
volatile int sink;
int main(void)
{
    int x = used;
    int y = useless;
    __asm__ volatile("" : : "r"(y));
    sink = x;
    printf("%d\n", sink);
    return 0;
}
END
heddle inject --compare --faults bitflip --json useless.json useless.c
[ "$(jq -r '.faults[] | select(.place | test(":[67]$")) | .place + " " + (.records_reached | tostring) + " " + .class' useless.json)" = \
    'useless.c:6 2 silent corruption
useless.c:7 0 benign' ] || fail "what a fault spread to: $(jq -c '.faults[] | [.fault, .class, .records_reached]' useless.json)"

# An error in T2 reaches other objects, and not T1.
heddle inject --fault 'load@planted.c:10#1@T2=flip.3' --trace other "$DATA/planted.c"
heddle diff other/golden other/1
says_not 'T1 has nothing to do with it' '^T1:'
says 'T2 has' '^T2: another value'

for wrong in 'traces/golden' 'traces/golden missing' 'traces/golden .' 'traces/golden traces/1 more'; do
    # shellcheck disable=SC2086
    heddle diff $wrong
    [ "$status" = 2 ] && [ "$(wc -l <err)" = 1 ] || fail "heddle diff $wrong: status $status"
done
# Random programs whose errors go a known way.
"$ROOT/tests/fuzz/planted.sh" 2 1 >said 2>&1 || fail "a planted error goes another way: $(cat said)"
nothing_left 'after traces'
finish
