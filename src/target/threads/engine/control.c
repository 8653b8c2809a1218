// What the interposed C library functions need of the running thread: time, randomness, output, giving way.
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/raw.h"
#include "target/threads/memory/memory_room.h"
#include "target/threads/engine/engine.h"
#include "target/threads/engine/likeness.h"
#include "target/threads/engine/state.h"
#include "target/threads/engine/tail.h"
#include "target/threads/library/library_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/engine/yield.h"
#include "target/threads/engine/perform.h"

// A thread that does nothing but give way this often is waiting for others.
enum { PATIENCE = 50 };

uint64_t thread_now(void)
{
    if (unlikely(!engine.learnt.time_read))
        state_reads_time(engine.running);
    return engine.running->now;
}

void thread_sleep(uint64_t nanoseconds)
{
    engine.running->now += nanoseconds;
}

void thread_yield(const void *pc)
{
    struct thread *t = engine.running;
    if (t && !engine.alone && ++t->yields % PATIENCE == 0) {
        ask(t, OP_YIELD, 0, 0, pc);
        visible(t);
    }
}

uint64_t realtime_start(void)
{
    enum { NEW_YEAR = 1767225600 }; // 2026-01-01 00:00:00 UTC
    return engine.rules.calendar ? engine.rules.calendar : NEW_YEAR;
}

uint64_t *thread_random_state(void)
{
    likeness_names_itself();
    return &engine.running->random;
}

static char kept_text[1 << 16];

static PROCESS_STATE struct {
    size_t used;
    bool more; // than there is room for
} kept;

static void write_out(int fd, const char *text, size_t size)
{
    while (size) {
        long n = raw_call(SYS_write, fd, (long)text, (long)size);
        if (n <= 0)
            return;
        text += n;
        size -= (size_t)n;
    }
}

// During a search nobody wants to read what thousands of executions print, unless asked to; a recorded run shows it.
void output_write(int fd, const char *text, size_t size)
{
    if (unlikely(engine.watches_tail))
        tail_spoil();
    last_words_add(text, size);
    if (engine.record || engine.real) {
        write_out(fd, text, size);
    } else if (engine.keeps_output) {
        size_t room = sizeof kept_text - kept.used, n = size < room ? size : room;
        plain_move(kept_text + kept.used, text, n);
        kept.used += n;
        kept.more |= n < size;
    }
}

void output_forget(void)
{
    kept.used = 0;
    kept.more = false;
}

// Only when no thread runs.
void output_show(uint64_t execution)
{
    char heading[64];
    int n = snprintf(heading, sizeof heading, "--- execution %llu\n", (unsigned long long)execution);
    write_out(STDERR_FILENO, heading, (size_t)n);
    write_out(STDERR_FILENO, kept_text, kept.used);
    if (kept.more)
        write_out(STDERR_FILENO, "...\n", 4);
    else if (kept.used && kept_text[kept.used - 1] != '\n')
        write_out(STDERR_FILENO, "\n", 1);
}
