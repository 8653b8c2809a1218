// What a rank has to know to run the program, as a part of a message: the task, where the program is, and its arguments.
#ifndef MPI_ASSIGNMENT_H
#define MPI_ASSIGNMENT_H

#include "mpi/message.h"
#include "supervise/run.h"

struct assignment {
    struct task task;
    const char *where, *program; // the directory, and the path there
    uint64_t hash;               // of the program
    char **arguments;
    bool good; // it makes sense
};

void assignment_write(struct message *message, const struct subject *subject, const struct task *task, uint64_t hash);

// Good as long as the message is.
void assignment_read(struct message *message, struct assignment *assignment);
void assignment_free(struct assignment *assignment);

// Goes to the directory. Where that is not there, a sentence says so.
void assignment_go_there(const struct assignment *assignment);

#endif
