// Memory that programs map: threads take turns, under one mutex, at mapping, unmapping, protecting, moving and clearing pages and
// at reading and writing them. What each order of their steps comes to is found by trying them all on a model of pages.
// One in four programs does a step without the mutex instead: then it races, or it is one that does not matter.
#include <stdbool.h>
#include <string.h>

#include "draw.h"

enum { SLOTS = 2, PAGES = 4, WORDS = 2, THREADS = 3, MOST_STEPS = 4 };

enum { UNMAPPED = -1, NO_ACCESS = 0, READ_ONLY = 1, ALL_ACCESS = 3 };

enum kind { UNMAP, PROTECT, WRITE, FILL, ADD, CHECK, COPY, CLEAR, REPLACE, GROW, SHRINK, MAP, KINDS };

struct step {
    enum kind kind;
    int slot, page, pages, word, value, access;
    bool atomic;
};

struct slot {
    int size; // pages that p[] and size[] speak of; 0: nothing
    int access[PAGES + 2];
    int value[PAGES + 2][WORDS];
};

struct world {
    struct slot slot[SLOTS];
};

static struct step steps[THREADS][MOST_STEPS];
static int counts[THREADS], threads;
static bool shared[SLOTS];
static bool failed_signal, failed_unmap, failed_assertion, learning;

enum outcome { FINE, SIGNAL, USE_AFTER_UNMAP, ASSERTION };

static enum outcome may(const struct slot *s, int page, bool write)
{
    if (s->access[page] == UNMAPPED)
        return USE_AFTER_UNMAP;
    return s->access[page] & (write ? 2 : 1) ? FINE : SIGNAL;
}

static void clear(struct slot *s, int page)
{
    memset(s->value[page], 0, sizeof s->value[page]);
}

static enum outcome change(struct slot *s, const struct step *a)
{
    enum outcome o = may(s, a->page, a->kind != CHECK);
    int *v = &s->value[a->page][a->word];
    if (o)
        return o;
    switch (a->kind) {
    case WRITE:
    case FILL:
        *v = a->value;
        return FINE;
    case ADD:
        *v += a->value;
        return FINE;
    default:
        return *v == a->value ? FINE : ASSERTION;
    }
}

static enum outcome copy(struct world *w, const struct step *a)
{
    struct slot *from = &w->slot[a->slot], *to = &w->slot[(a->slot + 1) % SLOTS];
    if (!from->size || a->page >= from->size || a->page >= to->size)
        return FINE;
    enum outcome o = may(from, a->page, false);
    o = o ? o : may(to, a->page, true);
    if (!o)
        memcpy(to->value[a->page], from->value[a->page], sizeof to->value[a->page]);
    return o;
}

static enum outcome apply(struct world *w, struct step *a)
{
    struct slot *s = &w->slot[a->slot];
    int end = a->page + a->pages;
    if (a->kind == COPY)
        return copy(w, a);
    if (a->kind == MAP) {
        if (!s->size)
            for (s->size = a->pages, end = 0; end < a->pages; clear(s, end), end++)
                s->access[end] = ALL_ACCESS;
        return FINE;
    }
    if (!s->size || (end > s->size && a->kind != GROW && a->kind != SHRINK))
        return FINE;
    if (a->kind >= WRITE && a->kind <= CHECK) {
        if (a->kind == CHECK && learning && !may(s, a->page, false))
            a->value = s->value[a->page][a->word];
        return change(s, a);
    }
    bool whole = true;
    for (int i = a->page; i < end && end <= s->size; i++)
        whole = whole && s->access[i] != UNMAPPED;
    bool same = true;
    for (int i = 0; i < s->size; i++)
        same = same && s->access[i] == ALL_ACCESS;
    if (a->kind == GROW ||
        a->kind == SHRINK) { // only of memory that is one piece, or what mremap does is another matter
        if (!same)
            return FINE;
        if (a->kind == GROW && s->size < PAGES + 2) {
            s->access[s->size] = ALL_ACCESS;
            clear(s, s->size++);
        } else if (a->kind == SHRINK && s->size > 1) {
            s->size--;
        }
        return FINE;
    }
    for (int i = a->page; i < end; i++) {
        if (a->kind == UNMAP)
            s->access[i] = UNMAPPED;
        else if (a->kind == PROTECT && whole)
            s->access[i] = a->access;
        else if (a->kind == CLEAR && whole && !shared[a->slot])
            clear(s, i);
        else if (a->kind == REPLACE)
            clear(s, i), s->access[i] = ALL_ACCESS;
    }
    return FINE;
}

static void explore(struct world w, const int *at)
{
    for (int t = 0; t < threads; t++) {
        if (at[t] == counts[t])
            continue;
        struct world next = w;
        int then[THREADS];
        memcpy(then, at, sizeof then);
        enum outcome o = apply(&next, &steps[t][then[t]++]);
        failed_signal |= o == SIGNAL;
        failed_unmap |= o == USE_AFTER_UNMAP;
        failed_assertion |= o == ASSERTION;
        if (o == FINE)
            explore(next, then);
    }
}

