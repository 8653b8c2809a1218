// expect: verified
// A program that switches stacks by assembly of its own, to one that lies above those of all threads.
#include <assert.h>
#include <stddef.h>
#include <sys/mman.h>

enum { SIZE = 65536, SAVED = 6 };

void change(void **from, void *to);
__asm__(".text\n.globl change\n.type change, @function\nchange:\n"
        "push %rbx\npush %rbp\npush %r12\npush %r13\npush %r14\npush %r15\n"
        "movq %rsp, (%rdi)\nmovq %rsi, %rsp\n"
        "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbp\npop %rbx\nret\n.size change, .-change\n");

static void *caller, *callee;
static int *given;

static void body(void)
{
    for (;;) {
        int own[4] = {1, 2, 3, 4};
        *given += own[1];
        change(&callee, caller);
    }
}

int main(void)
{
    int sum = 0;
    char *stack = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void **top = (void **)(stack + SIZE - 64);
    *--top = 0;
    *--top = (void *)body;
    for (int i = 0; i < SAVED; i++)
        *--top = 0;
    callee = top;
    given = &sum;
    change(&caller, callee);
    change(&caller, callee);
    assert(sum == 4);
    munmap(stack, SIZE);
    return 0;
}
