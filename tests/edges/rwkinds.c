// Readers-writer locks of glibc's three kinds: threads that lock, try and wait for a while, with semaphores between them.
// Whether threads can wait for ever, and whether a pattern of answers can be seen, is found by going through all states of a
// machine that does what glibc 2.36 does with the words of a lock (nptl/pthread_rwlock_common.c), one atomic step at a time.
#include "draw.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

enum { THREADS = 3, LOCKS = 2, SEMAPHORES = 2, CODE = 48 };

enum op { LOCK, TRY, TIMED, UNLOCK, POST, WAIT, NOTE, SKIP_IF_BUSY, END };
enum kind { READER, WRITER, WRITER_NONRECURSIVE };

struct instruction {
    uint8_t op, object, read, to;
};

static struct program {
    struct instruction code[CODE];
    uint32_t length, answers;
    char text[8192];
} programs[THREADS];
static uint32_t threads, locks;
static enum kind kind_of[LOCKS];

static void say(struct program *p, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct program *p, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t used = strlen(p->text);
    vsnprintf(p->text + used, sizeof p->text - used, format, arguments);
    va_end(arguments);
}

static uint32_t emit(struct program *p, enum op op, uint32_t object, bool read, uint32_t to)
{
    if (p->length == CODE)
        exit(1);
    p->code[p->length] = (struct instruction){(uint8_t)op, (uint8_t)object, read, (uint8_t)to};
    return p->length++;
}

static void write_semaphore(struct program *p)
{
    uint32_t s = draw(SEMAPHORES);
    bool post = draw(3) != 0;
    say(p, "    sem_%s(&s%u);\n", post ? "post" : "wait", s);
    emit(p, post ? POST : WAIT, s, false, 0);
}

// A lock is taken, something is done, perhaps with another lock, and it is let go. `held` are those that the thread has.
static void write_section(struct program *p, uint32_t thread, uint32_t held, uint32_t depth)
{
    uint32_t lock = draw(locks);
    bool read = draw(3) != 0, again = held >> lock & 1;
    enum op op = again || draw(2) ? LOCK : draw(2) ? TRY : TIMED;
    if (again)
        read = true;
    const char *what = read ? "rd" : "wr";
    uint32_t jump = 0;
    if (op == LOCK) {
        say(p, "    pthread_rwlock_%slock(&l%u);\n", what, lock);
        emit(p, LOCK, lock, read, 0);
    } else {
        const char *way = op == TRY ? "try" : draw_of("timed", "clock");
        say(p, "    if (pthread_rwlock_%s%slock(&l%u%s%s)) {\n        seen%u |= %u;\n    } else {\n", way, what, lock,
            *way == 'c' ? ", CLOCK_REALTIME" : "", op == TRY ? "" : ", &soon", thread, 1u << p->answers);
        emit(p, op, lock, read, 0);
        emit(p, NOTE, 0, false, p->answers++);
        jump = emit(p, SKIP_IF_BUSY, 0, false, 0);
    }
    if (depth < 1 && read && !draw(3))
        write_section(p, thread, held | 1u << lock, depth + 1);
    else if (draw(2))
        write_semaphore(p);
    say(p, "    pthread_rwlock_unlock(&l%u);\n", lock);
    emit(p, UNLOCK, lock, false, 0);
    if (op != LOCK) {
        say(p, "    }\n");
        p->code[jump].to = (uint8_t)p->length;
    }
}

// What glibc keeps in a lock, and where each thread is within a call.
struct lock {
    uint8_t readers, write_phase, write_locked, readers_wait, writers, hand_over;
};

struct state {
    uint8_t at[THREADS], phase[THREADS], busy[THREADS], seen[THREADS];
    uint8_t writes[THREADS]; // a bit for each lock that the thread has for itself
    uint8_t semaphore[SEMAPHORES];
    struct lock lock[LOCKS];
};

enum { STATES = 1 << 21 };
static struct state states[STATES];
static uint32_t table[2 * STATES], state_count;
static bool moved; // somebody could take a step

static void visit(const struct state *s)
{
    moved = true;
    uint64_t hash = 1469598103934665603u;
    for (size_t i = 0; i < sizeof *s; i++)
        hash = (hash ^ ((const uint8_t *)s)[i]) * 1099511628211u;
    uint32_t at = (uint32_t)(hash >> 20) % (2 * STATES);
    for (; table[at]; at = (at + 1) % (2 * STATES))
        if (!memcmp(&states[table[at] - 1], s, sizeof *s))
            return;
    if (state_count == STATES)
        exit(1);
    states[state_count] = *s;
    table[at] = ++state_count;
}

