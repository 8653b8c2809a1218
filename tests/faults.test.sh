#!/usr/bin/env bash
# Calls that fail are choices of the search: found, shown, repeated, and no more of them than asked for.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"

check --fault malloc:1 "$CASES/fault_deadlock.c"
expect 'a lock kept for want of memory' bug deadlock
says 'the fault is a step' 'malloc fails: ENOMEM ◀ decisive'
says 'and the one that decides' 'decisive: *event 1: T1, malloc fails: ENOMEM at'
heddle replay fault_deadlock.deadlock.hd
[ "$status" = 1 ] || fail "a schedule with a fault: status $status"
says 'the schedule keeps the fault' 'malloc fails: ENOMEM'
grep -q '^fault malloc:1$' fault_deadlock.deadlock.hd || fail 'the schedule does not say which calls may fail'
sed -i 's/^fault .*/fault malloc:none/' fault_deadlock.deadlock.hd
heddle replay fault_deadlock.deadlock.hd
[ "$status" = 2 ] || fail "a schedule with faults that make no sense: status $status"

check "$CASES/fault_deadlock.c"
expect 'nothing fails unless it is asked for' verified

# Two places in each of two threads: every single fault, and every pair.
for n in 1:5 2:11 3:15 4:16; do
    check --strategy optimal --fault "malloc:${n%:*}" "$DATA/four_allocations.c"
    expect "at most ${n%:*} faults of four" verified
    [ "$(field executions)" = "${n#*:}" ] || fail "at most ${n%:*} faults of four: $(field executions) executions"
done
check -j 2 --strategy optimal --fault malloc:2 "$DATA/four_allocations.c"
[ "$(field executions)" = 11 ] || fail "two workers: $(field executions) executions"

# In C++, new throws or returns null; a deadlock follows where nobody lets go of the lock.
cat >new.cpp <<'END'
#include <mutex>
#include <new>
#include <thread>
static std::mutex lock;
static void add()
try {
#ifdef WRONG
    lock.lock();
#else
    std::lock_guard<std::mutex> held(lock);
#endif
    int *volatile slot = new int(3);
    delete slot;
    int *volatile slots = new (std::nothrow) int[2];
    if (slots)
        slots[1] = 1;
    delete[] slots;
#ifdef WRONG
    lock.unlock();
#endif
} catch (const std::bad_alloc &) {
}
int main()
try {
    std::thread other(add);
    add();
    other.join();
} catch (const std::bad_alloc &) {
}
END
check --leaks --fault malloc:1 new.cpp
expect 'new that finds no memory, and all are ready for that' verified
check --fault malloc:1 --cflags -DWRONG new.cpp
expect 'new throws while a lock is held' bug deadlock
says 'new is what fails' 'new\.cpp:[0-9]+ +new fails: ENOMEM'

# A deadlock that needs no fault is shown without one.
for seed in 1 2 3; do
    check --fault malloc:2 --strategy random --seed "$seed" "$DATA/fault_not_needed.c"
    expect 'a deadlock without faults' bug deadlock
    says_not 'no fault that is not needed' 'malloc fails'
done

for list in malloc:x mallo read=ENOMEM malloc:999 malloc, ''; do
    heddle check --fault "$list" "$CASES/fault_deadlock.c"
    [ "$status" = 2 ] && [ "$(wc -l <err)" = 1 ] || fail "--fault $list: status $status"
done
printf 'int main(void)\n{\n    int n = 0;\n#pragma omp parallel reduction(+ : n) num_threads(2)\n    n++;\n    return n != 2;\n}\n' >openmp.c
check --cflags -fopenmp --fault malloc:1 openmp.c
expect 'faults in a program with OpenMP, whose runtime would give up' incomplete
heddle check --only races --fault malloc:1 "$CASES/fault_deadlock.c"
[ "$status" = 2 ] || fail "--only races with --fault: status $status"

heddle lin --fault malloc:1 --total 3 --grow 0 "$DATA/sized_stack.c"
[ "$status" = 0 ] || fail "a stack that keeps its size: status $status"
heddle lin --total 3 --grow 0 --cflags -DWRONG "$DATA/sized_stack.c"
[ "$status" = 0 ] || fail "a stack that never fails: status $status"
heddle lin --fault malloc:1 --total 3 --cflags -DWRONG "$DATA/sized_stack.c"
[ "$status" = 1 ] || fail "a stack that shows a push that fails: status $status"
says 'the call that fails' 'malloc fails: ENOMEM'
heddle lin --match --fault malloc:1 "$DATA/sized_stack.c"
[ "$status" = 2 ] || fail "--match with --fault: status $status"
finish
