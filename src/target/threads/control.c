// What the interposed C library functions need of the running thread: time, randomness, output, giving way.
#include <sys/syscall.h>

#include "base/raw.h"
#include "target/threads/access.h"
#include "target/threads/engine.h"
#include "target/threads/output.h"
#include "target/threads/yield.h"

// A thread that does nothing but give way this often is waiting for others.
enum { PATIENCE = 50 };

uint64_t thread_now(void)
{
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

uint64_t *thread_random_state(void)
{
    return &engine.running->random;
}

// During a search nobody wants to read what thousands of executions print; a recorded run shows it.
void output_write(int fd, const char *text, size_t size)
{
    if (!engine.record && !engine.real)
        return;
    while (size) {
        long n = raw_call(SYS_write, fd, (long)text, (long)size);
        if (n <= 0)
            return;
        text += n;
        size -= (size_t)n;
    }
}
