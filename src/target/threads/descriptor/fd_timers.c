// timerfd: timers that are read like other descriptors.
//
// Whether a timer has expired when a thread looks at it is the search's choice, whatever its length, as whether a time-out runs
// out is; with these exceptions. It has expired for a thread that set it itself and whose own clock is past its time. Of
// timers that one thread set, those that come earlier have expired if a later one has. And a call that waits for nothing else
// waits until one expires. So the choice belongs to the call that looks, and a timer that is set needs no event until then.
//
// Clocks of different threads cannot be compared: a thread that looks at another's timer may always find it either way. One
// that repeats and is read by another thread is from then on nobody's.
//
// An expiry lasts until it is read, and a timer that repeats goes on only then, as in the kernel. How often it has expired
// by then is told by the clock of the thread that set it, and is once for others.
//
// A loop that asks again and again whether a timer has expired comes to the answer yes, and one that takes expiries as
// fast as it can finds none left. A circle in which that does not happen could not go on for ever: it is gone round once
// more, with the other answer (timers_go_round).
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/timerfd.h>
#include <time.h>

#include "base/mem.h"
#include "target/threads/descriptor/timers.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/library/library_room.h"
#include "target/threads/libc/libc_room.h"

enum { TIMERS = 256, MOST_SEEN = 8 };

#define SECOND (uint64_t)1000000000
#define FOREVER ((uint64_t)1 << 62)

struct timer {
    uint32_t armed;   // it will expire, or has and was not read
    uint32_t expired; // somebody found it so
    uint32_t setter;  // actor + 1, or 0: nobody's clock tells when it expires
    uint32_t calendar;
    uint64_t length, period; // as it was set
};

static struct {
    struct timer *list;
    uint64_t *due; // of each, by the clock of who set it
    uint64_t count;
} all_timers;

static struct timer *timer_of(const struct file *f)
{
    return &all_timers.list[f->timer - 1];
}

static uint64_t *due_of(const struct file *f)
{
    return &all_timers.due[f->timer - 1];
}

static void keep_timer(const struct file *f)
{
    undo_save(&engine.undo, timer_of(f), sizeof(struct timer));
    undo_save_word(&engine.undo, due_of(f));
}

bool timer_has_expired(const struct file *f)
{
    return timer_of(f)->expired;
}

// ---- looking ----

// What a call would find of the timers that it looks at.
struct look {
    struct thread *t;
    struct file *sure[MOST_SEEN], *perhaps[MOST_SEEN]; // the latter with the earliest first
    uint32_t sure_count, perhaps_count;
    bool waits;    // at least one has expired: the call waits for nothing else
    uint32_t must; // those that have, since the thread went round without them
};

static uint64_t timer_bit(const struct file *f)
{
    return 1ull << ((f->timer - 1) % 64);
}

static bool is_own(const struct look *look, const struct file *f)
{
    return timer_of(f)->setter == look->t->actor + 1;
}

static void look_at(struct file *f, void *to)
{
    struct look *look = to;
    if (f->kind != FILE_TIMER || !timer_of(f)->armed || timer_of(f)->expired)
        return;
    if (look->sure_count == MOST_SEEN || look->perhaps_count == MOST_SEEN) {
        cannot_follow("the program waits for more timers at a time than heddle follows (8)");
        return;
    }
    if (is_own(look, f) && *due_of(f) <= look->t->now) {
        look->sure[look->sure_count++] = f;
        return;
    }
    uint32_t at = look->perhaps_count++;
    for (; at > 0 && *due_of(look->perhaps[at - 1]) > *due_of(f); at--)
        look->perhaps[at] = look->perhaps[at - 1];
    look->perhaps[at] = f;
}

// Whether the call would have something else to tell. It must leave the call as it is: others ask as well.
static bool is_ready_without(const struct fd_call *call)
{
    struct fd_call copy = *call;
    copy.peeks = true;
    return copy.ready(&copy);
}

static bool waits_for_ever(const struct fd_call *call)
{
    const struct file *f = file_at(call->file ? call->file : open_file(call->fd));
    bool asked = call->obeys && !call->sampled && f && f->flags & O_NONBLOCK;
    return !call->nonblocking && !asked;
}

static bool comes_in_time(const struct look *look, const struct fd_call *call)
{
    for (uint32_t i = 0; i < look->perhaps_count; i++)
        if (is_own(look, look->perhaps[i]) && *due_of(look->perhaps[i]) - look->t->now <= call->patience)
            return true;
    return false;
}