// The call is over: the thread has the lock, or not.
static void done(struct state *s, uint32_t thread, const struct instruction *i, bool got)
{
    s->phase[thread] = 0;
    s->busy[thread] = !got;
    s->at[thread]++;
    if (got && !i->read)
        s->writes[thread] |= (uint8_t)(1u << i->object);
    visit(s);
}

static void go_on(struct state *s, uint32_t thread, uint32_t phase)
{
    s->phase[thread] = (uint8_t)phase;
    visit(s);
}

static void step_read(struct state s, uint32_t thread, const struct instruction *i, enum kind kind)
{
    struct lock *l = &s.lock[i->object];
    switch (s.phase[thread]) {
    case 0:
        if (kind == WRITER_NONRECURSIVE && !l->write_phase && l->write_locked && l->readers) {
            l->readers_wait = 1;
            go_on(&s, thread, 1);
        } else {
            go_on(&s, thread, 2);
        }
        break;
    case 1:
        if (!l->readers_wait) {
            go_on(&s, thread, 0);
        } else if (i->op == TIMED) {
            done(&s, thread, i, false);
        }
        break;
    case 2:
        l->readers++;
        if (!l->write_phase)
            done(&s, thread, i, true);
        else
            go_on(&s, thread, 3);
        break;
    case 3:
        if (l->write_phase && !l->write_locked) {
            l->write_phase = 0;
            done(&s, thread, i, true);
        } else {
            go_on(&s, thread, 4);
        }
        break;
    default:
        if (!l->write_phase) {
            done(&s, thread, i, true);
        } else if (i->op == TIMED) {
            l->readers--;
            done(&s, thread, i, false);
        }
    }
}

// The thread is the first of the writers.
static void step_write_second(struct state s, uint32_t thread, const struct instruction *i, bool prefer)
{
    struct lock *l = &s.lock[i->object];
    if (l->write_phase || (s.phase[thread] < 3 && !l->readers)) {
        l->write_phase = 1;
        done(&s, thread, i, true);
    } else if (s.phase[thread] < 3) {
        go_on(&s, thread, 3);
    } else if (i->op == TIMED) {
        if (prefer && l->writers)
            l->hand_over = 1;
        else
            l->write_locked = l->readers_wait = 0;
        done(&s, thread, i, false);
    }
}

static void step_write_first(struct state s, uint32_t thread, const struct instruction *i, bool prefer)
{
    struct lock *l = &s.lock[i->object];
    if (s.phase[thread] == 0) {
        bool before = l->write_locked;
        l->write_locked = 1;
        l->writers = (uint8_t)(l->writers + (before && prefer));
        if (before || kind_of[i->object] == WRITER_NONRECURSIVE)
            go_on(&s, thread, before ? 1 : 2);
        else // taken as one step, as POSIX has it: in between a trylock would see a lock busy that nobody has
            step_write_second(s, thread, i, prefer);
    } else if (!l->write_locked) {
        l->write_locked = 1;
        l->writers = (uint8_t)(l->writers - prefer);
        go_on(&s, thread, 2);
    } else if (prefer && l->hand_over) {
        l->hand_over = 0;
        l->writers--;
        go_on(&s, thread, 2);
    } else if (i->op == TIMED) {
        l->writers = (uint8_t)(l->writers - prefer);
        done(&s, thread, i, false);
    }
}

static void step_write(struct state s, uint32_t thread, const struct instruction *i, enum kind kind)
{
    (s.phase[thread] < 2 ? step_write_first : step_write_second)(s, thread, i, kind != READER);
}

static void step_try(struct state s, uint32_t thread, const struct instruction *i, enum kind kind)
{
    struct lock *l = &s.lock[i->object];
    bool got;
    if (i->read) {
        got = !l->write_locked || (!l->write_phase && kind != WRITER_NONRECURSIVE);
        l->readers = (uint8_t)(l->readers + got);
        l->write_phase = got ? 0 : l->write_phase;
    } else {
        got = !l->write_locked && (!l->readers || (kind != READER && l->write_phase));
        if (got)
            l->write_phase = l->write_locked = 1;
    }
    done(&s, thread, i, got);
}

static void step_unlock(struct state s, uint32_t thread, const struct instruction *i, enum kind kind)
{
    struct lock *l = &s.lock[i->object];
    if (s.writes[thread] >> i->object & 1) {
        s.writes[thread] &= (uint8_t) ~(1u << i->object);
        if (kind != READER && l->writers) {
            l->hand_over = 1;
        } else {
            l->write_locked = 0;
            l->write_phase = l->readers ? 0 : l->write_phase;
        }
    } else if (!--l->readers) {
        l->write_phase = l->write_locked ? 1 : l->write_phase;
        l->readers_wait = 0;
    }
    s.at[thread]++;
    visit(&s);
}

