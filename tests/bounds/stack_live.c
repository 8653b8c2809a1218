// expect: verified options: --memory-errors
// Variables of callers, of main and of threads that are still there may be used by all; jumps leave frames behind.
#include <alloca.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

static jmp_buf home;

static void *raise_it(void *argument)
{
    __atomic_fetch_add((int *)argument, 1, __ATOMIC_SEQ_CST);
    return argument;
}

static int deeper(int *outer, int depth)
{
    int own = depth;
    *outer += 1;
    return depth ? deeper(depth % 2 ? &own : outer, depth - 1) + own : *outer;
}

static void leave(int *rounds)
{
    char *room = alloca(64);
    memset(room, *rounds, 64);
    if (++*rounds < 3)
        longjmp(home, room[5] + 1);
}

static int compare(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static ucontext_t first, second;
static int *seen;

static void other_side(void)
{
    int local = *seen;
    seen = &local;
    swapcontext(&second, &first);
    *seen += local;
}

int main(void)
{
    pthread_t thread[2];
    int count = 0, rounds = 0, numbers[9] = {3, 1, 2, 9, 8, 7, 6, 5, 4};
    int *volatile at = &rounds;
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, raise_it, &count);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    setjmp(home);
    leave(at);
    qsort(numbers, 9, sizeof *numbers, compare);
    getcontext(&second);
    second.uc_stack.ss_sp = malloc(65536);
    second.uc_stack.ss_size = 65536;
    second.uc_link = &first;
    makecontext(&second, other_side, 0);
    seen = &count;
    swapcontext(&first, &second);
    int there = *seen;
    seen = &count;
    swapcontext(&first, &second);
    free(second.uc_stack.ss_sp);
    return count + there + deeper(&count, 6) < 0 || numbers[8] != 9;
}
