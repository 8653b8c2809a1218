// Objects for heddle lin that free their nodes, checked with --reuse: stacks and queues under a lock, and Treiber's stack. The wrong
// twin forgets the lock once, looks into a node after it was freed, frees it twice, or frees nodes that others may look into.
#include "draw.h"

enum fault { NONE, NO_LOCK, LATE_READ, TWICE, TOO_EARLY };

static void prologue(int fault, const char *options)
{
    printf("// expect: %s lin options: --reuse --threads 2 --calls 2 --repair 0 %s\n", fault ? "bug" : "verified",
           options);
    puts("#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n#include <heddle/lin.h>");
    printf("struct node { struct node *next; int64_t value; char more[%u]; };\n", 8 + 8 * draw(4));
}

static void locked(int fault)
{
    int fifo = (int)draw(2), early = (int)draw(2), inside = fault == LATE_READ || draw(2);
    prologue(fault, draw(2) ? "--total 3 --before=push(1)" : "--total 4");
    puts("struct object { pthread_mutex_t lock; struct node *head, *tail; };\n"
         "static void *create(void)\n{\n    struct object *o = calloc(1, sizeof *o);\n    pthread_mutex_init(&o->lock, "
         "0);\n    return o;\n}");
    puts("static int64_t push(void *object, const int64_t *a)\n{\n    struct object *o = object;\n    struct node *n;");
    const char *make = "    n = malloc(sizeof *n); n->value = a[0]; n->next = 0;";
    if (early)
        puts(make);
    puts("    pthread_mutex_lock(&o->lock);");
    if (!early)
        puts(make);
    puts(fifo ? "    if (o->tail) o->tail->next = n; else o->head = n;\n    o->tail = n;"
              : "    n->next = o->head; o->head = n;");
    puts("    pthread_mutex_unlock(&o->lock);\n    return HEDDLE_NIL;\n}");
    puts("static int64_t pop(void *object, const int64_t *a)\n{\n    struct object *o = object;\n    int64_t value = "
         "HEDDLE_NIL;\n    (void)a;");
    if (fault != NO_LOCK)
        puts("    pthread_mutex_lock(&o->lock);");
    puts("    struct node *n = o->head;\n    if (n) { o->head = n->next; if (!o->head) o->tail = 0; }");
    const char *end = fault == LATE_READ ? "    if (n) { free(n); value = n->value; }"
                      : fault == TWICE   ? "    if (n) { value = n->value; free(n); free(n); }"
                                         : "    if (n) { value = n->value; free(n); }";
    if (inside)
        puts(end);
    if (fault != NO_LOCK)
        puts("    pthread_mutex_unlock(&o->lock);");
    if (!inside)
        puts(end);
    puts("    return value;\n}");
}

static void lock_free(int fault)
{
    prologue(fault, "--total 3 --before=push(1)push(2)");
    puts("struct object { _Atomic(struct node *) top; };\n"
         "static void *create(void) { return calloc(1, sizeof(struct object)); }");
    puts("static int64_t push(void *object, const int64_t *a)\n{\n    struct object *o = object;\n    struct node *n = "
         "malloc(sizeof *n);\n"
         "    n->value = a[0]; n->next = atomic_load(&o->top);\n    while (!atomic_compare_exchange_strong(&o->top, "
         "&n->next, n));\n"
         "    return HEDDLE_NIL;\n}");
    puts("static int64_t pop(void *object, const int64_t *a)\n{\n    struct object *o = object;\n    struct node *n = "
         "atomic_load(&o->top);\n    (void)a;\n"
         "    while (n && !atomic_compare_exchange_strong(&o->top, &n, n->next));\n    if (!n) return HEDDLE_NIL;\n"
         "    int64_t value = n->value;");
    if (fault)
        puts("    free(n);");
    puts("    return value;\n}");
}

int main(int argc, char **argv)
{
    draw_begin(argc, argv);
    int fault = draw(2) ? 1 + (int)draw(4) : NONE;
    if (fault == TOO_EARLY || (!fault && !draw(3)))
        lock_free(fault);
    else
        locked(fault);
    puts("heddle_lin(.create = create, .operations = {{\"push\", push, {HEDDLE_FRESH}}, {\"pop\", pop}});");
    return 0;
}