static struct world begin(void)
{
    struct world w = {0};
    for (int i = 0; i < SLOTS; i++) {
        w.slot[i].size = i ? PAGES : 2;
        for (int page = 0; page < w.slot[i].size; page++)
            w.slot[i].access[page] = ALL_ACCESS, w.slot[i].value[page][0] = page + 1;
    }
    return w;
}

// Once in the order of the threads, so that what is checked holds there, if the drawn steps go through at all.
static void learn(void)
{
    struct world w = begin();
    learning = true;
    for (int t = 0; t < threads; t++)
        for (int i = 0; i < counts[t]; i++)
            apply(&w, &steps[t][i]);
    learning = false;
}

static const char *access_name(int access)
{
    return access == NO_ACCESS ? "PROT_NONE" : access == READ_ONLY ? "PROT_READ" : "PROT_READ | PROT_WRITE";
}

static void print_step(const struct step *a, const char *indent)
{
    int s = a->slot;
    const char *flags = shared[s] ? "MAP_SHARED" : "MAP_PRIVATE";
    printf("%s", indent);
    switch (a->kind) {
    case MAP:
        printf("if (!size[%d]) {\n%s    p[%d] = mmap(0, %d * PAGE, PROT_READ | PROT_WRITE, %s | MAP_ANONYMOUS, -1, "
               "0);\n%s    size[%d] = %d;\n%s}\n",
               s, indent, s, a->pages, flags, indent, s, a->pages, indent);
        return;
    case COPY:
        printf("if (%d < size[%d] && %d < size[%d])\n%s    memcpy(page(%d, %d), page(%d, %d), %d * sizeof(int));\n",
               a->page, s, a->page, (s + 1) % SLOTS, indent, (s + 1) % SLOTS, a->page, s, a->page, WORDS);
        return;
    case GROW:
    case SHRINK:
        printf("if (intact(%d) && size[%d] %s) {\n%s    p[%d] = mremap(p[%d], (size_t)size[%d] * PAGE, "
               "(size_t)(size[%d] %c 1) * PAGE, MREMAP_MAYMOVE);\n"
               "%s    assert(p[%d] != MAP_FAILED);\n%s    open_[%d][size[%d]] = 1;\n%s    size[%d]%s;\n%s}\n",
               s, s, a->kind == GROW ? "< PAGES + 2" : "> 1", indent, s, s, s, s, a->kind == GROW ? '+' : '-', indent,
               s, indent, s, s, indent, s, a->kind == GROW ? "++" : "--", indent);
        return;
    default:
        break;
    }
    printf("if (size[%d] >= %d)\n%s    ", s, a->page + a->pages, indent);
    switch (a->kind) {
    case UNMAP:
        printf("shut(%d, %d, %d), munmap(page(%d, %d), %d * PAGE);\n", s, a->page, a->pages, s, a->page, a->pages);
        break;
    case PROTECT:
        printf("mprotect(page(%d, %d), %d * PAGE, %s) ? (void)0 : %s(%d, %d, %d);\n", s, a->page, a->pages,
               access_name(a->access), a->access == ALL_ACCESS ? "reopen" : "shut", s, a->page, a->pages);
        break;
    case WRITE:
        if (a->atomic)
            printf("__atomic_store_n(page(%d, %d) + %d, %d, __ATOMIC_RELAXED);\n", s, a->page, a->word, a->value);
        else
            printf("page(%d, %d)[%d] = %d;\n", s, a->page, a->word, a->value);
        break;
    case FILL:
        printf("memcpy(page(%d, %d) + %d, &(int){%d}, sizeof(int));\n", s, a->page, a->word, a->value);
        break;
    case ADD:
        if (a->atomic)
            printf("__atomic_fetch_add(page(%d, %d) + %d, %d, __ATOMIC_RELAXED);\n", s, a->page, a->word, a->value);
        else
            printf("page(%d, %d)[%d] += %d;\n", s, a->page, a->word, a->value);
        break;
    case CHECK:
        if (a->atomic)
            printf("assert(__atomic_load_n(page(%d, %d) + %d, __ATOMIC_RELAXED) == %d);\n", s, a->page, a->word,
                   a->value);
        else
            printf("assert(page(%d, %d)[%d] == %d);\n", s, a->page, a->word, a->value);
        break;
    case CLEAR:
        printf("madvise(page(%d, %d), %d * PAGE, MADV_DONTNEED);\n", s, a->page, a->pages);
        break;
    default:
        printf("reopen(%d, %d, %d), mmap(page(%d, %d), %d * PAGE, PROT_READ | PROT_WRITE, %s | MAP_ANONYMOUS | "
               "MAP_FIXED, -1, 0);\n",
               s, a->page, a->pages, s, a->page, a->pages, flags);
    }
}

