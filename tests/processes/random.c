// Two actors, threads or processes, do with shared variables what a seed says, and what they saw is printed. Whichever they are,
// the same has to come out.
#include "share.h"

static struct world {
    pthread_mutex_t lock;
    atomic_int x, y;
    int plain, seen[2];
} * world;
static unsigned seed;

static unsigned draw(unsigned *state, unsigned n)
{
    *state = *state * 1103515245u + 12345u;
    return (*state >> 16) % n;
}

static int step(unsigned what, int who, atomic_int *v)
{
    int zero = 0;
    switch (what) {
    case 0:
        atomic_store(v, 1 + who);
        return 0;
    case 1:
        return atomic_load(v);
    case 2:
        return atomic_fetch_add(v, 1);
    case 3:
        return atomic_compare_exchange_strong(v, &zero, 5);
    case 4:
        pthread_mutex_lock(&world->lock);
        world->plain = world->plain * 3 + who + 1;
        pthread_mutex_unlock(&world->lock);
        return 0;
    default:
        if (atomic_load(v))
            atomic_fetch_add(&world->y, 2);
        return 0;
    }
}

static void act(int who)
{
    unsigned state = seed * 2654435761u + (unsigned)who * 40503u;
    int seen = 0;
    for (int i = 0; i < 3; i++) {
        atomic_int *v = draw(&state, 2) ? &world->x : &world->y;
        seen = seen * 7 + step(draw(&state, 6), who, v);
    }
    world->seen[who] = seen;
}

static void *run(void *who)
{
    act((int)(long)who);
    return NULL;
}

static void with_threads(void)
{
    pthread_t threads[2];
    for (long i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, run, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

static void with_processes(void)
{
    pid_t children[2];
    for (int i = 0; i < 2; i++) {
        children[i] = fork();
        if (!children[i]) {
            act(i);
            _exit(0);
        }
    }
    for (int i = 0; i < 2; i++)
        waitpid(WAIT_ANY_ONE ? -1 : children[i], NULL, 0);
}

int main(int argc, char **argv)
{
    seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    world = share(sizeof *world);
    share_mutex(&world->lock, 0);
    if (THREADS)
        with_threads();
    else
        with_processes();
    printf("x %d y %d plain %d seen %d %d\n", atomic_load(&world->x), atomic_load(&world->y), world->plain,
           world->seen[0], world->seen[1]);
}
