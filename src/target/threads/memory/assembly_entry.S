// Where instrumented inline assembly calls: it expects every register and flag as it was, and the compiler knows nothing
// of the call. The caller (build/assembly/assembly_rewrite.c) has pushed, below the red zone: the flags, rax, the address that is
// accessed, and the site. The registers are pushed after these, and the whole is the struct assembly_frame of assembly.c.

    .text

    .macro ENTER
    pushq %rbx
    pushq %rcx
    pushq %rdx
    pushq %rsi
    pushq %rdi
    pushq %rbp
    pushq %r8
    pushq %r9
    pushq %r10
    pushq %r11
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    cld
    movq %rsp, %rdi
    movq %rsp, %rbp
    .endm

    .macro LEAVE
    movq %rbp, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %r11
    popq %r10
    popq %r9
    popq %r8
    popq %rbp
    popq %rdi
    popq %rsi
    popq %rdx
    popq %rcx
    popq %rbx
    ret
    .endm

// For functions that use general registers only.
    .globl __heddle_asm
    .type __heddle_asm, @function
__heddle_asm:
    ENTER
    pushq $0 // what aligning skips is part of the thread's stack, which has to be the same in every round
    pushq $0
    leaq -8(%rbp), %rsp
    andq $-16, %rsp
    xorl %esi, %esi
    call assembly_announce
    LEAVE
    .size __heddle_asm, .-__heddle_asm

// For functions that use vector or floating-point registers as well. What is not in use is not written by xsave: zeros
// stand there, so that two looks at the same state are equal byte for byte.
    .globl __heddle_asm_vector
    .type __heddle_asm_vector, @function
__heddle_asm_vector:
    ENTER
    movl assembly_state_size(%rip), %ecx
    subq %rcx, %rsp
    andq $-64, %rsp
    movq %rdi, %rbx
    movq %rdi, %rcx
    subq %rsp, %rcx
    movq %rsp, %rdi
    shrl $3, %ecx
    xorl %eax, %eax
    rep stosq
    movl $-1, %eax
    movl $-1, %edx
    xsave64 (%rsp)
    movq %rbx, %rdi
    movq %rsp, %rsi
    call assembly_announce
    movl $-1, %eax
    movl $-1, %edx
    xrstor64 (%rsp)
    LEAVE
    .size __heddle_asm_vector, .-__heddle_asm_vector

    .section .note.GNU-stack,"",@progbits
