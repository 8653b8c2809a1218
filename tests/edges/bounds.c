// Programs that go beyond what a search can follow or has time for: heddle says so, accuses nobody and verifies nothing.
#include "draw.h"

static const char head[] = "#include <assert.h>\n#include <heddle/heddle.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n\n"
                           "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic atomic_int x;\nstatic long plain[4096];\n\n";

// What a thread does for ever, or far too often.
static const char *const loops[] = {
    "for (;;) { pthread_mutex_lock(&m); plain[0]++; pthread_mutex_unlock(&m); }",
    "for (unsigned i = 0;; i++) plain[i % 4096] = i;",
    "for (;;) atomic_fetch_add(&x, 1);",
    "while (heddle_choose(3)) ;",
    "for (;;) { long *p = malloc(1 << 12); *p = 1; free(p); }",
};

int main(int argc, char **argv)
{
    draw_begin(argc, argv);
    unsigned kind = draw(3), loop = draw(5), bound = 1 + draw(40);
    if (kind == 0) { // a thread, or main alone
        printf("// expect: incomplete options: --time 2 --explain 1\n%s", head);
        if (draw(2))
            printf("int main(void)\n{\n    %s\n    return 0;\n}\n", loop == 3 ? loops[0] : loops[loop]);
        else
            printf("static void *t(void *n)\n{\n    %s\n    return n;\n}\n\nint main(void)\n{\n    pthread_t a;\n"
                   "    pthread_create(&a, 0, t, 0);\n    pthread_join(a, 0);\n    return 0;\n}\n", loops[loop]);
    } else if (kind == 1) { // no execution satisfies what is assumed
        printf("// expect: incomplete\n%sstatic void *t(void *n)\n{\n    atomic_fetch_add(&x, 1);\n    heddle_assume(heddle_choose(%u) == %u);\n"
               "    assert(0);\n    return n;\n}\n\nint main(void)\n{\n    pthread_t a, b;\n    pthread_create(&a, 0, t, 0);\n"
               "    pthread_create(&b, 0, t, 0);\n    pthread_join(a, 0);\n    pthread_join(b, 0);\n    return 0;\n}\n", head, 2 + draw(3), 7 + draw(9));
    } else { // more events than an execution may have
        unsigned each = 1 + draw(20);
        printf("// expect: %s options: --max-steps %u\n%sstatic void *t(void *n)\n{\n    for (int i = 0; i < %u; i++)\n        atomic_fetch_add(&x, 1);\n"
               "    return n;\n}\n\nint main(void)\n{\n    pthread_t a;\n    pthread_create(&a, 0, t, 0);\n    pthread_join(a, 0);\n    return 0;\n}\n",
               each > bound ? "incomplete" : "right", bound, head, each);
    }
    return 0;
}
