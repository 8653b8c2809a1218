// Contexts: threads that go round among several of their own, each on a stack of static memory or from malloc, with steps on
// all of them. The right programs count atomically; the wrong ones read and write, so that a count can be lost.
#include "draw.h"

#include <stdbool.h>

int main(int argc, char **argv)
{
    draw_begin(argc, argv);
    unsigned routines = 1 + draw(2), rounds = 1 + draw(2), threads = 2;
    bool bug = draw(2), heap = draw(2), link = draw(2), jump = !link || draw(2), deep = draw(2);
    printf("// expect: %s options: --restart %s\n", bug ? "bug assertion" : "verified", draw_of("auto", "auto", "replay", "fork", "verify"));
    printf("#include <assert.h>\n#include <pthread.h>\n#include <setjmp.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n"
           "#include <ucontext.h>\n\nenum { ROUTINES = %u, ROUNDS = %u, THREADS = %u, STACK = %u };\n\n",
           routines, rounds, threads, 16384u << draw(3));
    printf("struct routine {\n    ucontext_t inside, outside;\n    jmp_buf end;\n    int at, local;\n    char stack[STACK];\n};\n\n"
           "static atomic_int count;\nstatic struct routine fixed[THREADS][ROUTINES];\nstatic __thread struct routine *current;\n\n");
    printf("static void add(void)\n{\n    %s\n}\n\n", bug ? "int before = count;\n    count = before + 1;" : "count++;");
    printf("static int down(int levels)\n{\n    volatile int kept = levels;\n    if (levels)\n        return down(levels - 1) + kept;\n"
           "    add();\n    return 0;\n}\n\n");
    printf("static void run(int number, int twice)\n{\n    struct routine *own = current;\n    int kept = number * 3;\n    assert(twice == 2 * number);\n"
           "    for (int i = 0; i < ROUNDS; i++) {\n        own->at = i;\n        %s;\n        swapcontext(&own->inside, &own->outside);\n"
           "        assert(kept == number * 3 && own->at == i);\n    }\n%s}\n\n",
           deep ? "assert(down(2) == 3)" : "add()", jump ? "    longjmp(own->end, 5);\n" : "");
    printf("static void finish(struct routine *r)\n{\n    current = r;\n");
    if (jump)
        printf("    int answer = setjmp(r->end);\n    if (!answer)\n        swapcontext(&r->outside, &r->inside);\n    assert(answer == 5);\n");
    else
        printf("    swapcontext(&r->outside, &r->inside);\n");
    printf("}\n\nstatic void *thread(void *argument)\n{\n    struct routine *r = %s;\n",
           heap ? "malloc(ROUTINES * sizeof *r)" : "fixed[(long)argument]");
    printf("    for (int i = 0; i < ROUTINES; i++) {\n        getcontext(&r[i].inside);\n        r[i].inside.uc_stack.ss_sp = r[i].stack;\n"
           "        r[i].inside.uc_stack.ss_size = STACK;\n        r[i].inside.uc_link = %s;\n"
           "        makecontext(&r[i].inside, (void (*)(void))run, 2, i, 2 * i);\n    }\n",
           link ? "&r[i].outside" : "0");
    printf("    for (int k = 0; k < ROUNDS; k++)\n        for (int i = 0; i < ROUTINES; i++) {\n            current = &r[i];\n"
           "            swapcontext(&r[i].outside, &r[i].inside);\n        }\n");
    printf("    for (int i = 0; i < ROUTINES; i++)\n        finish(&r[i]);\n%s    return argument;\n}\n\n", heap ? "    free(r);\n" : "");
    printf("int main(void)\n{\n    pthread_t t[THREADS];\n    for (long i = 0; i < THREADS; i++)\n        pthread_create(&t[i], 0, thread, (void *)i);\n"
           "    for (int i = 0; i < THREADS; i++)\n        pthread_join(t[i], 0);\n    assert(count == THREADS * ROUTINES * ROUNDS);\n    return 0;\n}\n");
    return 0;
}
