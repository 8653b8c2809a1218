// fork among threads: the new process has a copy of all memory, and answers with what it finds there. What it may find is known
// from trying all orders of the threads' steps and all moments of the fork; the program claims that one answer does not come.
#include <stdbool.h>
#include <string.h>

#include "draw.h"

enum { THREADS = 2, MOST_STEPS = 3, VARIABLES = 3, VALUES = 4 };

enum kind { STORE, ADD, COPY, LOCK, UNLOCK, KINDS };

struct step {
    enum kind kind;
    int variable, value;
};

static struct step steps[THREADS + 1][MOST_STEPS + 1]; // the last is main, before it forks
static int counts[THREADS + 1], threads;
static bool answers[256];

struct world {
    int variable[VARIABLES];
    int holder; // thread + 1
};

static int answer(const struct world *w)
{
    return w->variable[0] | w->variable[1] << 2 | w->variable[2] << 4 | (w->holder != 0) << 6;
}

static bool apply(struct world *w, const struct step *a, int thread)
{
    int *v = &w->variable[a->variable];
    switch (a->kind) {
    case STORE:
        *v = a->value;
        return true;
    case ADD:
        *v = (*v + a->value) % VALUES;
        return true;
    case COPY:
        *v = w->variable[(a->variable + 1) % VARIABLES];
        return true;
    case LOCK:
        if (w->holder)
            return false;
        w->holder = thread + 1;
        return true;
    default:
        w->holder = 0;
        return true;
    }
}

static void explore(struct world w, const int *at)
{
    if (at[threads] == counts[threads])
        answers[answer(&w)] = true;
    for (int t = 0; t <= threads; t++) {
        struct world next = w;
        int then[THREADS + 1];
        memcpy(then, at, sizeof then);
        if (at[t] < counts[t] && apply(&next, &steps[t][then[t]++], t))
            explore(next, then);
    }
}

static void print_step(const struct step *a)
{
    int v = a->variable;
    switch (a->kind) {
    case STORE:
        printf("    atomic_store(&v[%d], %d);\n", v, a->value);
        break;
    case ADD: // as one step
        printf("    for (int old = 0; !atomic_compare_exchange_strong(&v[%d], &old, (old + %d) %% %d);)\n        ;\n",
               v, a->value, VALUES);
        break;
    case COPY:
        printf("    v[%d] = v[%d];\n", v, (v + 1) % VARIABLES);
        break;
    case LOCK:
        puts("    pthread_mutex_lock(&lock);");
        break;
    default:
        puts("    pthread_mutex_unlock(&lock);");
        break;
    }
}

static void draw_steps(int t)
{
    bool locked = false;
    counts[t] = t < threads ? 1 + (int)draw(threads == 1 ? 3 : 1) : (int)draw(2);
    for (int i = 0; i < counts[t]; i++) {
        steps[t][i] = (struct step){(enum kind)draw(LOCK), (int)draw(VARIABLES), 1 + (int)draw(VALUES - 1)};
        if (steps[t][i].kind == COPY) // two steps: not one
            steps[t][i].kind = STORE;
        if (!locked && draw(4) == 0)
            steps[t][i].kind = LOCK, locked = true;
    }
    if (locked)
        steps[t][counts[t]++] = (struct step){UNLOCK, 0, 0};
}

int main(int argc, char **argv)
{
    int at[THREADS + 1] = {0};
    draw_begin(argc, argv);
    threads = 1 + (draw(3) == 0);
    for (int t = 0; t <= threads; t++)
        draw_steps(t);
    explore((struct world){0}, at);
    bool wanted = draw(2);
    int claim = (int)draw(128);
    while (answers[claim] != wanted)
        claim = (claim + 1) % 128;
    printf("// expect: %s\n", answers[claim] ? "bug assertion" : "verified");
    puts("#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <sys/wait.h>\n#include "
         "<unistd.h>\n");
    printf("static atomic_int v[%d];\nstatic pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n\n", VARIABLES);
    for (int t = 0; t < threads; t++) {
        printf("static void *thread_%d(void *none)\n{\n", t);
        for (int i = 0; i < counts[t]; i++)
            print_step(&steps[t][i]);
        puts("    return none;\n}\n");
    }
    printf("int main(void)\n{\n    pthread_t thread[%d];\n    int status;\n", threads);
    for (int t = 0; t < threads; t++)
        printf("    pthread_create(&thread[%d], 0, thread_%d, 0);\n", t, t);
    for (int i = 0; i < counts[threads]; i++)
        print_step(&steps[threads][i]);
    puts("    pid_t child = fork();\n    if (child == 0)\n        _exit(v[0] | v[1] << 2 | v[2] << 4 | "
         "(pthread_mutex_trylock(&lock) != 0) << 6);\n"
         "    waitpid(child, &status, 0);");
    printf("    assert(WEXITSTATUS(status) != %d);\n", claim);
    for (int t = 0; t < threads; t++)
        printf("    pthread_join(thread[%d], 0);\n", t);
    puts("}");
}
