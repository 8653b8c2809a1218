// Many threads one after the other beside one that lives on, and more at a time than heddle follows. The wrong programs lose
// a count, or share a variable without a lock.
#include "draw.h"

#include <stdbool.h>

int main(int argc, char **argv)
{
    draw_begin(argc, argv);
    unsigned threads = 20 + draw(300), at_once = 1 + draw(3), way = draw(3);
    bool bug = draw(2), crowd = draw(6) == 0;
    if (crowd)
        threads = at_once = 260 + draw(100);
    threads = threads / at_once * at_once;
    const char *add = !bug ? "pthread_mutex_lock(&mutex);\n    count++;\n    pthread_mutex_unlock(&mutex);"
                      : way == 0 ? "int before = racy;\n    racy = before + 1;\n    pthread_mutex_lock(&mutex);\n    count++;\n    pthread_mutex_unlock(&mutex);"
                                 : "pthread_mutex_lock(&mutex);\n    int before = count;\n    pthread_mutex_unlock(&mutex);\n"
                                   "    pthread_mutex_lock(&mutex);\n    count = before + 1;\n    pthread_mutex_unlock(&mutex);";
    printf("// expect: %s options: --time 20 --restart %s\n", bug ? "wrong" : "right", draw_of("auto", "auto", "replay"));
    printf("#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n\nenum { THREADS = %u, AT_ONCE = %u };\n\n", threads, at_once);
    printf("static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;\nstatic int count, racy;\nstatic __thread int own;\n\n");
    printf("static void add(void)\n{\n    %s\n}\n\n", add);
    printf("static void *one(void *argument)\n{\n    int *p = malloc(sizeof *p);\n    assert(own == 0);\n    *p = own = 1;\n    add();\n    free(p);\n    return argument;\n}\n\n");
    printf("static void *beside(void *argument)\n{\n    add();\n    return argument;\n}\n\n");
    printf("int main(void)\n{\n    pthread_t t[AT_ONCE], u;\n    pthread_create(&u, 0, beside, 0);\n    for (long i = 0; i < THREADS; i += AT_ONCE) {\n"
           "        for (int k = 0; k < AT_ONCE; k++)\n            pthread_create(&t[k], 0, one, (void *)(i + k));\n"
           "        for (int k = 0; k < AT_ONCE; k++) {\n            void *answer;\n            pthread_join(t[k], &answer);\n"
           "            assert(answer == (void *)(i + k));\n        }\n    }\n    pthread_join(u, 0);\n    assert(count == THREADS + 1);\n    (void)racy;\n    return 0;\n}\n");
    return 0;
}
