#!/usr/bin/env bash
# Under control one thread runs at a time, in the order of the golden run: programs whose order varies become comparable.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
waits=$DATA/inject_waits.c

# A work queue: native runs cannot be compared, so it runs under control; there runs without a fault are the same.
heddle inject --compare --golden 30 --faults bitflip --timeout 2 --json report.json "$ROOT/bench/inject/workqueue.c"
says 'why it is under control' 'run under control, since natively these two may come in either order'
says 'with the pair' 'T[123]: .*next .* at .*workqueue.c:14'
jq -e '.mode == "controlled" and .comparable and .golden_deviates == 0 and .golden_departed == 0 and .outside == 0' report.json >/dev/null ||
    fail "a work queue under control: $(jq -c 'del(.faults, .kinds)' report.json)"
jq -e '[.faults[] | select(.class == "silent corruption" or .class == "crash") | .deviates] | length > 0 and all' report.json >/dev/null ||
    fail 'a wrong result without a deviation'
heddle inject --native --compare --faults create "$ROOT/bench/inject/workqueue.c"
says 'natively' 'not comparable: these two may come in either order'
jq -e '.pair_certain or .no_solver' report.json >/dev/null || fail "no solver was asked: $(jq -c 'del(.faults, .kinds, .by_place)' report.json)"

# Every way to wait, with both compilers. A fault that changes nothing for others is seen in its thread alone.
for compiler in gcc clang; do
    command -v "$compiler" >/dev/null || continue
    for level in -O0 -O2; do
        export HEDDLE_CC=$compiler
        heddle inject --controlled=3 --compare --golden 10 --faults malloc --json report.json --cflags "$level" "$waits"
        [ "$status" = 0 ] || fail "$compiler $level: status $status"
        jq -e '.comparable and .golden_deviates == 0 and .schedule_followed == 3' report.json >/dev/null ||
            fail "$compiler $level: $(jq -c 'del(.faults, .kinds)' report.json)"
        jq -e 'all(.faults[]; .class == "benign" and .deviates and .threads_reached == 1)' report.json >/dev/null ||
            fail "$compiler $level: $(jq -c '[.faults[] | [.fault, .class, .threads_reached]]' report.json)"
        heddle inject --controlled=3 --faults malloc --cflags "$level" "$waits" -- forget
        [ "$status" = 1 ] || fail "$compiler $level: a lock is forgotten: status $status"
        says "$compiler $level: it is known at once" '=ENOMEM  hang \(its threads wait for each other\)'
    done
done
unset HEDDLE_CC

# Another seed is another schedule, the same seed the same one; a program that was not built by heddle has one, too.
gcc -g -pthread -o plain "$waits"
for seed in 1 1 2; do
    heddle inject --controlled=$seed --fault 'malloc@inject_waits.c:59#1@T1=ENOMEM' --json - ./plain
    jq .schedule_turns out
    heddle replay 'malloc@inject_waits.c:59#1@T1=ENOMEM' --controlled=$seed ./plain
    head -n 1 out
done >schedules
[ "$(sed -n 1,2p schedules)" = "$(sed -n 3,4p schedules)" ] || fail "one seed has two schedules: $(cat schedules)"
[ "$(sed -n 2p schedules)" != "$(sed -n 6p schedules)" ] || fail "two seeds have one schedule: $(cat schedules)"

# A delay is time that others run in, and calls that wait in the kernel are told.
heddle inject --controlled --faults delay,timeout,interrupt "$waits"
says 'time-outs, delays and interruptions' 'interrupt  '
cat >pipe.c <<'END'
#include <pthread.h>
#include <unistd.h>
#include <stdlib.h>
static int ends[2];
static void *reads(void *unused)
{
    char c;
    if (read(ends[0], &c, 1) != 1)
        abort();
    return unused;
}
int main(void)
{
    pthread_t thread;
    if (pipe(ends) || pthread_create(&thread, NULL, reads, NULL))
        return 1;
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    for (int i = 0; i < 20; i++) {
        pthread_mutex_lock(&lock);
        pthread_mutex_unlock(&lock);
    }
    if (write(ends[1], "x", 1) != 1)
        return 1;
    return pthread_join(thread, NULL);
}
END
heddle inject --controlled --faults create --golden 2 pipe.c
says 'a read that waits for another thread' 'threads blocked [0-9]+ times in calls that are not under control'
# Threads that are cancelled while they wait: nobody waits for ever.
cat >cancel.c <<'END'
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t nothing;
static void gives_back(void *unused)
{
    (void)unused;
    pthread_mutex_unlock(&lock);
}
static void *waits(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(gives_back, NULL);
    for (;;)
        pthread_cond_wait(&never, &lock);
    pthread_cleanup_pop(1);
    return unused;
}
static void *takes(void *unused)
{
    free(malloc(8));
    while (!sem_wait(&nothing))
        ;
    return unused;
}
static void *sleeps(void *unused)
{
    for (;;)
        sleep(1);
    return unused;
}
int main(void)
{
    void *(*const work[])(void *) = {waits, takes, sleeps};
    pthread_t thread[3];
    void *result;
    int cancelled = 0;
    sem_init(&nothing, 0, 0);
    for (int i = 0; i < 3; i++)
        if (pthread_create(&thread[i], NULL, work[i], NULL))
            return 3;
    for (int i = 0; i < 3; i++) {
        pthread_cancel(thread[i]);
        pthread_join(thread[i], &result);
        cancelled += result == PTHREAD_CANCELED;
    }
    printf("%d\n", cancelled);
    return 0;
}
END
for seed in 1 2 3 4 5; do
    heddle replay 'malloc@cancel.c:27#1@T2=ENOMEM' --timeout 5 --controlled=$seed cancel.c
    case $status in 0) says "threads that are cancelled, $seed" '^3$' ;; 2) grep -q 'no such call' err ;; *) false ;; esac || fail "threads that are cancelled, $seed: status $status"
