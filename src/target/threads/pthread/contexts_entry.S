// Where the function of a context returns to: the context to go on with stands in rbx, which functions keep.

    .text
    .globl contexts_entry
    .hidden contexts_entry
    .type contexts_entry, @function
contexts_entry:
    .cfi_startproc
    .cfi_undefined rip
    movq %rbx, %rdi
    call contexts_ended
    hlt
    .cfi_endproc
    .size contexts_entry, .-contexts_entry

    .section .note.GNU-stack, "", @progbits