static void draw_steps(void)
{
    threads = 2 + (draw(4) == 0);
    for (int i = 0; i < SLOTS; i++)
        shared[i] = draw(3) == 0;
    for (int t = 0; t < threads; t++) {
        counts[t] = 1 + (int)draw(threads == 2 ? 4 : 2);
        for (int i = 0; i < counts[t]; i++) {
            static const enum kind often[] = {WRITE, ADD, CHECK, CHECK, FILL, WRITE};
            struct step *a = &steps[t][i];
            a->kind = draw(5) < 3 ? often[draw(6)] : (enum kind)draw(KINDS);
            a->slot = (int)draw(SLOTS);
            a->page = (int)draw(3);
            a->pages = a->kind >= WRITE && a->kind <= COPY ? 1 : 1 + (int)draw(2);
            a->word = (int)draw(WORDS);
            a->value = 1 + (int)draw(5);
            a->access = (int[]){NO_ACCESS, READ_ONLY, ALL_ACCESS}[draw(3)];
            a->atomic = draw(4) == 0;
        }
    }
}

static void print_head(void)
{
    puts(
        "#define _GNU_SOURCE\n#include <assert.h>\n#include <pthread.h>\n#include <string.h>\n#include <sys/mman.h>\n");
    printf("enum { PAGE = 4096, SLOTS = %d, PAGES = %d };\n", SLOTS, PAGES);
    puts("static char *p[SLOTS];\nstatic int size[SLOTS], open_[SLOTS][PAGES + 2];\n"
         "static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n\n"
         "static __attribute__((unused)) int *page(int slot, int number)\n{\n    return (int *)(void *)(p[slot] + "
         "number * PAGE);\n}\n\n"
         "static __attribute__((unused)) void shut(int slot, int first, int count)\n{\n    while (count--)\n        "
         "open_[slot][first++] = 0;\n}\n\n"
         "static __attribute__((unused)) void reopen(int slot, int first, int count)\n{\n    while (count--)\n        "
         "open_[slot][first++] = 1;\n}\n\n"
         "static __attribute__((unused)) int intact(int slot)\n{\n    int all = size[slot];\n    for (int i = 0; i < "
         "size[slot]; i++)\n        all = all && open_[slot][i];\n    return all;\n}\n");
}

static void print_main(void)
{
    puts("int main(void)\n{");
    printf("    pthread_t thread[%d];\n", threads);
    for (int i = 0; i < SLOTS; i++)
        printf("    size[%d] = %d;\n    p[%d] = mmap(0, %d * PAGE, PROT_READ | PROT_WRITE, %s | MAP_ANONYMOUS, -1, "
               "0);\n    reopen(%d, 0, %d);\n"
               "    for (int i = 0; i < %d; i++)\n        page(%d, i)[0] = i + 1;\n",
               i, i ? PAGES : 2, i, i ? PAGES : 2, shared[i] ? "MAP_SHARED" : "MAP_PRIVATE", i, i ? PAGES : 2,
               i ? PAGES : 2, i);
    for (int t = 0; t < threads; t++)
        printf("    pthread_create(&thread[%d], 0, thread_%d, 0);\n", t, t);
    for (int t = 0; t < threads; t++)
        printf("    pthread_join(thread[%d], 0);\n", t);
    puts("}");
}

static void print_locked(void)
{
    learn();
    int at[THREADS] = {0};
    explore(begin(), at);
    int kinds = failed_signal + failed_unmap + failed_assertion;
    printf("// expect: %s%s\n", kinds ? "bug" : "verified",
           kinds != 1      ? ""
           : failed_signal ? " signal"
           : failed_unmap  ? " use-after-unmap"
                           : " assertion");
    print_head();
    for (int t = 0; t < threads; t++) {
        printf("static void *thread_%d(void *none)\n{\n", t);
        for (int i = 0; i < counts[t]; i++) {
            puts("    pthread_mutex_lock(&lock);");
            print_step(&steps[t][i], "    ");
            puts("    pthread_mutex_unlock(&lock);");
        }
        puts("    return none;\n}\n");
    }
    print_main();
}

// One thread accesses a page, the other does something to it, and nothing orders them.
static void print_racing(void)
{
    static const enum kind does[] = {UNMAP, PROTECT, CLEAR, REPLACE, CHECK};
    struct step access = {
        .kind = draw(2) ? CHECK : WRITE, .slot = 1, .page = (int)draw(3), .pages = 1, .atomic = draw(2) == 0};
    struct step other = {.kind = does[draw(5)],
                         .slot = 1,
                         .page = access.page,
                         .pages = 1,
                         .access = (int)draw(2),
                         .value = access.page + 1};
    bool writes = access.kind == WRITE;
    threads = 2;
    access.value = access.page + 1;
    shared[1] = draw(2) && other.kind != CLEAR;
    bool matters = other.kind == CHECK ? writes : other.kind != PROTECT || other.access == NO_ACCESS || writes;
    printf("// expect: %s\n", matters ? "bug" : "verified");
    print_head();
    bool first = draw(2);
    for (int t = 0; t < 2; t++) {
        printf("static void *thread_%d(void *none)\n{\n", t);
        print_step(first == (t == 0) ? &access : &other, "    ");
        puts("    return none;\n}\n");
    }
    print_main();
}

int main(int argc, char **argv)
{
    draw_begin(argc, argv);
    if (draw(4)) {
        draw_steps();
        print_locked();
    } else {
        print_racing();
    }
}