done
# A thread that was cancelled before it began ends in its own turn; one that computes for ever, or tests in circles whether it is
# cancelled, lets the others go on; and a signal may come from outside.
cat >circles.c <<'END'
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
static volatile long n;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *computes(void *unused)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    for (;;)
        n++;
    return unused;
}
static void *tests(void *unused)
{
    for (;;)
        pthread_testcancel();
    return unused;
}
static void *pauses(void *unused)
{
    pause();
    return unused;
}
int main(void)
{
    void *(*const work[])(void *) = {computes, tests, pauses, pauses};
    pthread_t thread[4];
    void *result;
    int cancelled = 0;
    for (int i = 0; i < 4; i++)
        if (pthread_create(&thread[i], NULL, work[i], NULL))
            return 3;
    usleep(10);
    pthread_mutex_lock(&lock);
    for (int i = 0; i < 4; i++) {
        pthread_cancel(thread[i]);
        pthread_join(thread[i], &result);
        cancelled += result == PTHREAD_CANCELED;
    }
    pthread_mutex_unlock(&lock);
    printf("%d\n", cancelled);
    return 0;
}
END
for seed in 1 7; do
    heddle inject --controlled=$seed --compare --golden 4 --faults delay --timeout 20 --json report.json circles.c
    jq -e '.golden_deviates == 0 and all(.faults[]; .class == "benign")' report.json >/dev/null || fail "circles, $seed: status $status: $(cat err) $(jq -c '[.golden_deviates, .faults]' report.json)"
done
cat >alarm.c <<'END'
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
static void *waits(void *set)
{
    int signal;
    return sigwait(set, &signal) || signal != SIGALRM ? set : NULL;
}
int main(void)
{
    sigset_t set;
    pthread_t thread;
    void *result = &set;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    if (!malloc(8) || pthread_create(&thread, NULL, waits, &set))
        return 1;
    setitimer(ITIMER_REAL, &(struct itimerval){.it_value = {.tv_usec = 50000}}, NULL);
    pthread_join(thread, &result);
    return result != NULL;
}
END
heddle inject --controlled --golden 2 --faults malloc --timeout 20 alarm.c
says 'a signal that the system sends' '1 fault in alarm.c: 1 reported'
# Threads of C11; signals, whose handlers run in the thread's own turn, and asynchronous cancellation.
for program in c11 signals; do
    for seed in 1 2 3; do
        heddle inject --controlled=$seed --compare --golden 8 --faults delay --timeout 20 --json report.json "$DATA/inject_$program.c"
        [ "$status" -lt 2 ] || fail "$program, $seed: status $status"
        jq -e '.comparable and .golden_deviates == 0 and .golden_departed == 0 and .outside == 0' report.json >/dev/null ||
            fail "$program, $seed: $(jq -c 'del(.faults, .kinds, .by_place)' report.json)"
    done
done
heddle inject --native --compare --faults create --json report.json "$DATA/inject_c11.c"
jq -e '[.faults[].fault | select(startswith("thrd_create@"))] | length > 0' report.json >/dev/null || fail 'thrd_create is given no fault'
heddle inject --controlled --faults timeout,delay "$DATA/inject_c11.c"
says 'faults of C11 calls' 'inject_c11.c:39 cnd_timedwait work'
says 'delays before C11 locks' 'mtx_lock@inject_c11.c'
# A thread may take long to end in the kernel: whoever joins it sleeps there, and keeps its turn.
if strace -f -o /dev/null -e trace=exit -e inject=exit:delay_enter=1 true 2>/dev/null; then
    rm -f report.json
    timeout 300 strace -f -o /dev/null -e trace=exit -e inject=exit:delay_enter=450000 "$HEDDLE" inject --controlled=1 --compare --golden 3 --faults create \
        --json report.json "$ROOT/bench/inject/workqueue.c" >out 2>err
    status=$?
    jq -e '.outside == 0 and .golden_departed == 0' report.json >/dev/null ||
        fail "threads that are slow to leave: status $status: $(jq -c '[.outside, .golden_departed]' report.json) $(cat out err)"
fi
heddle inject --controlled=x pipe.c
[ "$status" = 2 ] && [ "$(wc -l <err)" = 1 ] || fail "no seed: status $status"
nothing_left 'after runs under control'
finish
