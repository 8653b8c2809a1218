// Where functions marked CROSSES_SWITCH (fiber.h) return: what `ret` does, as a jump. The compiler knows it by this name. Of
// the registers %rcx is neither part of a result nor one that a function has to leave as it was.
    .text
    .globl __x86_return_thunk
    .hidden __x86_return_thunk
    .type __x86_return_thunk, @function
__x86_return_thunk:
    popq %rcx
    jmpq *%rcx
    .size __x86_return_thunk, .-__x86_return_thunk

// Where a fiber begins: with nothing of heddle's in the registers that functions keep, since the first function would leave them
// on its stack, where memory is compared (audit.h).
    .globl fiber_begin
    .hidden fiber_begin
    .type fiber_begin, @function
fiber_begin:
    .cfi_startproc
    .cfi_undefined rip
    xorl %ebx, %ebx
    xorl %ebp, %ebp
    xorl %r12d, %r12d
    xorl %r13d, %r13d
    xorl %r14d, %r14d
    xorl %r15d, %r15d
    jmp thread_main
    .cfi_endproc
    .size fiber_begin, .-fiber_begin

    .section .note.GNU-stack,"",@progbits
