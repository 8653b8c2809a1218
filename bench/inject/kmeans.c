// k-means: each round, threads assign their points to the nearest centre; main moves the centres.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { POINTS = 128, CENTRES = 4, THREADS = 8, ROUNDS = 8 };

struct share {
    const int (*points)[2];
    const int (*centres)[2];
    int *nearest;
    int from, until;
};

static void *assign(void *argument)
{
    struct share *s = argument;
    for (int i = s->from; i < s->until; i++) {
        int best = 0;
        long least = -1;
        for (int k = 0; k < CENTRES; k++) {
            long x = s->points[i][0] - s->centres[k][0], y = s->points[i][1] - s->centres[k][1], far = x * x + y * y;
            if (least < 0 || far < least) {
                least = far;
                best = k;
            }
        }
        s->nearest[i] = best;
    }
    return NULL;
}

static void run_round(const int (*points)[2], const int (*centres)[2], int *nearest)
{
    pthread_t threads[THREADS];
    struct share shares[THREADS];
    for (int i = 0; i < THREADS; i++) {
        shares[i] = (struct share){points, centres, nearest, i * POINTS / THREADS, (i + 1) * POINTS / THREADS};
        if (pthread_create(&threads[i], NULL, assign, &shares[i]))
            exit(3);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void move(const int (*points)[2], int (*centres)[2], const int *nearest)
{
    for (int k = 0; k < CENTRES; k++) {
        long x = 0, y = 0, n = 0;
        for (int i = 0; i < POINTS; i++)
            if (nearest[i] == k) {
                x += points[i][0];
                y += points[i][1];
                n++;
            }
        if (n) {
            centres[k][0] = (int)(x / n);
            centres[k][1] = (int)(y / n);
        }
    }
}

int main(void)
{
    int(*points)[2] = calloc(POINTS, sizeof *points), *nearest = calloc(POINTS, sizeof *nearest);
    int(*centres)[2] = calloc(CENTRES, sizeof *centres);
    if (!points || !nearest || !centres) {
        fprintf(stderr, "no memory\n");
        return 2;
    }
    unsigned state = 7;
    for (int i = 0; i < POINTS; i++)
        for (int d = 0; d < 2; d++)
            points[i][d] = (int)((state = state * 1103515245u + 12345u) >> 16 & 1023);
    for (int k = 0; k < CENTRES; k++)
        for (int d = 0; d < 2; d++)
            centres[k][d] = points[k * 7][d];
    for (int round = 0; round < ROUNDS; round++) {
        run_round((const int(*)[2])points, (const int(*)[2])centres, nearest);
        move((const int(*)[2])points, centres, nearest);
    }
    for (int k = 0; k < CENTRES; k++)
        printf("%d %d\n", centres[k][0], centres[k][1]);
    free(points);
    free(nearest);
    free(centres);
    return 0;
}
