// Programs that free their nodes, checked with --reuse: containers under a lock, and counted references. The wrong twin
// uses a node after it was freed, forgets the lock once, frees twice, or is a stack that an ABA breaks.
#include "draw.h"

enum fault { NONE, LATE_READ, NO_LOCK, TWICE, ABA };

static void prologue(int fault)
{
    printf("// expect: %s options: --reuse --time 20\n", fault ? "bug" : "verified");
    puts("#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n#include <string.h>");
}

static void start(int threads)
{
    printf("int main(void)\n{\n    pthread_t t[%d];\n    setup();\n", threads);
    for (int i = 0; i < threads; i++)
        printf("    pthread_create(&t[%d], 0, t%d, 0);\n", i, i);
    printf("    for (int i = 0; i < %d; i++) pthread_join(t[i], 0);\n    finish();\n    return 0;\n}\n", threads);
}

// A stack or a queue of nodes under one mutex; every value is taken at most once and none is invented.
static void container(int fault)
{
    int threads = 2 + (int)draw(2), calls = threads == 2 ? 3 : 2, extra = (int)draw(6) * 8;
    const char *allocate = draw_of("malloc(sizeof(struct node))", "calloc(1, sizeof(struct node))",
                                   "realloc(malloc(8), sizeof(struct node))");
    int early = (int)draw(2), inside = (int)draw(2), fifo = fault != NO_LOCK && draw(2),
        bad = fault ? (int)draw((unsigned)threads) : -1;
    printf("struct node { struct node *next; long value; char more[%d]; };\n", extra + 8);
    puts("static struct node *head, *tail;\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic atomic_int "
         "taken[32];");
    printf("static void push(long v)\n{\n    struct node *n;\n    %s\n", early ? "" : "pthread_mutex_lock(&m);");
    printf("    n = %s; n->value = v; n->next = 0;\n    memset(n->more, (int)v, sizeof n->more);\n    %s\n", allocate,
           early ? "pthread_mutex_lock(&m);" : "");
    if (fifo)
        puts("    if (tail) tail->next = n; else head = n;\n    tail = n;");
    else
        puts("    n->next = head; head = n;");
    puts("    pthread_mutex_unlock(&m);\n}");
    puts("static void pop(int bad)\n{\n    (void)bad;");
    printf("    %spthread_mutex_lock(&m);\n", fault == NO_LOCK ? "if (!bad) " : "");
    printf("    struct node *n = head;\n    if (n) { head = n->next; if (!head) tail = 0; }\n");
    const char *use = "long v = n->value; assert(v > 0 && v < 32 && n->more[1] == (char)v); assert(!taken[v]++);";
    const char *release = fault == TWICE ? "free(n); if (bad) free(n);" : "free(n);";
    const char *late = "if (bad) { free(n); n->value++; }";
    if (inside)
        printf("    if (n) { %s %s %s }\n", use, fault == LATE_READ ? late : "",
               fault == LATE_READ ? "if (!bad) free(n);" : release);
    printf("    %spthread_mutex_unlock(&m);\n", fault == NO_LOCK ? "if (!bad) " : "");
    if (!inside)
        printf("    if (n) { %s %s %s }\n", use, fault == LATE_READ ? late : "",
               fault == LATE_READ ? "if (!bad) free(n);" : release);
    puts("}\nstatic void setup(void) { push(30); push(31); }\nstatic void finish(void) { while (head) pop(0); }");
    int value = 1;
    for (int i = 0; i < threads; i++) {
        printf("static void *t%d(void *a)\n{\n", i);
        if (i == bad)
            puts("    pop(1);");
        for (int k = i == bad; k < calls; k++) {
            if (draw(2))
                printf("    push(%d);\n", value++);
            else
                puts("    pop(0);");
        }
        puts("    return a;\n}");
    }
    // The unlocked pop and the late one need somebody beside them, and a node to take.
    if (bad >= 0)
        puts("static void *other(void *a) { push(29); pop(0); push(28); return a; }");
    printf("int main(void)\n{\n    pthread_t t[%d], o;\n    setup();\n", threads);
    for (int i = 0; i < threads; i++)
        printf("    pthread_create(&t[%d], 0, t%d, 0);\n", i, i);
    if (bad >= 0 && threads == 2)
        puts("    pthread_create(&o, 0, other, 0); pthread_join(o, 0);");
    else if (bad >= 0)
        puts("    (void)o; (void)other;");
    else
        puts("    (void)o;");
    printf("    for (int i = 0; i < %d; i++) pthread_join(t[i], 0);\n    finish();\n    return 0;\n}\n", threads);
}

