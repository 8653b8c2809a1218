// expect: verified
// A context with eight arguments on a stack from malloc gives values one by one, and is left in the end by a jump to the
// thread's own stack.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <ucontext.h>

enum { STACK = 16384 };

struct generator {
    ucontext_t inside, outside;
    jmp_buf end;
    int value;
};

static atomic_int given;

static void generate(unsigned low, unsigned high, int a, int b, int c, int d, int e, int f)
{
    struct generator *g = (struct generator *)((uintptr_t)high << 32 | low);
    assert(a == 1 && b == 2 && c == 3 && d == 4 && e == 5 && f == 6);
    for (int i = 0; i < 2; i++) {
        g->value = i;
        given++;
        swapcontext(&g->inside, &g->outside);
    }
    longjmp(g->end, 7);
}

static void *thread(void *argument)
{
    struct generator *g = malloc(sizeof *g);
    char *stack = malloc(STACK);
    uintptr_t address = (uintptr_t)g;
    getcontext(&g->inside);
    g->inside.uc_stack.ss_sp = stack;
    g->inside.uc_stack.ss_size = STACK;
    g->inside.uc_link = NULL;
    makecontext(&g->inside, (void (*)(void))generate, 8, (unsigned)address, (unsigned)(address >> 32), 1, 2, 3, 4, 5, 6);
    for (int i = 0; i < 2; i++) {
        swapcontext(&g->outside, &g->inside);
        assert(g->value == i);
    }
    int answer = setjmp(g->end);
    if (!answer)
        swapcontext(&g->outside, &g->inside);
    assert(answer == 7);
    free(stack);
    free(g);
    return argument;
}

int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, thread, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(given == 4);
}
