// expect: verified executions=6
// Each thread goes to and fro between its own stack and that of a context: what is kept at a step is the stack it is on.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <ucontext.h>

struct routine {
    ucontext_t outside, inside;
    char stack[65536];
};

static atomic_int count;
static struct routine routines[2];
static __thread struct routine *own;

static void run(void)
{
    count++;
    swapcontext(&own->inside, &own->outside);
    count++;
}

static void *thread(void *argument)
{
    own = argument;
    getcontext(&own->inside);
    own->inside.uc_stack.ss_sp = own->stack;
    own->inside.uc_stack.ss_size = sizeof own->stack;
    own->inside.uc_link = &own->outside;
    makecontext(&own->inside, run, 0);
    swapcontext(&own->outside, &own->inside);
    swapcontext(&own->outside, &own->inside);
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, thread, &routines[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(count == 4);
}
