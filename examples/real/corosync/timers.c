// The part of libqb's loop that Totem uses: timers. A node has four timers in heddle, so that two of Totem's share one where
// both mean the same to the others; which of them runs out is tried. Time stands still: nothing is late by itself.
#include <qb/qbdefs.h>
#include <qb/qbloop.h>
#include <qb/qbutil.h>
#include <string.h>

#include "node.h"

enum { TIMERS_MOST = 16 };

static struct timer {
    qb_loop_timer_handle handle; // 0: free
    unsigned milliseconds;
    qb_loop_timer_dispatch_fn expired;
    void *data;
} timers[TIMERS_MOST];
static qb_loop_timer_handle last;
static bool was_set[HEDDLE_TIMERS], is_new[HEDDLE_TIMERS];

// -1: it is of no use to let it run out. (Totem notes with it that its process was not scheduled for long.)
static int kind_of(unsigned milliseconds)
{
    switch (milliseconds) {
    case TOKEN_LOSS:
    case CONSENSUS:
        return 0;
    case RETRANSMIT:
    case HOLD:
        return 1;
    case JOIN:
        return 2;
    case MERGE:
        return 3;
    default:
        return -1;
    }
}

// Totem sleeps only if it is configured to spread its joins over time.
__attribute__((visibility("hidden"))) int usleep(unsigned microseconds)
{
    (void)microseconds;
    return 0;
}

uint64_t qb_util_nano_current_get(void)
{
    return 0;
}

int32_t qb_loop_timer_add(struct qb_loop *loop, enum qb_loop_priority priority, uint64_t nanoseconds, void *data,
                          qb_loop_timer_dispatch_fn expired, qb_loop_timer_handle *handle)
{
    (void)loop;
    (void)priority;
    unsigned milliseconds = (unsigned)(nanoseconds / QB_TIME_NS_IN_MSEC);
    int kind = kind_of(milliseconds);
    *handle = 0;
    if (kind < 0)
        return 0;
    for (int i = 0; i < TIMERS_MOST; i++) {
        if (timers[i].handle)
            continue;
        timers[i] = (struct timer){++last, milliseconds, expired, data};
        *handle = last;
        is_new[kind] = true;
        return 0;
    }
    heddle_say("too many timers");
    return -1;
}

int32_t qb_loop_timer_del(struct qb_loop *loop, qb_loop_timer_handle handle)
{
    (void)loop;
    for (int i = 0; i < TIMERS_MOST && handle; i++)
        if (timers[i].handle == handle)
            timers[i] = (struct timer){.handle = 0};
    return 0;
}

static int list(int kind, int *which)
{
    int count = 0;
    for (int i = 0; i < TIMERS_MOST; i++)
        if (timers[i].handle && kind_of(timers[i].milliseconds) == kind)
            which[count++] = i;
    return count;
}

void timers_ran_out(int kind)
{
    int which[TIMERS_MOST], count = list(kind, which);
    was_set[kind] = false;
    if (!count)
        return;
    struct timer timer = timers[which[count > 1 ? heddle_choose(count) : 0]];
    qb_loop_timer_del(NULL, timer.handle);
    timer.expired(timer.data);
}

void timers_settle(void)
{
    int which[TIMERS_MOST];
    for (int kind = 0; kind < HEDDLE_TIMERS; kind++) {
        bool set = list(kind, which);
        if (set && (is_new[kind] || !was_set[kind]))
            heddle_set_timer(kind);
        else if (!set && was_set[kind])
            heddle_clear_timer(kind);
        was_set[kind] = set;
        is_new[kind] = false;
    }
}
