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

    .section .note.GNU-stack,"",@progbits
