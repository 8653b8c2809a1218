#define _GNU_SOURCE
#include "injector/injector_turns.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

enum turn_state { TURN_NONE, TURN_READY, TURN_BLOCKED, TURN_OUTSIDE, TURN_ENDED };
enum { NOBODY = UINT32_MAX, SPINS = 200000, STAYS = 2 };
enum { SPINNING_TAKES = 10000000 }; // ns that so many accesses take
enum { PATIENCE = 1000 };           // turns after which a time-out fires although others can run: they may spin
enum { LOOK_AGAIN = 100000000 };    // ns that a waiting thread sleeps before it looks whether anybody runs

struct turn_thread {
    uint32_t go; // futex: 1 if it is its turn
    volatile enum turn_state state;
    const void *object;    // that it is blocked at
    uint64_t since, until; // after how many turns it blocked; when it is over, or 0
    volatile bool fired;   // time was up
    bool looks;            // what it waits for may come from outside the program
    uint64_t wakes_known;  // before it looked at what it is going to wait for, and its own since
    pid_t tid;
    pthread_t handle;
};

bool turns_on;

// Volatile: the compiler takes system calls for calls that change nothing here, but other threads do meanwhile.
static struct turn_thread threads[INJECTION_THREADS];
static uint32_t lock;
static volatile uint32_t thread_count, holder = NOBODY;
static volatile uint64_t progress, random_state; // turns so far
static volatile uint64_t wakes;                  // calls of turns_wake so far
static volatile uint32_t at, steps_at;           // in the turns that are followed
static uint64_t now = 1700000000000000000;       // ns; the same in every run
static __thread uint32_t spins;

static void state_lock(void)
{
    while (__atomic_exchange_n(&lock, 1, __ATOMIC_ACQUIRE))
        syscall(SYS_sched_yield);
}

static void state_unlock(void)
{
    __atomic_store_n(&lock, 0, __ATOMIC_RELEASE);
}

static uint64_t draw(void)
{
    uint64_t z = random_state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    return z ^ z >> 31;
}

// ---- who is next ----

static bool anybody_is(enum turn_state state)
{
    for (uint32_t i = 0; i < thread_count; i++)
        if (threads[i].state == state)
            return true;
    return false;
}

static bool anybody_looks(void)
{
    for (uint32_t i = 0; i < thread_count; i++)
        if (threads[i].state == TURN_BLOCKED && threads[i].looks)
            return true;
    return false;
}

static uint32_t earliest_timed(void)
{
    uint32_t found = NOBODY;
    for (uint32_t i = 0; i < thread_count; i++)
        if (threads[i].state == TURN_BLOCKED && threads[i].until &&
            (found == NOBODY || threads[i].until < threads[found].until))
            found = i;
    return found;
}

static void fire(uint32_t number)
{
    if (threads[number].until > now)
        now = threads[number].until;
    threads[number].fired = true;
    threads[number].state = TURN_READY;
}

static void write_down(uint32_t number, bool fires)
{
    struct injection_block *b = injector_block;
    uint64_t path = b->threads[number].path;
    struct injection_turn *last = b->turn_count ? &b->turns[b->turn_count - 1] : NULL;
    if (last && last->path == path && !fires && last->steps < UINT32_MAX)
        last->steps++;
    else if (b->turn_count < INJECTION_TURNS)
        b->turns[b->turn_count++] = (struct injection_turn){path, 1, fires};
    else
        b->departed = 1; // whoever follows them will not come to the end
}

static uint32_t find_path(uint64_t path)
{
    uint32_t i = 0;
    while (i < thread_count && injector_block->threads[i].path != path)
        i++;
    return i < thread_count ? i : NOBODY;
}

// The thread of the next turn that can be followed.
static uint32_t followed(void)
{
    struct injection_block *b = injector_block;
    for (; at < b->follow; at++, steps_at = 0) {
        const struct injection_turn *turn = &b->turns[at];
        uint32_t number = find_path(turn->path);
        if (steps_at >= turn->steps)
            continue;
        if (turn->fires && !steps_at && number != NOBODY && threads[number].state == TURN_BLOCKED &&
            threads[number].until)
            fire(number);
        if (number != NOBODY && threads[number].state == TURN_READY) {
            steps_at++;
            return number;
        }
        if (!b->departed)
            b->departed_at = at;
        b->departed = 1;
    }
    return NOBODY;
}