static struct look look_for(struct thread *t, struct fd_call *call)
{
    struct look look = {.t = t};
    signals_asked_by(t);
    if (call->each_file)
        call->each_file(call, look_at, &look);
    else if (call->looks_at_timer && file_at(call->file ? call->file : open_file(call->fd)))
        look_at(file_at(call->file ? call->file : open_file(call->fd)), &look);
    if (!look.perhaps_count)
        return look;
    bool other = look.sure_count || is_ready_without(call);
    look.waits = !other && (waits_for_ever(call) || comes_in_time(&look, call));
    for (uint32_t i = 0; i < look.perhaps_count; i++)
        if (t->timers_late & timer_bit(look.perhaps[i]))
            look.must |= 1u << i;
    return look;
}

// Whether those timers can be the ones that have expired. Of timers that one thread set, a later one does not expire before an
// earlier one.
static bool is_possible(const struct look *look, uint32_t expired)
{
    for (uint32_t i = 0; i < look->perhaps_count; i++)
        for (uint32_t k = 0; k < look->perhaps_count; k++)
            if (expired >> i & 1 && !(expired >> k & 1) && *due_of(look->perhaps[k]) <= *due_of(look->perhaps[i]) &&
                timer_of(look->perhaps[i])->setter &&
                timer_of(look->perhaps[k])->setter == timer_of(look->perhaps[i])->setter)
                return false;
    if (look->must && (expired & look->must) != look->must)
        return false;
    return expired ? look->must || look->waits || !look->t->timers_early : !look->waits;
}

// The possible set of timers that has this number, and how many of them there are.
static uint32_t timers_possible(const struct look *look, uint32_t number, uint32_t *count)
{
    uint32_t n = 0, found = 0;
    for (uint32_t set = 0; set < 1u << look->perhaps_count; set++)
        if (is_possible(look, set) && n++ == number)
            found = set;
    *count = n;
    return found;
}

static struct fd_call *timers_call_of(const struct thread *t)
{
    return (struct fd_call *)(uintptr_t)t->request.operand;
}

uint32_t timers_outcomes(struct thread *t)
{
    struct fd_call *call = timers_call_of(t);
    if (!all_timers.count || engine.over || (!call->each_file && !call->looks_at_timer))
        return 1;
    struct look look = look_for(t, call);
    uint32_t count;
    timers_possible(&look, 0, &count);
    return count;
}

bool timers_end_wait(const struct thread *t, struct fd_call *call)
{
    if (!all_timers.count)
        return false;
    struct look look = look_for(&engine.threads[t->actor], call);
    return look.sure_count || look.perhaps_count;
}

static void timer_expire(struct thread *t, struct file *f)
{
    keep_timer(f);
    keep_file(f);
    timer_of(f)->expired = 1;
    f->written++; // an edge for epoll
    if (t->now < *due_of(f))
        t->now = *due_of(f);
}

bool timers_come(struct thread *t, uint32_t outcome)
{
    struct fd_call *call = timers_call_of(t);
    struct mark *mark = &engine.marks[engine.exec.count];
    if (!all_timers.count)
        return false;
    mark->timers = timers_state();
    mark->timers_expired = mark->timers_declined = 0;
    if (!call->each_file && !call->looks_at_timer)
        return false;
    struct look look = look_for(t, call);
    uint32_t count, expired = timers_possible(&look, outcome, &count);
    for (uint32_t i = 0; i < look.sure_count; i++) {
        mark->timers_expired |= timer_bit(look.sure[i]);
        timer_expire(t, look.sure[i]);
    }
    for (uint32_t i = 0; i < look.perhaps_count; i++) {
        *(expired >> i & 1 ? &mark->timers_expired : &mark->timers_declined) |= timer_bit(look.perhaps[i]);
        if (expired >> i & 1)
            timer_expire(t, look.perhaps[i]);
    }
    mark->time_passed = look.waits || look.must || look.sure_count;
    t->timers_late &= ~mark->timers_expired;
    t->timers_early &= !look.perhaps_count || mark->time_passed;
    return look.sure_count || expired;
}

// ---- making and setting ----

static int timers_wrong(int error)
{
    errno = error;
    return -1;
}

static bool is_timer_clock(clockid_t clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME ||
           clock == CLOCK_REALTIME_ALARM || clock == CLOCK_BOOTTIME_ALARM;
}

