// Objects for heddle lin: two registers and a lock, and operations of a few random steps, some of them under the lock, taken by
// waiting or by giving up. The truth is found by brute force: every interleaving of the steps of every client of two threads with
// up to three calls, and every order of whole calls that could explain it.
#include "draw.h"

#include <stdbool.h>
#include <string.h>

enum { REGISTERS = 2, MOST_OPERATIONS = 3, MOST_STEPS = 6, MOST_CALLS = 3, GAVE_UP = -1 };
enum kind { LOAD, STORE, ADD, SWAP, SET, LOCK, TRY_LOCK, UNLOCK };

struct step {
    enum kind kind;
    int reg, constant;
};

struct operation {
    struct step step[MOST_STEPS];
    int steps;
    int may_fail; // 0, 1: always, 2: if another call overlaps
    bool rough;   // it only reads, and gives something between two numbers that it might have given
};

static struct operation operation[MOST_OPERATIONS];
static int operations;

// ---- drawing ----

static void draw_operation(struct operation *o)
{
    int inner = 1 + (int)draw(3), from = 0, to = inner, lock = (int)draw(8);
    enum kind take = lock == 7 ? TRY_LOCK : LOCK;
    bool reads = !draw(4);
    if (lock == 6 && inner > 1) { // too short
        from = (int)draw(2);
        to = from + 1 + (int)draw((unsigned)(inner - from));
    }
    o->may_fail = take == TRY_LOCK ? (int)draw(3) : 0;
    for (int i = 0; i <= inner; i++) {
        if (lock > 1 && i == to)
            o->step[o->steps++] = (struct step){.kind = UNLOCK};
        if (i == inner)
            break;
        if (lock > 1 && i == from)
            o->step[o->steps++] = (struct step){.kind = take};
        o->step[o->steps++] =
            (struct step){reads ? LOAD : (enum kind)draw(LOCK), (int)draw(REGISTERS), 1 + (int)draw(2)};
    }
    o->rough = reads && o->may_fail == 0 && take == LOCK && draw(2);
}

// ---- running ----

struct world {
    int reg[REGISTERS];
    int holder; // a thread from 1, or 0
};

struct activity { // of one call
    int at, value, result;
    int first, last; // times of its first and last step
    bool over;
};

// False if the step has to wait.
static bool make_step(struct world *w, struct activity *a, const struct operation *o, int thread)
{
    const struct step *s = &o->step[a->at];
    int *reg = &w->reg[s->reg];
    switch (s->kind) {
    case LOAD:
        a->value = a->value * 3 + *reg;
        break;
    case STORE:
        *reg = (a->value + s->constant) % 7;
        break;
    case ADD:
        a->value = a->value * 3 + *reg, *reg = *reg + s->constant;
        break;
    case SWAP:
        a->value = a->value * 3 + (*reg == s->constant - 1), *reg = *reg == s->constant - 1 ? s->constant : *reg;
        break;
    case SET:
        *reg = s->constant;
        break;
    case LOCK:
        if (w->holder)
            return false;
        w->holder = thread;
        break;
    case TRY_LOCK:
        if (w->holder) {
            a->over = true;
            a->result = GAVE_UP;
            return true;
        }
        w->holder = thread;
        break;
    case UNLOCK:
        w->holder = 0;
        break;
    }
    if (++a->at == o->steps) {
        a->over = true;
        a->result = a->value;
    }
    return true;
}

// ---- explaining ----

struct client {
    int calls, length[2]; // of the two threads
    int call[MOST_CALLS]; // operations: the first thread's, then the second's
};

static int thread_of(const struct client *c, int call)
{
    return call < c->length[0] ? 1 : 2;
}

static bool overlapped(const struct client *c, const struct activity *a, int call)
{
    for (int b = 0; b < c->calls; b++)
        if (thread_of(c, b) != thread_of(c, call) && a[b].first <= a[call].last && a[call].first <= a[b].last)
            return true;
    return false;
}

static bool may_be_next(const struct client *c, const struct activity *a, unsigned taken, int call)
{
    for (int b = 0; b < c->calls; b++) {
        bool earlier = a[b].last < a[call].first || (thread_of(c, b) == thread_of(c, call) && b < call);
        if (b != call && !(taken >> b & 1) && earlier)
            return false;
    }
    return !(taken >> call & 1);
}

// What is asked about a rough call: an order that gives it no more (-1) or no less (1) than it gave. Other rough calls do not matter.
struct question {
    int call, side;
};

static bool fits(const struct client *c, const struct question *q, const struct activity *a, int call, int result)
{
    if (!operation[c->call[call]].rough)
        return result == a->result;
    return call != q->call || (q->side < 0 ? result <= a->result : result >= a->result);
}