static void step(const struct state *from, uint32_t thread)
{
    const struct instruction *i = &programs[thread].code[from->at[thread]];
    enum kind kind = kind_of[i->object];
    struct state s = *from;
    switch ((enum op)i->op) {
    case LOCK:
    case TIMED: (i->read ? step_read : step_write)(s, thread, i, kind); return;
    case TRY: step_try(s, thread, i, kind); return;
    case UNLOCK: step_unlock(s, thread, i, kind); return;
    case POST: s.semaphore[i->object]++; break;
    case WAIT:
        if (!s.semaphore[i->object])
            return;
        s.semaphore[i->object]--;
        break;
    case NOTE: s.seen[thread] |= (uint8_t)(s.busy[thread] << i->to); break;
    case SKIP_IF_BUSY:
        if (s.busy[thread]) {
            s.at[thread] = i->to;
            visit(&s);
            return;
        }
        break;
    case END: return;
    }
    s.at[thread]++;
    visit(&s);
}

// Goes through all states: whether all can be stuck, and whether all can end with these answers.
static void explore(const uint32_t *pattern, bool *stuck, bool *seen)
{
    struct state begin = {0};
    visit(&begin);
    for (uint32_t n = 0; n < state_count; n++) {
        const struct state s = states[n];
        bool over = true, match = true;
        moved = false;
        for (uint32_t thread = 0; thread < threads; thread++) {
            over &= programs[thread].code[s.at[thread]].op == END;
            match &= s.seen[thread] == pattern[thread];
            step(&s, thread);
        }
        *stuck |= !over && !moved;
        *seen |= over && match;
    }
}

static void print(const uint32_t *pattern)
{
    static const char *const kinds[] = {"READER_NP", "WRITER_NP", "WRITER_NONRECURSIVE_NP"};
    printf("#define _GNU_SOURCE\n#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\n#include <time.h>\n\n");
    printf("static pthread_rwlock_t l0, l1 = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;\nstatic sem_t s0, s1;\n");
    printf("static unsigned seen0, seen1, seen2;\nconst struct timespec soon = {1, 0};\n\n");
    for (uint32_t i = 1; i < threads; i++)
        printf("static void *thread%u(void *argument)\n{\n%s    return argument;\n}\n\n", i, programs[i].text);
    printf("int main(void)\n{\n    pthread_t t[2];\n    pthread_rwlockattr_t a;\n    pthread_rwlockattr_init(&a);\n"
           "    pthread_rwlockattr_setkind_np(&a, PTHREAD_RWLOCK_PREFER_%s);\n    pthread_rwlock_init(&l0, &a);\n"
           "    sem_init(&s0, 0, 0);\n    sem_init(&s1, 0, 0);\n",
           kinds[kind_of[0]]);
    for (uint32_t i = 1; i < threads; i++)
        printf("    pthread_create(&t[%u], 0, thread%u, 0);\n", i - 1, i);
    printf("%s", programs[0].text);
    for (uint32_t i = 1; i < threads; i++)
        printf("    pthread_join(t[%u], 0);\n", i - 1);
    printf("    assert(seen0 != %u || seen1 != %u || seen2 != %u);\n    return 0;\n}\n", pattern[0], pattern[1], pattern[2]);
}

int main(int argc, char **argv)
{
    draw_begin(argc, argv);
    threads = 2 + (draw(3) != 0);
    locks = 1 + (draw(4) == 0);
    kind_of[0] = draw(4) ? WRITER_NONRECURSIVE : draw(2) ? READER : WRITER;
    kind_of[1] = WRITER_NONRECURSIVE;
    uint32_t pattern[THREADS] = {0};
    for (uint32_t i = 0; i < threads; i++) {
        for (uint32_t n = 1 + (draw(threads == 2 ? 2 : 3) == 0); n; n--) {
            if (!draw(4))
                write_semaphore(&programs[i]);
            write_section(&programs[i], i, 0, 0);
        }
        emit(&programs[i], END, 0, false, 0);
        pattern[i] = draw(1u << programs[i].answers);
    }
    if (!(pattern[0] | pattern[1] | pattern[2]))
        pattern[0] = 255; // what cannot be: only waiting for ever is looked for
    bool stuck = false, seen = false;
    explore(pattern, &stuck, &seen);
    printf("// expect: %s options: --strategy %s\n",
           stuck && seen ? "bug" : stuck ? "bug deadlock" : seen ? "bug assertion" : "verified",
           draw_of("optimal", "dpor", threads == 2 ? "dfs" : "optimal", threads == 2 ? "bounded" : "dpor"));
    print(pattern);
    return 0;
}
