// What the threads of a process group are doing at the moment, all processes of it together.
#ifndef INJECT_GROUP_LOOK_H
#define INJECT_GROUP_LOOK_H

#include <stdbool.h>
#include <sys/types.h>

struct group_look {
    bool runs;      // one of them runs, or would if it got a processor
    double seconds; // that they have computed for
};

struct group_look group_look(pid_t group);

#endif