static uint32_t drawn(uint32_t me)
{
    uint32_t ready[INJECTION_THREADS], count = 0;
    for (uint32_t i = 0; i < thread_count; i++)
        if (threads[i].state == TURN_READY)
            ready[count++] = i;
    if (count && me != NOBODY && threads[me].state == TURN_READY && draw() % STAYS)
        return me;
    return count ? ready[draw() % count] : NOBODY;
}

// Whoever waits with a time-out that is over: if nobody else can run, or others have run for so long, or very long.
static uint32_t out_of_time(bool anybody)
{
    uint32_t timed = earliest_timed();
    bool over = timed != NOBODY && (anybody ? threads[timed].until <= now || progress - threads[timed].since > PATIENCE
                                            : !anybody_is(TURN_OUTSIDE));
    return over ? timed : NOBODY;
}

static uint32_t choose(uint32_t me)
{
    uint32_t next = injector_block->follow ? followed() : NOBODY;
    if (next != NOBODY)
        return next;
    next = out_of_time(anybody_is(TURN_READY));
    bool fires = next != NOBODY;
    if (fires)
        fire(next);
    else
        next = drawn(me);
    if (next != NOBODY && !injector_block->follow)
        write_down(next, fires);
    return next;
}

// ---- giving the turn away, and waiting for it ----

static long futex(uint32_t *word, int op, uint32_t value, const struct timespec *timeout)
{
    return syscall(SYS_futex, word, op | FUTEX_PRIVATE_FLAG, value, timeout, NULL, 0);
}

static void hand_over(uint32_t next, uint32_t me)
{
    holder = next;
    progress++;
    if (holder == NOBODY || holder == me)
        return;
    __atomic_store_n(&threads[holder].go, 1, __ATOMIC_RELEASE);
    futex(&threads[holder].go, FUTEX_WAKE, 1, NULL);
}

// Gives the turn to whoever is next. The state is locked.
static void give(uint32_t me)
{
    hand_over(choose(me), me);
    if (holder == NOBODY && !anybody_is(TURN_OUTSIDE) && anybody_is(TURN_BLOCKED) && !anybody_looks())
        __atomic_store_n(&injector_block->stuck, 1, __ATOMIC_RELEASE);
}

// What the kernel says of it: 'S' if it sleeps, 0 if it is gone.
static char kernel_state(pid_t tid)
{
    char path[48] = "/proc/self/task/", text[128], *to = path + 16;
    char digits[16];
    int n = 0;
    for (pid_t rest = tid; rest > 0; rest /= 10)
        digits[n++] = (char)('0' + rest % 10);
    while (n > 0)
        *to++ = digits[--n];
    for (const char *name = "/stat"; *name;)
        *to++ = *name++;
    *to = 0;
    long fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    long got = syscall(SYS_read, (int)fd, text, sizeof text);
    syscall(SYS_close, (int)fd);
    long end = -1;
    for (long i = 0; i < got; i++)
        if (text[i] == ')')
            end = i;
    return end >= 0 && end + 2 < got ? text[end + 2] : 0;
}

// What the kernel says of threads that have ended here and not yet there, for which others may wait, and not for long: 0 if there
// are none, 'S' if all of them sleep.
static char leaving(void)
{
    char found = 0;
    for (uint32_t i = 0; i < thread_count; i++) {
        char state = threads[i].state == TURN_ENDED && threads[i].tid ? kernel_state(threads[i].tid) : 0;
        if (state && found != 'R')
            found = state == 'S' ? 'S' : 'R';
    }
    return found;
}

static bool outside_sleep(void)
{
    for (uint32_t i = 0; i < thread_count; i++)
        if (threads[i].state == TURN_OUTSIDE && kernel_state(threads[i].tid) != 'S')
            return false;
    return true;
}

// Nobody can run but those outside, which sleep: time goes on for the others.
static void let_time_pass(void)
{
    uint32_t timed = earliest_timed();
    fire(timed);
    if (!injector_block->follow)
        write_down(timed, true);
    hand_over(timed, NOBODY);
}

