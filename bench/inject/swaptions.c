// Prices of swaptions by simulated paths of the interest rate, three threads, each with its own generator of random numbers.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { SWAPTIONS = 6, THREADS = 3, PATHS = 24, STEPS = 16 };

struct swaption {
    double strike, start, result;
    unsigned seed;
};

static struct swaption *swaptions;

static double draw(unsigned *state)
{
    double sum = 0;
    for (int i = 0; i < 12; i++) {
        *state = *state * 1103515245u + 12345u;
        sum += (double)(*state >> 8 & 0xffff) / 65536;
    }
    return sum - 6;
}

static double simulate(const struct swaption *s, unsigned *state, double *path)
{
    path[0] = s->start;
    for (int i = 1; i < STEPS; i++)
        path[i] = path[i - 1] + 0.1 * (0.05 - path[i - 1]) + 0.01 * draw(state);
    double swap = 0, discount = 1;
    for (int i = 1; i < STEPS; i++) {
        discount /= 1 + path[i] / STEPS;
        swap += discount * (path[i] - s->strike) / STEPS;
    }
    return swap > 0 ? swap : 0;
}

static void *work(void *argument)
{
    long number = (long)argument;
    double *path = malloc(STEPS * sizeof *path);
    if (!path)
        return (void *)1;
    for (long i = number; i < SWAPTIONS; i += THREADS) {
        double sum = 0;
        unsigned state = swaptions[i].seed;
        for (int k = 0; k < PATHS; k++)
            sum += simulate(&swaptions[i], &state, path);
        swaptions[i].result = sum / PATHS;
    }
    free(path);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    char line[512];
    int failed = 0;
    swaptions = calloc(SWAPTIONS, sizeof *swaptions);
    if (!swaptions) {
        fprintf(stderr, "no memory\n");
        return 2;
    }
    for (int i = 0; i < SWAPTIONS; i++)
        swaptions[i] = (struct swaption){0.04 + 0.002 * i, 0.05, 0, 17u * (unsigned)i + 3};
    for (long i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, work, (void *)i))
            return 3;
    for (int i = 0; i < THREADS; i++) {
        void *result;
        pthread_join(threads[i], &result);
        failed |= result != NULL;
    }
    for (int i = 0; i < SWAPTIONS; i++)
        fwrite(line, 1, (size_t)snprintf(line, sizeof line, "%.8f\n", swaptions[i].result), stdout);
    free(swaptions);
    if (failed)
        fprintf(stderr, "no memory for some\n");
    return failed ? 4 : 0;
}
