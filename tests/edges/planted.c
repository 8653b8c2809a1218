// Programs with a write that heddle cannot see: an instruction that stands in the program as data, so that no compiler and no
// assembler knows of it. Threads take turns in critical sections; the order they come in, and what each reads, is known by
// simulating it here.
//
// Undo misses such a write. Wrong programs fail in one of the orders, as it really is, and have to be a bug; right ones would fail
// only if a section read what another execution left behind, and must not be one. None is verified: nobody can tell whether the
// write races, and saying so is what shows that it was found.
#include <stdbool.h>

#include "draw.h"

enum { MOST_THREADS = 3, MOST_SECTIONS = 2, VARIABLES = 4 };

enum act { NOTHING, READ, WRITE, PLANTED };

struct section {
    enum act act;
    int variable, value;
};

static struct section sections[MOST_THREADS][MOST_SECTIONS];
static int counts[MOST_THREADS], threads;
static long first[VARIABLES]; // what main sets before there are threads; 0: nothing

static const struct {
    const char *name, *bytes, *call;
} stores[] = {
    {"movl %esi, (%rdi)", "0x89, 0x37, 0xc3", "store(p, v, 8)"},
    {"movq %rsi, (%rdi)", "0x48, 0x89, 0x37, 0xc3", "store(p, v, 8)"},
    {"movnti %rsi, (%rdi)", "0x48, 0x0f, 0xc3, 0x37, 0xc3", "store(p, v, 8)"},
    {"xchgl %esi, (%rdi)", "0x87, 0x37, 0xc3", "store(p, v, 8)"},
    {"movl %edx, %ecx; rep movsb", "0x89, 0xd1, 0xf3, 0xa4, 0xc3", "store(p, (long)&v, 8)"},
};

static void draw_sections(void)
{
    bool planted = false;
    threads = 2 + (int)draw(MOST_THREADS - 1);
    for (int t = 0; t < threads; t++) {
        counts[t] = threads == 3 && draw(2) ? 1 : 1 + (int)draw(MOST_SECTIONS);
        for (int s = 0; s < counts[t]; s++) {
            sections[t][s] = (struct section){(enum act)draw(4), (int)draw(VARIABLES), 1 + t * 10 + s};
            planted |= sections[t][s].act == PLANTED;
        }
    }
    if (!planted)
        sections[draw((unsigned)threads)][0] = (struct section){PLANTED, (int)draw(VARIABLES), 99};
    for (int v = 0; v < VARIABLES; v++)
        first[v] = draw(2) ? 200 + v : 0;
}

static const char *const names[VARIABLES] = {"plain", "*(long *)(wide + 8)", "*block", "*local"};

static void print_section(int t, int s)
{
    const struct section *c = &sections[t][s];
    const char *name = names[c->variable];
    printf("    pthread_mutex_lock(&mutex);\n    path = path * 10 + %d;\n", t + 1);
    if (c->act == READ)
        printf("    seen[%d] = %s;\n", t, name);
    if (c->act == WRITE)
        printf("    %s = %d;\n", name, c->value);
    if (c->act == PLANTED)
        printf("    plant(&%s, %d);\n", name, c->value);
    printf("    pthread_mutex_unlock(&mutex);\n");
}

static void print_thread(int t)
{
    printf("static void *thread%d(void *unused)\n{\n", t);
    for (int s = 0; s < counts[t]; s++)
        print_section(t, s);
    printf("    return unused;\n}\n\n");
}

// One order of all sections, and what is read in it.
static long simulate(long *seen)
{
    long value[VARIABLES], path = 0;
    int done[MOST_THREADS] = {0}, left = 0;
    for (int v = 0; v < VARIABLES; v++)
        value[v] = first[v];
    for (int t = 0; t < threads; t++)
        left += counts[t];
    while (left) {
        int t = (int)draw((unsigned)threads);
        if (done[t] == counts[t])
            continue;
        const struct section *c = &sections[t][done[t]++];
        left--;
        path = path * 10 + t + 1;
        if (c->act == READ)
            seen[t] = value[c->variable];
        if (c->act == WRITE || c->act == PLANTED)
            value[c->variable] = c->value;
    }
    return path;
}

static void print_same(const long *seen)
{
    for (int t = 0; t < threads; t++)
        printf("%sseen[%d] == %ld", t ? " && " : "", t, seen[t]);
}

static void print_main(bool wrong)
{
    long seen[MOST_THREADS] = {0}, path = simulate(seen);
    printf("int main(void)\n{\n    pthread_t thread[%d];\n    long on_stack = 0;\n    local = &on_stack;\n", threads);
    printf("    block = calloc(1, sizeof *block);\n");
    for (int v = 0; v < VARIABLES; v++)
        if (first[v])
            printf("    %s = %ld;\n", names[v], first[v]);
    for (int t = 0; t < threads; t++)
        printf("    pthread_create(&thread[%d], NULL, thread%d, NULL);\n", t, t);
    for (int t = 0; t < threads; t++)
        printf("    pthread_join(thread[%d], NULL);\n", t);
    printf("    assert(!(path == %ld && %s(", path, wrong ? "" : "!");
    print_same(seen);
    printf(")));\n    free(block);\n    return 0;\n}\n");
}

int main(int argc, char **argv)
{
    draw_begin(argc, argv);
    unsigned store = draw(sizeof stores / sizeof *stores);
    bool wrong = draw(2);
    draw_sections();
    printf("// expect: %s\n", wrong ? "bug assertion" : "incomplete");
    printf("#include <assert.h>\n#include <pthread.h>\n#include <stdint.h>\n#include <stdlib.h>\n\n");
    printf("// %s; ret\n", stores[store].name);
    printf("__attribute__((section(\".text.planted,\\\"ax\\\",@progbits#\"), used)) static const unsigned char code[] = {%s};\n\n",
           stores[store].bytes);
    printf("static void plant(void *p, long v)\n{\n    void (*store)(void *, long, long) = (void (*)(void *, long, long))(uintptr_t)code;\n");
    printf("    %s;\n}\n\n", stores[store].call);
    printf("static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;\nstatic long path, seen[%d], plain, *block, *local;\n", threads);
    printf("static char wide[24] __attribute__((aligned(16)));\n\n");
    for (int t = 0; t < threads; t++)
        print_thread(t);
    print_main(wrong);
    return 0;
}
