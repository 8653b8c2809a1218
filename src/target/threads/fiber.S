// Switching stacks. Everything the ABI lets a callee change is dead at a call, so six registers and the stack pointer
// are a thread's whole state; the control words of the floating-point units are the same everywhere.
    .text
    .globl  fiber_switch
    .hidden fiber_switch
    .type   fiber_switch, @function
fiber_switch:
    pushq   %rbp
    pushq   %rbx
    pushq   %r12
    pushq   %r13
    pushq   %r14
    pushq   %r15
    movq    %rsp, (%rdi)
    movq    %rsi, %rsp
    popq    %r15
    popq    %r14
    popq    %r13
    popq    %r12
    popq    %rbx
    popq    %rbp
    ret
    .size   fiber_switch, .-fiber_switch
    .section .note.GNU-stack,"",@progbits
