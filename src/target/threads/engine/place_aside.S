// place_seen_first: place_number on a stack of its own. An object is seen for the first time once in a search, and what that left on the
// thread's stack would be found later in gaps of frames: the state would look like no other (state.h). All that is left is the address
// to return to, where the next call of whoever called leaves another.
    .text
    .globl place_seen_first
    .hidden place_seen_first
    .type place_seen_first, @function
place_seen_first:
    movq place_aside(%rip), %rax
    movq %rsp, -8(%rax)
    leaq -16(%rax), %rsp
    call place_number
    movq 8(%rsp), %rsp
    ret
    .size place_seen_first, . - place_seen_first
    .section .note.GNU-stack, "", @progbits
