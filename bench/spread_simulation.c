// bench/spread_simulation TREE SECONDS HAND_OVER EXECUTION WORKERS…: replays how workers share a search by `optimal` whose tree was recorded (src/worker/tree_log.h),
// and prints for each number of workers: the speed-up, how busy they were, how many parts were handed over, and how many a second.
//
// SECONDS is what the search took with one worker; each event that it executed takes its share of it, or EXECUTION seconds for each execution
// if that is not 0. HAND_OVER seconds pass until a part that was given away is with its worker, of which a tenth is in the ledger's
// lock, which one has at a time. Whoever takes a part executes the whole way to it, with no time saved by going back to a branch.
//
// The rules are those of src/spread/ledger.h: whoever has ended an execution looks whether somebody waits for whom there is nothing yet,
// and gives away the oldest branch of the lowest execution that owes one. No execution is in two parts, so none is run twice.
//
// bench/spread_simulation --hand-over: measures HAND_OVER between two processes of this machine, by memory that they share and a futex.
#define _GNU_SOURCE
#include <inttypes.h>
#include <linux/futex.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "worker/tree_log.h"

static _Noreturn void stop(const char *why)
{
    fprintf(stderr, "spread_simulation: %s\n", why);
    exit(2);
}

static void *room_for(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);
    if (!memory)
        stop("there is no memory");
    return memory;
}

// ---- the tree ----

// A branch that was taken: an execution, or one that was refused as it was run. Its children are in `child`, oldest first.
struct node {
    uint32_t first, count; // in `child`
    uint32_t fresh, length;
};

struct tree {
    struct node *node;
    uint32_t *child;
    uint32_t count, executions;
    uint64_t events;
};

static struct tree_row *read_rows(const char *path, uint32_t *count)
{
    FILE *in = fopen(path, "r");
    if (!in || fseek(in, 0, SEEK_END))
        stop("the tree cannot be read");
    *count = (uint32_t)((size_t)ftell(in) / sizeof(struct tree_row));
    struct tree_row *row = room_for(*count, sizeof *row);
    rewind(in);
    if (!*count || fread(row, sizeof *row, *count, in) != *count)
        stop("the tree cannot be read");
    fclose(in);
    return row;
}

// Branches that are owed, oldest first: a node each, numbered when they are found.
static struct tree read_tree(const char *path)
{
    uint32_t rows, open = 0, found = 1, at = 0;
    struct tree_row *row = read_rows(path, &rows);
    struct tree t = {.executions = rows};
    uint32_t most = rows, deepest = 0;
    for (uint32_t i = 0; i < rows; i++) {
        most += row[i].owed - (i ? row[i - 1].left : 0); // at least as many as there are
        deepest = row[i].owed > deepest ? row[i].owed : deepest;
    }
    t.node = room_for(most + 1, sizeof *t.node);
    t.child = room_for(most + 1, sizeof *t.child);
    uint32_t *stack = room_for(deepest + 1, sizeof *stack), children = 0;
    for (uint32_t i = 0; i < rows; i++) {
        struct node *n = &t.node[at];
        n->fresh = row[i].fresh;
        n->length = row[i].length;
        n->first = children;
        t.events += n->fresh;
        for (; open < row[i].owed; open++) {
            stack[open] = t.child[children++] = found++;
            n->count++;
        }
        if (row[i].owed != open || row[i].left > open || (i + 1 < rows && row[i].left == open))
            stop("this is not the tree of a search by one worker");
        open = row[i].left; // those in between were refused, but for the last one
        at = stack[open];
    }
    t.count = found;
    free(row);
    free(stack);
    return t;
}

// ---- workers ----

struct frame {
    uint32_t low, high; // children that are still owed, in `child`
};

struct worker {
    double until; // its execution ends then
    uint32_t node;
    struct frame *frame;
    uint32_t frames, room, lowest;
    bool idle;
};

struct simulation {
    const struct tree *tree;
    double event, execution, hand_over;
    struct worker *worker;
    uint32_t workers, idle;
    uint32_t *heap, busy; // workers by the time at which they look up
    uint32_t *waits;      // those that are idle
    double lock_free, over, worked;
    uint64_t parts, begun;
};

static double cost_of(const struct simulation *s, uint32_t node)
{
    const struct node *n = &s->tree->node[node];
    return s->execution > 0 ? s->execution : s->event * (n->fresh ? n->fresh : 1);
}

static bool is_earlier(const struct simulation *s, uint32_t a, uint32_t b)
{
    return s->worker[s->heap[a]].until < s->worker[s->heap[b]].until;
}

static void swap(uint32_t *a, uint32_t *b)
{
    uint32_t c = *a;
    *a = *b;
    *b = c;
}

static void heap_put(struct simulation *s, uint32_t worker)
{
    uint32_t i = s->busy++;
    s->heap[i] = worker;
    for (; i && is_earlier(s, i, (i - 1) / 2); i = (i - 1) / 2)
        swap(&s->heap[i], &s->heap[(i - 1) / 2]);
}

static uint32_t heap_take(struct simulation *s)
{
    uint32_t first = s->heap[0], i = 0;
    s->heap[0] = s->heap[--s->busy];
    for (;;) {
        uint32_t least = i;
        for (uint32_t k = 2 * i + 1; k <= 2 * i + 2 && k < s->busy; k++)
            if (is_earlier(s, k, least))
                least = k;
        if (least == i)
            return first;
        swap(&s->heap[i], &s->heap[least]);
        i = least;
    }
}