PUBLIC int timerfd_create(clockid_t clock, int flags)
{
    struct thread *t = engine.running;
    if (!t) {
        early_refuse("makes a timer", HERE);
        return NATIVE(timerfd_create)(clock, flags);
    }
    if (!is_timer_clock(clock) || flags & ~(TFD_CLOEXEC | TFD_NONBLOCK))
        return timers_wrong(EINVAL);
    if (!all_timers.list) {
        all_timers.list = mem_reserve(TIMERS * sizeof *all_timers.list);
        all_timers.due = mem_reserve(TIMERS * sizeof *all_timers.due);
    }
    if (all_timers.count == TIMERS)
        unsupported(t, "the program makes more timers in one execution than heddle follows (256)");
    uint64_t object = descriptor_object(t);
    uint32_t number = file_new(t, FILE_TIMER, object, flags & TFD_NONBLOCK ? O_NONBLOCK : 0);
    engine.clears_far = true; // for good
    undo_save_word(&engine.undo, &all_timers.count);
    file_at(number)->timer = (uint32_t)++all_timers.count;
    keep_timer(file_at(number));
    *timer_of(file_at(number)) = (struct timer){.calendar = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_ALARM};
    descriptor_made(t, "timer", object, HERE);
    return descriptor_new(t, number, 0, flags & TFD_CLOEXEC);
}

// What a call about a timer is given and gives back.
struct timer_call {
    uint64_t value, period;
    bool absolute, sets;
    struct itimerspec before;
};

static struct timespec timers_spec(uint64_t time)
{
    return (struct timespec){(time_t)(time / SECOND), (long)(time % SECOND)};
}

// What is left of it, by the clock of who asks.
static uint64_t timer_left(const struct timer *timer, uint64_t due, const struct thread *t)
{
    if (!timer->armed || (timer->expired && !timer->period))
        return 0;
    uint64_t most = timer->expired ? timer->period : timer->length;
    uint64_t left = due > t->now && !timer->expired ? due - t->now : most;
    return left < most || !most ? (left ? left : 1) : most;
}

static uint64_t due_at(const struct timer *timer, const struct timer_call *set, const struct thread *t)
{
    uint64_t start = timer->calendar ? realtime_start() * SECOND : 0;
    if (set->absolute)
        return set->value > start ? set->value - start : 0;
    return set->value < FOREVER ? t->now + set->value : FOREVER;
}

static long do_timer(struct fd_call *call, struct thread *t)
{
    struct timer_call *set = call->more;
    struct file *f = file_of(call);
    if (!f)
        return -EBADF;
    if (f->kind != FILE_TIMER)
        return -EINVAL;
    struct timer *timer = timer_of(f);
    set->before = (struct itimerspec){.it_interval = timers_spec(timer->armed ? timer->period : 0),
                                      .it_value = timers_spec(timer_left(timer, *due_of(f), t))};
    if (!set->sets)
        return 0;
    keep_timer(f);
    keep_file(f);
    uint64_t due = due_at(timer, set, t);
    *timer = (struct timer){.calendar = timer->calendar, .setter = t->actor + 1};
    if (set->value) {
        timer->armed = 1;
        timer->period = set->period;
        timer->length = due > t->now ? due - t->now : 0;
    }
    *due_of(f) = due;
    know_release_more(&engine.races, &t->know, &f->release);
    call->changed = true;
    return 0;
}

static int operate_timer(struct thread *t, int fd, struct timer_call *set, bool looks, const void *pc)
{
    struct fd_call call = {
        .ready = ready_at_once, .act = do_timer, .fd = fd, .more = set, .looks_at_timer = looks, .nonblocking = true};
    long result = fd_operate(t, OP_FD_CONTROL, &call, pc);
    return result < 0 ? timers_wrong((int)-result) : 0;
}

static bool is_time(const struct timespec *time)
{
    return time->tv_sec >= 0 && time->tv_nsec >= 0 && (uint64_t)time->tv_nsec < SECOND;
}

static uint64_t timers_nanoseconds(const struct timespec *time)
{
    return (uint64_t)time->tv_sec < FOREVER / SECOND ? (uint64_t)time->tv_sec * SECOND + (uint64_t)time->tv_nsec
                                                     : FOREVER;
}

