#include "mpi/assignment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"

void assignment_write(struct message *message, const struct subject *subject, const struct task *task, uint64_t hash)
{
    char where[4096] = "/";
    size_t arguments = 0;
    message_add(message, task, sizeof *task);
    message_add_text(message, getcwd(where, sizeof where) ? where : "/");
    message_add_text(message, subject->program);
    message_add_number(message, hash);
    while (subject->arguments && subject->arguments[arguments])
        arguments++;
    message_add_number(message, arguments);
    for (size_t i = 0; i < arguments; i++)
        message_add_text(message, subject->arguments[i]);
}

void assignment_read(struct message *message, struct assignment *a)
{
    size_t length;
    const char *task = message_next(message, &length);
    *a = (struct assignment){.good = task && length == sizeof a->task};
    if (a->good)
        memcpy(&a->task, task, sizeof a->task);
    a->where = message_next_text(message);
    a->program = message_next_text(message);
    a->hash = message_next_number(message);
    uint64_t arguments = message_next_number(message);
    a->arguments = alloc_zeroed(arguments + 1, sizeof *a->arguments);
    for (uint64_t i = 0; i < arguments; i++)
        a->arguments[i] = (char *)(uintptr_t)message_next_text(message);
}

void assignment_free(struct assignment *a)
{
    free(a->arguments);
}

void assignment_go_there(const struct assignment *a)
{
    if (chdir(a->where))
        fprintf(stderr, "heddle-mpi: there is no %s here; the program runs elsewhere\n", a->where);
}