static void begin_node(struct simulation *s, uint32_t worker, uint32_t node, double at)
{
    struct worker *w = &s->worker[worker];
    s->begun++;
    w->node = node;
    w->until = at + cost_of(s, node);
    s->worked += cost_of(s, node);
    heap_put(s, worker);
}

static void push_frame(struct worker *w, struct frame frame)
{
    if (frame.low == frame.high)
        return;
    if (w->frames == w->room) {
        w->room = w->room ? 2 * w->room : 16;
        w->frame = realloc(w->frame, w->room * sizeof *w->frame);
        if (!w->frame)
            stop("there is no memory");
    }
    w->frame[w->frames++] = frame;
}

static void drop_empty(struct worker *w)
{
    while (w->frames && w->frame[w->frames - 1].low == w->frame[w->frames - 1].high)
        w->frames--;
    while (w->lowest < w->frames && w->frame[w->lowest].low == w->frame[w->lowest].high)
        w->lowest++;
    if (w->lowest >= w->frames)
        w->frames = w->lowest = 0;
}

// Gives the oldest branch away, if somebody waits. Says when the giver goes on.
static double give(struct simulation *s, struct worker *w, double at)
{
    const double held = s->hand_over / 10;
    if (!s->idle || w->lowest >= w->frames)
        return at;
    uint32_t node = s->tree->child[w->frame[w->lowest].low++], to = s->waits[--s->idle];
    at = (at > s->lock_free ? at : s->lock_free) + held;
    s->lock_free = at;
    s->parts++;
    s->worker[to].idle = false;
    const struct node *n = &s->tree->node[node];
    double way = s->execution > 0 ? 0 : s->event * (n->length - n->fresh);
    begin_node(s, to, node, at + s->hand_over + way);
    drop_empty(w);
    return at;
}

static void look_up(struct simulation *s, uint32_t worker)
{
    struct worker *w = &s->worker[worker];
    const struct node *n = &s->tree->node[w->node];
    push_frame(w, (struct frame){n->first, n->first + n->count});
    drop_empty(w);
    double at = give(s, w, w->until);
    if (w->lowest < w->frames) {
        uint32_t node = s->tree->child[--w->frame[w->frames - 1].high];
        drop_empty(w);
        begin_node(s, worker, node, at);
        return;
    }
    w->idle = true;
    s->waits[s->idle++] = worker;
    s->over = at > s->over ? at : s->over;
}

static void simulate(struct simulation *s)
{
    s->worker = room_for(s->workers, sizeof *s->worker);
    s->heap = room_for(s->workers, sizeof *s->heap);
    s->waits = room_for(s->workers, sizeof *s->waits);
    for (uint32_t i = s->workers; i-- > 1;)
        s->waits[s->idle++] = i;
    begin_node(s, 0, 0, 0);
    while (s->busy)
        look_up(s, heap_take(s));
    for (uint32_t i = 0; i < s->workers; i++)
        free(s->worker[i].frame);
    free(s->worker);
    free(s->heap);
    free(s->waits);
}

// ---- what a hand-over costs ----

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct pair {
    volatile uint32_t turn;
    char part[4096];
};

// Waits for its turn as ledger_wait does, and makes it the other's, with a part.
static void pass_on(struct pair *p, uint32_t self)
{
    char part[sizeof p->part];
    while (__atomic_load_n(&p->turn, __ATOMIC_ACQUIRE) != self)
        syscall(SYS_futex, &p->turn, FUTEX_WAIT, 1 - self, NULL, NULL, 0);
    memcpy(part, p->part, sizeof part);
    part[self]++;
    memcpy(p->part, part, sizeof part);
    __atomic_store_n(&p->turn, 1 - self, __ATOMIC_RELEASE);
    syscall(SYS_futex, &p->turn, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static int measure(void)
{
    enum { TIMES = 20000 };
    struct pair *p = mmap(NULL, sizeof *p, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        stop("there is no memory to share");
    double began = now();
    pid_t other = fork();
    if (other < 0)
        stop("there is no second process");
    for (int i = 0; i < TIMES; i++)
        pass_on(p, other ? 0 : 1);
    if (!other)
        _exit(0);
    waitpid(other, NULL, 0);
    printf("%.9f\n", (now() - began) / (2 * TIMES));
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "--hand-over"))
        return measure();
    if (argc < 6)
        stop("use: TREE SECONDS HAND_OVER EXECUTION WORKERS…, or --hand-over");
    struct tree tree = read_tree(argv[1]);
    for (int i = 5; i < argc; i++) {
        struct simulation s = {.tree = &tree,
                               .event = strtod(argv[2], NULL) / (double)tree.events,
                               .hand_over = strtod(argv[3], NULL),
                               .execution = strtod(argv[4], NULL),
                               .workers = (uint32_t)strtoul(argv[i], NULL, 10)};
        if (!s.workers)
            stop("there must be a worker");
        simulate(&s);
        if (s.begun != tree.count)
            stop("a branch was lost, or run twice");
        printf("%u %.1f %.1f %" PRIu64 " %.0f\n", s.workers, s.worked / s.over, 100 * s.worked / s.over / s.workers,
               s.parts, (double)s.parts / s.over);
    }
    free(tree.node);
    free(tree.child);
    return 0;
}
