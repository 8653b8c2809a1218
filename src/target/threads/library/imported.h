// Which calls the program has in it, where that decides what heddle has to follow.
//
// They are looked up before the first execution; libraries that the program opens are open by then (dynamic.h). A look-up in the
// middle of an execution would leave addresses on the stack of whoever asks first, and equal stacks would look different.
#ifndef TARGET_IMPORTED_H
#define TARGET_IMPORTED_H

#include <stdbool.h>

struct imported {
    bool cancel;       // pthread_cancel
    bool key_deletion; // pthread_key_delete, tss_delete
    bool identity;     // calls that ask for the name, the priority or the processors of a thread
    bool kill;         // pthread_kill
    bool stream_locks; // flockfile and its like
    bool binds;        // sockets to names, which may be paths
    bool pipes;        // calls by which something can be written that nobody reads
};

extern struct imported imported;

void imported_find(void);

#endif