// How a waiting thread sees whether the turn is with one that does not use it.
struct look {
    uint64_t progress;
    uint32_t asleep; // so many times in a row
};

// A turn that is with a thread that sleeps is taken away.
static void take_from_sleeper(struct look *look)
{
    enum { PATIENT = 3, VERY_PATIENT = 100 };
    state_lock();
    bool idle = holder != NOBODY && threads[holder].state == TURN_READY && kernel_state(threads[holder].tid) == 'S';
    bool frozen = holder == NOBODY && earliest_timed() != NOBODY && outside_sleep();
    look->asleep = (idle || frozen) && look->progress == progress ? look->asleep + 1 : 0;
    look->progress = progress;
    if (idle && look->asleep >= PATIENT && leaving() == 'R')
        look->asleep = 0;
    if (frozen && look->asleep >= PATIENT) {
        look->asleep = 0;
        let_time_pass();
    } else if (look->asleep >= PATIENT && (look->asleep >= VERY_PATIENT || !leaving())) {
        look->asleep = 0;
        injector_block->outside++;
        threads[holder].state = TURN_OUTSIDE;
        give(NOBODY);
    }
    state_unlock();
}

// What the caller waits for may have come from outside while nobody could run.
static void look_outside(uint32_t me)
{
    state_lock();
    if (holder == NOBODY && threads[me].state == TURN_BLOCKED && threads[me].looks) {
        injector_block->outside++;
        threads[me].state = TURN_READY;
        give(NOBODY);
    }
    state_unlock();
}

static void await_turn(void)
{
    static const struct timespec a_while = {0, LOOK_AGAIN};
    struct turn_thread *t = &threads[injector_self.number];
    struct look look = {UINT64_MAX, 0};
    int error = errno;
    while (!__atomic_load_n(&t->go, __ATOMIC_ACQUIRE))
        if (futex(&t->go, FUTEX_WAIT, 0, &a_while) && errno == ETIMEDOUT) {
            take_from_sleeper(&look);
            look_outside(injector_self.number);
        }
    __atomic_store_n(&t->go, 0, __ATOMIC_RELAXED);
    spins = 0;
    errno = error;
}

// Lets somebody be next, and returns when it is the caller. The state is locked, and is not afterwards.
static void give_and_await(uint32_t me)
{
    give(me);
    bool mine = holder == me;
    state_unlock();
    if (!mine)
        await_turn();
}

// The same. What somebody lets go from now on, while the caller looks at it, is not missed.
static void give_and_look(uint32_t me)
{
    give_and_await(me);
    threads[me].wakes_known = wakes;
}

// A thread that comes back from outside has the turn if nobody has.
static void come_back(uint32_t me)
{
    if (holder == me)
        return;
    threads[me].state = TURN_READY;
    if (holder == NOBODY) {
        holder = me;
        return;
    }
    state_unlock();
    await_turn();
    state_lock();
}

// All signals, among them the one by which the C library cancels a thread, which its own functions would leave out.
static uint64_t hold_signals(void)
{
    uint64_t all = UINT64_MAX, before = 0;
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, &before, sizeof all);
    return before;
}

// Those that came meanwhile are handled here.
static void let_signals_come(uint64_t before)
{
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, sizeof before);
}

void turns_point(void)
{
    if (!turns_mine())
        return;
    uint64_t mask = hold_signals();
    state_lock();
    come_back(injector_self.number);
    give_and_look(injector_self.number);
    let_signals_come(mask);
}

void turns_tick(void)
{
    if (turns_mine() && ++spins >= SPINS) {
        spins = 0;
        __atomic_add_fetch(&now, SPINNING_TAKES, __ATOMIC_RELAXED);
        turns_point();
    }
}

