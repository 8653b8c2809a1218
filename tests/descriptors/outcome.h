// How a test program tells which of its final states it came to. Compiled with -DOUTCOMES each state is a failure of its
// own, so that `heddle check --keep-going` lists the states that a search has seen.
#ifndef OUTCOME_H
#define OUTCOME_H

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef OUTCOMES
#define STATE(n)                                                                                                       \
    case n: assert(!"outcome " #n); break;
#define TEN(n) STATE(n##0) STATE(n##1) STATE(n##2) STATE(n##3) STATE(n##4) STATE(n##5) STATE(n##6) STATE(n##7) STATE(n##8) STATE(n##9)
#define FIRST STATE(0) STATE(1) STATE(2) STATE(3) STATE(4) STATE(5) STATE(6) STATE(7) STATE(8) STATE(9)
static void outcome(int n)
{
    switch (n) {
        FIRST TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) TEN(7) TEN(8) TEN(9)
    default: assert(!"outcome beyond 99");
    }
}
#else
static void outcome(int n) { (void)n; }
#endif

// A call that has to fail in this way.
#define FAILS(call, error)                                                                                             \
    do {                                                                                                               \
        errno = 0;                                                                                                     \
        assert((call) == -1);                                                                                          \
        assert(errno == (error));                                                                                      \
    } while (0)

static pthread_t start(void *(*function)(void *))
{
    pthread_t t;
    assert(!pthread_create(&t, NULL, function, NULL));
    return t;
}

static void join(pthread_t t) { assert(!pthread_join(t, NULL)); }

#endif
