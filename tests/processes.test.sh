#!/usr/bin/env bash
# Processes that the program forks and that share memory with it are explored like threads.
. "$(dirname "${BASH_SOURCE[0]}")/data/common.sh"
programs=$ROOT/tests/processes

# Right and wrong twins, as every compiler makes them.
for source in "$programs"/*.c; do
    name=$(basename "$source" .c)
    kind=$(sed -n '1s,^// wrong: \([a-z-]*\)\..*,\1,p' "$source")
    [ -n "$kind" ] || continue
    for how in "gcc -O0" "clang -O2"; do
        compiler=${how% *} level=${how#* }
        command -v "$compiler" >/dev/null || continue
        for wrong in 0 1; do
            HEDDLE_CC=$compiler heddle cc -g "$level" -DWRONG=$wrong "$source" -o "$name" -pthread || fail "$name does not compile"
            check --strategy optimal --explain 0 "./$name"
            [ $wrong = 1 ] && expect "$name, wrong, $how" bug "$kind" || expect "$name, $how" verified
        done
    done
done

# Every kind of lock that is not for several processes; in the two copies of one process's memory they are two locks.
for kind in 1 2 3 4; do
    for wrong in 0 1; do
        heddle cc -g -DKIND=$kind -DWRONG=$wrong "$programs/unshared_kinds.c" -o kinds -pthread
        check --strategy optimal --explain 0 ./kinds
        [ $wrong = 1 ] && expect "unshared, kind $kind" bug lock-misuse || expect "shared, kind $kind" verified
    done
done
check "$programs/unshared_copies.c"
expect 'copies of locks' verified

# As threads and as processes the same programs do the same.
for wait in 0 1; do
    heddle cc -g -DTHREADS=0 -DWAIT_ANY_ONE=$wait "$programs/random.c" -o processes -pthread
    heddle cc -g -DTHREADS=1 -DWAIT_ANY_ONE=$wait "$programs/random.c" -o threads -pthread
    for seed in 1 2 3 4 5; do
        check --strategy optimal --output all ./processes -- $seed
        expect "processes, seed $seed" verified
        grep '^x' err | sort -u >of_processes
        check --strategy optimal --output all ./threads -- $seed
        grep '^x' err | sort -u >of_threads
        [ -s of_threads ] && cmp -s of_threads of_processes ||
            fail "seed $seed: threads print $(cat of_threads), processes $(cat of_processes)"
    done
done

# Every strategy, and more workers.
heddle cc -g -DWRONG=1 "$programs/update.c" -o update -pthread
heddle cc -g -DWRONG=0 "$programs/signal.c" -o signal -pthread
for strategy in dpor rf dfs bounded states; do
    check --strategy $strategy --explain 0 ./update
    expect "update by $strategy" bug assertion
    check --strategy $strategy ./signal
    expect "signal by $strategy" verified
done
check -j 2 ./signal
expect 'two workers' verified
check ./update
heddle replay update.assertion.hd
tells 'the failure is repeated' 'still fails: assertion'
tells 'processes have their number' 'T1 \(process 5001\)'

# What is not followed in such a process is named.
cat >pipe.c <<'END'
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
    int ends[2];
    mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (pipe(ends) || !fork())
        return (int)write(ends[1], "x", 1);
    wait(NULL);
}
END
check pipe.c
expect 'a pipe between processes' incomplete
tells 'a pipe between processes' 'uses a pipe, socket or the like'
sed 's/mmap(NULL.*//' pipe.c >alone.c
check alone.c
expect 'a process that shares no memory' verified
tells 'a process that shares no memory' 'run on their own'
for call in 'execl("/bin/true", "true", (char *)0)' 'execvp("true", (char *[]){"true", 0})' 'execle("/bin/true", "true", (char *)0, (char *[]){0})'; do
    sed -e "s|return (int)write.*|return $call;|" -e 's/pipe(ends) || //' -e 's/int ends.*//' pipe.c >program.c
    check program.c
    expect "a process that becomes another program ($call)" incomplete
    tells "a process that becomes another program ($call)" 'starts another program'
    sed 's/mmap(NULL.*//' program.c >alone.c
    check alone.c
    expect "another program alone ($call)" verified
    sed 's/!fork()/1/' alone.c >itself.c
    check itself.c
    expect "the program itself becomes another ($call)" incomplete
    tells "the program itself becomes another ($call)" "the program calls ${call%%(*}"
done

# A process that computes for longer than one may wait in a call does not wait. The processor's own counter tells the time.
cat >computes.c <<'END'
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
int main(void)
{
    mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!fork()) {
        struct timespec now, end;
        for (end.tv_sec = 0;; end.tv_sec += !end.tv_sec ? now.tv_sec + 4 : 0) {
            long number = 228 /* clock_gettime, as the kernel has it */, result;
            __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(CLOCK_MONOTONIC), "S"(&now) : "rcx", "r11", "memory");
            if (end.tv_sec && now.tv_sec >= end.tv_sec)
                _exit(0);
        }
    }
    wait(NULL);
}
END
check --max-executions 1 --time 60 computes.c
! grep -q 'waits in' out || fail "a process that computes: $(grep 'waits in' out)"

# What is shared is called a mapping.
heddle cc -g -DWRONG=1 "$programs/unshared_kinds.c" -o kinds -pthread
check --explain 0 ./kinds
tells 'a mapping' 'mapping1\.sem'
tells 'a mapping' 'mapping1: .* from mmap at'
finish