static uint64_t nanoseconds(const struct timespec *t)
{
    uint64_t n = (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_nsec;
    return n ? n : 1;
}

uint64_t turns_now(void)
{
    enum { LOOKING_TAKES = 1000 };
    return __atomic_add_fetch(&now, LOOKING_TAKES, __ATOMIC_RELAXED);
}

static bool turns_wait(const void *object, const struct timespec *until, bool looks)
{
    uint32_t me = injector_self.number;
    struct turn_thread *t = &threads[me];
    uint64_t mask = hold_signals();
    state_lock();
    come_back(me);
    // A thread outside, which runs beside the caller, may have let go of the object since the caller looked at it.
    if (t->wakes_known == wakes || object == until)
        t->state = TURN_BLOCKED;
    t->object = object;
    t->since = progress;
    t->until = until ? nanoseconds(until) : 0;
    t->fired = false;
    t->looks = looks;
    give_and_look(me);
    bool fired = t->fired;
    let_signals_come(mask);
    return fired;
}

bool turns_block(const void *object, const struct timespec *until)
{
    return turns_wait(object, until, false);
}

static const char signals; // what threads block at that wait for one

bool turns_await_signal(const struct timespec *until)
{
    return turns_wait(&signals, until, true);
}

void turns_signalled(void)
{
    turns_wake(&signals, UINT32_MAX);
}

static uint32_t longest_waiting(const void *object)
{
    uint32_t found = NOBODY;
    for (uint32_t i = 0; i < thread_count; i++)
        if (threads[i].state == TURN_BLOCKED && threads[i].object == object &&
            (found == NOBODY || threads[i].since < threads[found].since))
            found = i;
    return found;
}

void turns_wake(const void *object, uint32_t most)
{
    uint32_t next;
    uint64_t mask = hold_signals();
    state_lock();
    wakes++;
    if (turns_mine())
        threads[injector_self.number].wakes_known++;
    for (; most > 0 && (next = longest_waiting(object)) != NOBODY; most--)
        threads[next].state = TURN_READY;
    if (holder == NOBODY && anybody_is(TURN_READY)) // a thread that takes no turns did that
        give(NOBODY);
    state_unlock();
    let_signals_come(mask);
}

// ---- threads ----

void turns_add(uint32_t number)
{
    state_lock();
    threads[number].state = TURN_READY;
    if (number >= thread_count)
        thread_count = number + 1;
    state_unlock();
}

void turns_drop(uint32_t number)
{
    state_lock();
    threads[number].state = TURN_ENDED;
    state_unlock();
}

void turns_name(uint32_t number, pthread_t handle)
{
    threads[number].handle = handle;
}

void turns_start(void)
{
    threads[injector_self.number].tid = (pid_t)syscall(SYS_gettid);
    uint64_t mask = hold_signals();
    await_turn();
    threads[injector_self.number].wakes_known = wakes;
    let_signals_come(mask);
}

void turns_end(void)
{
    if (!turns_mine())
        return;
    uint32_t me = injector_self.number;
    hold_signals(); // for good: what it has not handled by now it never will
    state_lock();
    come_back(me);
    threads[me].state = TURN_ENDED;
    for (uint32_t i = 0; i < thread_count; i++)
        if (threads[i].state == TURN_BLOCKED && threads[i].object == &threads[me])
            threads[i].state = TURN_READY;
    give(me);
    injector_self.known = false; // what it still does is its own
    state_unlock();
}

void turns_nudge(pthread_t handle)
{
    state_lock();
    for (uint32_t i = 0; i < thread_count; i++)
        if (threads[i].handle == handle && threads[i].state == TURN_BLOCKED)
            threads[i].state = TURN_READY;
    state_unlock();
}

// Null if it has ended, or nothing is known of it.
static struct turn_thread *running_thread(pthread_t handle)
{
    for (uint32_t i = 0; i < thread_count; i++)
        if (threads[i].handle == handle && handle && threads[i].state != TURN_ENDED)
            return &threads[i];
    return NULL;
}

bool turns_ended(pthread_t handle)
{
    return !running_thread(handle);
}

bool turns_join(pthread_t handle, const struct timespec *until)
{
    struct turn_thread *other;
    bool late = false;
    while (!late && (other = running_thread(handle))) {
        pthread_testcancel();
        late = turns_block(other, until);
    }
    return turns_ended(handle);
}

static void leave_child(void)
{
    turns_on = false; // its other threads are not there
}

void turns_begin(void)
{
    random_state = injector_block->drawn_from;
    turns_add(injector_self.number);
    threads[injector_self.number].tid = (pid_t)syscall(SYS_gettid);
    threads[injector_self.number].handle = pthread_self();
    holder = injector_self.number;
    pthread_atfork(NULL, NULL, leave_child);
    turns_on = true;
}
