// Switching stacks.
//
// A parked thread's state is what stands on its stack: the address to go on at, and the frame pointer. Everything else is
// declared as overwritten, so that the compiler keeps what it needs in the frame of the function that switches. There is
// no call and no return: a return to another stack's frame would always be predicted wrongly. floats.h has the
// floating-point environment.
#ifndef TARGET_FIBER_H
#define TARGET_FIBER_H

#include <stdint.h>

// For functions that contain a switch: they return by a jump (fiber_return.S). The processor foresees where a `ret` goes by
// remembering calls; here the last ones it remembers were made on another stack, and it would be wrong each time.
#if __has_attribute(function_return)
#define CROSSES_SWITCH __attribute__((function_return("thunk-extern")))
#else
#define CROSSES_SWITCH
#endif

// For the program's first function: what heddle left in registers that functions keep would stay there until the program
// uses them, and a loop look different in its first round (spin.c).
static inline __attribute__((always_inline)) void fiber_clear_registers(void)
{
    __asm__ volatile("xorl %%ebx, %%ebx\n\txorl %%r12d, %%r12d\n\txorl %%r13d, %%r13d\n\t"
                     "xorl %%r14d, %%r14d\n\txorl %%r15d, %%r15d"
                     :
                     :
                     : "rbx", "r12", "r13", "r14", "r15", "cc");
}

// Clears the stack right below where it ends now. (No function of heddle's keeps anything there: -mno-red-zone.)
static inline __attribute__((always_inline)) void fiber_clear_below(void)
{
    uint64_t words = 64;
    void *from;
    __asm__ volatile("leaq -512(%%rsp), %[from]\n\t"
                     "rep stosq"
                     : [from] "=&D"(from), "+c"(words)
                     : "a"(0ul)
                     : "memory", "cc");
}

// The first address on the stack of a new fiber; goes on in thread_main (thread.c).
__attribute__((visibility("hidden"))) void fiber_begin(void);

// Leaves the current stack pointer in *save and goes on at `load`: where another switch left it, or in a function whose
// address stands there.
static inline __attribute__((always_inline)) void fiber_switch(void **save, void *load)
{
    __asm__ volatile("pushq %%rbp\n\t"
                     "leaq 1f(%%rip), %%rax\n\t"
                     "pushq %%rax\n\t"
                     "movq %%rsp, (%[save])\n\t"
                     "movq %[load], %%rsp\n\t"
                     "popq %%rax\n\t"
                     "jmpq *%%rax\n"
                     "1:\n\t"
                     "popq %%rbp\n\t"
                     : [save] "+D"(save), [load] "+S"(load)
                     :
                     : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1",
                       "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12",
                       "xmm13", "xmm14", "xmm15", "cc", "memory");
}

#endif