static bool explains(const struct client *c, const struct activity *a, const struct question *q, struct world w,
                     unsigned taken)
{
    if (taken == (1u << c->calls) - 1)
        return true;
    for (int i = 0; i < c->calls; i++) {
        if (!may_be_next(c, a, taken, i))
            continue;
        const struct operation *o = &operation[c->call[i]];
        bool excused = a[i].result == GAVE_UP && (o->may_fail == 1 || (o->may_fail == 2 && overlapped(c, a, i)));
        if (excused && explains(c, a, q, w, taken | 1u << i))
            return true;
        struct world after = w;
        struct activity alone = {0};
        while (!alone.over)
            make_step(&after, &alone, o, 1);
        if (fits(c, q, &a[i], i, alone.result) && explains(c, a, q, after, taken | 1u << i))
            return true;
    }
    return false;
}

static bool all_explained(const struct client *c, const struct activity *a)
{
    bool some = false;
    for (int i = 0; i < c->calls; i++) {
        if (!operation[c->call[i]].rough)
            continue;
        some = true;
        for (int side = -1; side <= 1; side += 2)
            if (!explains(c, a, &(struct question){i, side}, (struct world){0}, 0))
                return false;
    }
    return some || explains(c, a, &(struct question){-1, 0}, (struct world){0}, 0);
}

// Whether every interleaving from here on can be explained.
static bool right_from(const struct client *c, struct world w, const struct activity *so_far, int time)
{
    bool ended = true;
    for (int thread = 0; thread < 2; thread++) {
        struct activity a[MOST_CALLS];
        struct world next = w;
        int call = thread ? c->length[0] : 0, end = thread ? c->calls : c->length[0];
        while (call < end && so_far[call].over)
            call++;
        if (call == end)
            continue;
        ended = false;
        memcpy(a, so_far, sizeof a);
        if (!a[call].at)
            a[call].first = time;
        if (!make_step(&next, &a[call], &operation[c->call[call]], thread + 1))
            continue;
        a[call].last = time;
        if (!right_from(c, next, a, time + 1))
            return false;
    }
    return !ended || all_explained(c, so_far);
}

static bool is_right(void)
{
    for (int calls = 2; calls <= MOST_CALLS; calls++) {
        int combinations = 1;
        for (int i = 0; i < calls; i++)
            combinations *= operations;
        for (int number = 0; number < combinations; number++) {
            struct client c = {.calls = calls, .length = {calls - 1, 1}};
            for (int i = 0, left = number; i < calls; i++, left /= operations)
                c.call[i] = left % operations;
            if (!right_from(&c, (struct world){0}, (struct activity[MOST_CALLS]){0}, 1))
                return false;
        }
    }
    return true;
}

// ---- writing ----

static void write_step(const struct step *s)
{
    int r = s->reg, k = s->constant;
    switch (s->kind) {
    case LOAD:
        printf("    value = value * 3 + atomic_load(&o->reg[%d]);\n", r);
        break;
    case STORE:
        printf("    atomic_store(&o->reg[%d], (value + %d) %% 7);\n", r, k);
        break;
    case ADD:
        printf("    value = value * 3 + atomic_fetch_add(&o->reg[%d], %d);\n", r, k);
        break;
    case SWAP:
        printf("    { int old = %d; value = value * 3 + atomic_compare_exchange_strong(&o->reg[%d], &old, %d); }\n",
               k - 1, r, k);
        break;
    case SET:
        printf("    atomic_store(&o->reg[%d], %d);\n", r, k);
        break;
    case LOCK:
        puts("    pthread_mutex_lock(&o->lock);");
        break;
    case TRY_LOCK:
        puts("    if (pthread_mutex_trylock(&o->lock)) return -1;");
        break;
    case UNLOCK:
        puts("    pthread_mutex_unlock(&o->lock);");
        break;
    }
}

int main(int argc, char **argv)
{
    static const char *const match[] = {"", " --match", " --no-match"};
    draw_begin(argc, argv);
    operations = 1 + (int)draw(MOST_OPERATIONS);
    for (int i = 0; i < operations; i++)
        draw_operation(&operation[i]);
    printf("// expect: %s lin options: --threads 2 --calls 2 --total 3 --repair 0%s\n",
           is_right() ? "verified" : "bug not-linearizable", match[draw(3)]);
    puts("#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n#include <heddle/lin.h>\n"
         "struct object { pthread_mutex_t lock; atomic_int reg[2]; };");
    puts("static void *create(void)\n{\n    struct object *o = calloc(1, sizeof *o);\n    pthread_mutex_init(&o->lock, "
         "0);\n"
         "    return o;\n}");
    for (int i = 0; i < operations; i++) {
        printf("static int64_t op%d(void *object, const int64_t *none)\n{\n    struct object *o = object;\n    int "
               "value = 0;\n"
               "    (void)o, (void)none;\n",
               i);
        for (int s = 0; s < operation[i].steps; s++)
            write_step(&operation[i].step[s]);
        puts("    return value;\n}");
    }
    puts("heddle_lin(.create = create, .destroy = free, .operations = {");
    for (int i = 0; i < operations; i++)
        printf("    {\"op%d\", op%d, .may_fail = %d, .failure = -1, .rough = %d},\n", i, i, operation[i].may_fail,
               operation[i].rough);
    puts("});");
    return 0;
}