PUBLIC int timerfd_settime(int fd, int flags, const struct itimerspec *value, struct itimerspec *before)
{
    struct thread *t = engine.running;
    if (!t || !is_descriptor(fd))
        return NATIVE(timerfd_settime)(fd, flags, value, before);
    if (flags & ~(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET))
        return timers_wrong(EINVAL);
    access_read(value, sizeof *value, HERE);
    if (!is_time(&value->it_value) || !is_time(&value->it_interval))
        return timers_wrong(EINVAL);
    struct timer_call set = {.value = timers_nanoseconds(&value->it_value),
                             .period = timers_nanoseconds(&value->it_interval),
                             .absolute = flags & TFD_TIMER_ABSTIME,
                             .sets = true};
    int result = operate_timer(t, fd, &set, before != NULL, HERE);
    if (!result && before) {
        access_write(before, sizeof *before, HERE);
        *before = set.before;
    }
    return result;
}

PUBLIC int timerfd_gettime(int fd, struct itimerspec *to)
{
    struct thread *t = engine.running;
    if (!t || !is_descriptor(fd))
        return NATIVE(timerfd_gettime)(fd, to);
    struct timer_call get = {.sets = false};
    int result = operate_timer(t, fd, &get, true, HERE);
    if (!result) {
        access_write(to, sizeof *to, HERE);
        *to = get.before;
    }
    return result;
}

long timer_read(struct fd_call *call, struct thread *t, struct file *f)
{
    if (call->total < sizeof(uint64_t))
        return -EINVAL;
    struct timer *timer = timer_of(f);
    uint64_t times = 1;
    keep_timer(f);
    if (timer->setter != t->actor + 1)
        timer->setter = 0;
    else if (timer->period && t->now > *due_of(f))
        times += (t->now - *due_of(f)) / timer->period;
    *due_of(f) = timer->setter ? *due_of(f) + times * timer->period : 0;
    timer->armed = timer->period != 0;
    timer->expired = 0;
    *(uint64_t *)fd_bounce = times;
    know_acquire(&engine.races, &t->know, &f->release);
    call->changed = true;
    return sizeof times;
}

// ---- circles and states ----

// Whether a circle of the thread from event `since` on could not go on for ever, since a timer would expire that it found not
// to have, or would not expire as fast.
bool timers_go_round(struct thread *t, uint32_t since)
{
    const struct exec *x = &engine.exec;
    uint64_t expired = 0, declined = 0;
    bool passed = false;
    for (uint32_t e = x->actors[t->actor].last; e != NO_EVENT && e >= since; e = x->events[e].old_last) {
        const struct mark *mark = &engine.marks[e];
        if (!mark->timers)
            continue;
        expired |= mark->timers_expired;
        declined |= mark->timers_declined;
        passed |= mark->time_passed;
    }
    t->timers_late = declined & ~expired;
    t->timers_early = expired && !declined && !passed;
    return t->timers_late || t->timers_early;
}

uint64_t timers_state(void)
{
    struct fingerprint f = {0};
    for (uint64_t i = 0; i < all_timers.count; i++) {
        const struct timer *timer = &all_timers.list[i];
        fingerprint_mix(&f, timer->armed | timer->expired << 1 | (uint64_t)timer->setter << 32);
        fingerprint_mix(&f, timer->length);
        fingerprint_mix(&f, timer->period);
    }
    return f.low | 1;
}

bool timers_hold(uint64_t address)
{
    return address - (uint64_t)(uintptr_t)&all_timers < sizeof all_timers ||
           (all_timers.list && (address - (uint64_t)(uintptr_t)all_timers.list < TIMERS * sizeof *all_timers.list ||
                                address - (uint64_t)(uintptr_t)all_timers.due < TIMERS * sizeof *all_timers.due));
}

// Its time matters only by what is left of it on the clock of who set it.
void timer_mix(struct fingerprint *f, const struct file *file)
{
    const struct timer *timer = timer_of(file);
    bool due = timer->armed && timer->setter && (!timer->expired || timer->period);
    fingerprint_mix(f, timer->armed | timer->expired << 1 | (uint64_t)timer->setter << 32);
    fingerprint_mix(f, timer->length);
    fingerprint_mix(f, timer->period);
    fingerprint_mix(f, due ? *due_of(file) - engine.threads[timer->setter - 1].now : 0);
}

void timers_pin(uint64_t *pinned)
{
    for (uint64_t i = 0; i < all_timers.count; i++)
        if (all_timers.list[i].setter)
            pinned[(all_timers.list[i].setter - 1) / 64] |= 1ull << ((all_timers.list[i].setter - 1) % 64);
}
