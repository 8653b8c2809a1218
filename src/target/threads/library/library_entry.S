// Where a call of a library's function goes first that heddle stands in front of without defining it (library_calls.c): it is
// announced, and goes on to the function with all arguments as they were. Each such function has a stub that has pushed its
// number. The whole is the struct library_frame of library_calls.c.

    .text
    .globl library_entry
    .hidden library_entry
    .type library_entry, @function
library_entry:
    pushq %rax // of a variadic call: how many vector registers are used
    pushq %r10
    pushq %r11
    pushq %r9
    pushq %r8
    pushq %rcx
    pushq %rdx
    pushq %rsi
    pushq %rdi
    subq $136, %rsp
    movups %xmm0, (%rsp)
    movups %xmm1, 16(%rsp)
    movups %xmm2, 32(%rsp)
    movups %xmm3, 48(%rsp)
    movups %xmm4, 64(%rsp)
    movups %xmm5, 80(%rsp)
    movups %xmm6, 96(%rsp)
    movups %xmm7, 112(%rsp)
    leaq 136(%rsp), %rdi
    call library_announce
    movq %rax, 208(%rsp) // where its number stood: the function itself
    movups (%rsp), %xmm0
    movups 16(%rsp), %xmm1
    movups 32(%rsp), %xmm2
    movups 48(%rsp), %xmm3
    movups 64(%rsp), %xmm4
    movups 80(%rsp), %xmm5
    movups 96(%rsp), %xmm6
    movups 112(%rsp), %xmm7
    addq $136, %rsp
    popq %rdi
    popq %rsi
    popq %rdx
    popq %rcx
    popq %r8
    popq %r9
    popq %r11
    popq %r10
    popq %rax
    ret
    .size library_entry, .-library_entry

    .section .note.GNU-stack,"",@progbits
