// expect: verified
// Contexts on memory of every kind use variables of the function that made them. One of the stacks is an array on main's own stack,
// so that the context's stack pointer is above main's variables.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { SIZE = 65536 };
static char of_program[SIZE];
static _Thread_local ucontext_t caller, callee;
static _Thread_local int *given;
static _Atomic int steps;

static void body(void)
{
    int own[4] = {1, 2, 3, 4};
    *given += own[2];
    steps++;
    swapcontext(&callee, &caller);
    *given += own[3];
}

static void run_on(char *stack)
{
    int sum = 0;
    given = &sum;
    getcontext(&callee);
    callee.uc_stack.ss_sp = stack;
    callee.uc_stack.ss_size = SIZE;
    callee.uc_link = &caller;
    makecontext(&callee, body, 0);
    swapcontext(&caller, &callee);
    assert(sum == 3);
    steps++;
    swapcontext(&caller, &callee);
    assert(sum == 7);
}

static void *other(void *unused)
{
    char own[SIZE];
    run_on(own);
    return unused;
}

int main(void)
{
    char own[SIZE];
    pthread_t t;
    char *block = malloc(SIZE);
    char *mapped = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    run_on(of_program);
    run_on(block);
    run_on(mapped);
    pthread_create(&t, NULL, other, NULL);
    run_on(own);
    pthread_join(t, NULL);
    assert(steps == 10);
    munmap(mapped, SIZE);
    free(block);
    return 0;
}