// One object, counted by who holds it; whoever lets go last frees it and makes another of the same size.
static void counted(int fault)
{
    int threads = 2 + (int)draw(2);
    puts("struct box { atomic_int held; long value; };\nstatic struct box *box;\nstatic atomic_long sum;");
    printf("static void setup(void) { box = malloc(sizeof *box); atomic_init(&box->held, %d); box->value = 7; "
           "}\nstatic void finish(void) { assert(sum == %d * 7); }\n",
           threads, threads);
    puts("static void let_go(struct box *b)\n{");
    if (fault == TWICE)
        puts("    int held = atomic_load(&b->held); atomic_store(&b->held, held - 1); if (held <= 1 || "
             "!atomic_load(&b->held)) {");
    else
        printf("    if (atomic_fetch_sub_explicit(&b->held, 1, memory_order_%s) == 1) {\n",
               draw_of("acq_rel", "seq_cst"));
    puts("        free(b); struct box *again = malloc(sizeof *again); again->value = 8; atomic_init(&again->held, "
         "1);\n        assert(again->value == 8); free(again);\n    }\n}");
    for (int i = 0; i < threads; i++) {
        printf("static void *t%d(void *a)\n{\n", i);
        if (fault == LATE_READ && i == 0)
            puts("    let_go(box); sum += box->value;");
        else
            puts("    sum += box->value; let_go(box);");
        puts("    return a;\n}");
    }
    start(threads);
}

// Treiber's stack. Its nodes are looked at while another thread may free them; the wrong one shows it or the ABA behind it.
static void treiber(int fault)
{
    puts("struct node { _Atomic(struct node *) next; long value; };\nstatic _Atomic(struct node *) head;\nstatic "
         "atomic_int taken[8];");
    puts("static void push(long v)\n{\n    struct node *n = malloc(sizeof *n); n->value = v;\n    struct node *h = "
         "head;\n"
         "    do n->next = h; while (!atomic_compare_exchange_strong(&head, &h, n));\n}");
    puts("static struct node *detach(void)\n{\n    struct node *h = head;\n"
         "    while (h && !atomic_compare_exchange_strong(&head, &h, h->next)) ;\n    return h;\n}");
    printf("static void pop(void) { struct node *n = detach(); if (n) { assert(!taken[n->value]++); %s } }\n",
           fault ? "free(n);" : "");
    puts("static void setup(void) { push(1); push(2); }\nstatic void finish(void) { }");
    puts("static void *t0(void *a) { pop(); return a; }");
    printf("static void *t1(void *a) { pop(); %s push(3); return a; }\n", draw(2) ? "pop();" : "");
    start(2);
}

int main(int argc, char **argv)
{
    draw_begin(argc, argv);
    int fault = draw(2) ? 1 + (int)draw(4) : NONE, shape = (int)draw(3);
    if (shape == 2 || fault == ABA) {
        fault = fault ? ABA : NONE;
        prologue(fault);
        treiber(fault);
    } else if (shape == 1) {
        fault = fault == NO_LOCK ? TWICE : fault;
        prologue(fault);
        counted(fault);
    } else {
        prologue(fault);
        container(fault);
    }
    return 0;
}
