// Memory that one thread gives back while another may still use it, and words that race, under --races explore: what a race
// leads to is found in any order. The pointer is handed over under a lock, before the last use of the block (wrong) or after
// it (right); or one of many racing words decides an assertion, for a value that can be read (wrong) or never is (right).
#include "draw.h"

static const char head[] = "#include <assert.h>\n#include <heddle/heddle.h>\n#include <pthread.h>\n#include <stdlib.h>\n"
                           "#include <sys/mman.h>\n\n";

static const char foot[] = "int main(void)\n{\n    pthread_t a, b;\n    pthread_create(&a, 0, first, 0);\n"
                           "    pthread_create(&b, 0, second, 0);\n    pthread_join(a, 0);\n    pthread_join(b, 0);\n"
                           "    return 0;\n}\n";

static void given_back(void)
{
    static const struct {
        const char *kind, *make, *end;
    } ways[] = {
        {"use-after-free", "malloc(64)", "free(block)"},
        {"use-after-free", "calloc(16, 4)", "free(realloc(block, 1 << 14))"},
        {"use-after-unmap", "mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)", "munmap(block, 4096)"},
    };
    unsigned way = draw(3), wrong = draw(2), word = draw(16), before = draw(3);
    if (wrong)
        printf("// expect: bug %s options: --races explore\n%s", ways[way].kind, head);
    else
        printf("// expect: verified options: --races explore\n%s", head);
    printf("static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic int *shared;\n\n"
           "static void *first(void *n)\n{\n    int *block = %s;\n", ways[way].make);
    for (unsigned i = 0; i < before; i++)
        printf("    block[%u] = %u;\n", draw(16), i);
    if (!wrong)
        printf("    block[%u] = 1;\n", word);
    printf("    pthread_mutex_lock(&m);\n    shared = block;\n    pthread_mutex_unlock(&m);\n");
    if (wrong)
        printf("    block[%u] = 1;\n", word);
    printf("    return n;\n}\n\nstatic void *second(void *n)\n{\n    pthread_mutex_lock(&m);\n    int *block = shared;\n"
           "    pthread_mutex_unlock(&m);\n    if (block)\n        %s;\n    return n;\n}\n\n%s", ways[way].end, foot);
}

static void many_words(void)
{
    unsigned words = 2 + draw(12), which = draw(words), value = 1 + draw(3), wrong = draw(2);
    printf("// expect: bug %s options: --races explore\n%s", wrong ? "assertion" : "race", head);
    printf("long words[%u];\n\nstatic void *first(void *n)\n{\n    for (int i = 0; i < %u; i++)\n        words[i] = %u;\n"
           "    return n;\n}\n\n", words, words, value);
    printf("static void *second(void *n)\n{\n    int k = heddle_choose(%u);\n    long v = words[k];\n"
           "    assert(!(k == %u && v == %u));\n    return n;\n}\n\n%s", words, which, wrong ? draw(2) * value : value + 1, foot);
}

int main(int argc, char **argv)
{
    draw_begin(argc, argv);
    if (draw(2))
        given_back();
    else
        many_words();
    return 0;
}
