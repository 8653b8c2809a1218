// Random sequences: threads draw from them and seed them, in any order. What they may have drawn in the end is found by trying
// all orders with the C library itself; the program claims either what one order gives, or what none gives.
#include <stdbool.h>
#include <string.h>

#include "draw.h"

enum { THREADS = 3, MOST_STEPS = 4 };

enum kind { RAND, RANDOM, LRAND, MRAND, SRAND, SRAND48, RAND_R, NRAND, KINDS };

struct step {
    enum kind kind;
    unsigned seed;
};

struct results {
    long drawn[THREADS][MOST_STEPS];
};

enum { MOST = 2000 };

static struct step steps[THREADS][MOST_STEPS];
static int counts[THREADS], threads;
static struct results all[MOST];
static int all_count;

static long apply(const struct step *a)
{
    unsigned seed = a->seed;
    unsigned short numbers[3] = {(unsigned short)seed, 1, 2};
    switch (a->kind) {
    case RAND:
        return rand();
    case RANDOM:
        return random();
    case LRAND:
        return lrand48();
    case MRAND:
        return mrand48();
    case SRAND:
        srand(seed);
        return 0;
    case SRAND48:
        srand48(seed);
        return 0;
    case RAND_R:
        return rand_r(&seed);
    default:
        return nrand48(numbers);
    }
}

static void begin(void)
{
    srand(1);
    srand48(1);
}

// All orders; each is run from the beginning, since the library's state cannot be copied.
static void explore(const int *order, int length, int total)
{
    int at[THREADS] = {0};
    for (int i = 0; i < length; i++)
        at[order[i]]++;
    if (length == total) {
        struct results r;
        int then[THREADS] = {0};
        memset(&r, 0, sizeof r);
        begin();
        for (int i = 0; i < total; i++) {
            int t = order[i];
            r.drawn[t][then[t]] = apply(&steps[t][then[t]]);
            then[t]++;
        }
        if (all_count < MOST)
            all[all_count++] = r;
        return;
    }
    int next[THREADS * MOST_STEPS];
    memcpy(next, order, (size_t)length * sizeof *order);
    for (int t = 0; t < threads; t++)
        if (at[t] < counts[t]) {
            next[length] = t;
            explore(next, length + 1, total);
        }
}

static void print_step(const struct step *a, int t, int i)
{
    printf("    ");
    switch (a->kind) {
    case RAND:
        printf("drawn[%d][%d] = rand();\n", t, i);
        break;
    case RANDOM:
        printf("drawn[%d][%d] = random();\n", t, i);
        break;
    case LRAND:
        printf("drawn[%d][%d] = lrand48();\n", t, i);
        break;
    case MRAND:
        printf("drawn[%d][%d] = mrand48();\n", t, i);
        break;
    case SRAND:
        printf("%s(%u);\n", t % 2 ? "srandom" : "srand", a->seed);
        break;
    case SRAND48:
        printf("srand48(%u);\n", a->seed);
        break;
    case RAND_R:
        printf("drawn[%d][%d] = rand_r(&(unsigned){%u});\n", t, i, a->seed);
        break;
    default:
        printf("drawn[%d][%d] = nrand48((unsigned short[]){%u, 1, 2});\n", t, i, a->seed);
        break;
    }
}

int main(int argc, char **argv)
{
    int total = 0, none[1] = {0};
    draw_begin(argc, argv);
    threads = 2 + (draw(3) == 0);
    for (int t = 0; t < threads; t++) {
        counts[t] = 1 + (int)draw(threads == 2 ? 3 : 2);
        total += counts[t];
        for (int i = 0; i < counts[t]; i++)
            steps[t][i] = (struct step){(enum kind)draw(KINDS), 1 + draw(3)};
    }
    explore(none, 0, total);
    struct results claim = all[draw((unsigned)all_count)];
    bool denied = draw(2); // that this is what was drawn; otherwise that it is
    bool some_same = false, some_other = false;
    for (int i = 0; i < all_count; i++)
        *(memcmp(&all[i], &claim, sizeof claim) ? &some_other : &some_same) = true;
    printf("// expect: %s\n", (denied ? some_same : some_other) ? "bug assertion" : "verified");
    puts("#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n");
    printf("static long drawn[%d][%d];\n\n", THREADS, MOST_STEPS);
    for (int t = 0; t < threads; t++) {
        printf("static void *thread_%d(void *none)\n{\n", t);
        for (int i = 0; i < counts[t]; i++)
            print_step(&steps[t][i], t, i);
        puts("    return none;\n}\n");
    }
    puts("int main(void)\n{");
    printf("    pthread_t thread[%d];\n    int same = 1;\n", threads);
    if (draw(2)) // a process begins with these
        puts("    srand(1);\n    srand48(1);");
    else
        puts("    srand48(1);");
    for (int t = 0; t < threads; t++)
        printf("    pthread_create(&thread[%d], 0, thread_%d, 0);\n", t, t);
    for (int t = 0; t < threads; t++)
        printf("    pthread_join(thread[%d], 0);\n", t);
    for (int t = 0; t < threads; t++)
        for (int i = 0; i < counts[t]; i++)
            printf("    same &= drawn[%d][%d] == %ld;\n", t, i, claim.drawn[t][i]);
    printf("    assert(%ssame);\n}\n", denied ? "!" : "");
}
