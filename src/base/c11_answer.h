// The answers of C11's <threads.h>, whose calls are those of pthread up to that.
#ifndef BASE_C11_ANSWER_H
#define BASE_C11_ANSWER_H

#include <errno.h>
#include <threads.h>

static inline int c11_answer(int error)
{
    switch (error) {
    case 0:
        return thrd_success;
    case EBUSY:
        return thrd_busy;
    case ENOMEM:
        return thrd_nomem;
    case ETIMEDOUT:
        return thrd_timedout;
    default:
        return thrd_error;
    }
}

#endif
