// The first steps of principal components: means of rows, then the covariance matrix, rows shared out among threads.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 16, COLUMNS = 24, THREADS = 8 };

static int *matrix, *means, *covariance;

struct share {
    int from, until;
};

static void *sum_rows(void *argument)
{
    struct share *s = argument;
    for (int i = s->from; i < s->until; i++) {
        int sum = 0;
        for (int k = 0; k < COLUMNS; k++)
            sum += matrix[i * COLUMNS + k];
        means[i] = sum / COLUMNS;
    }
    return NULL;
}

static void *combine_rows(void *argument)
{
    struct share *s = argument;
    for (int i = s->from; i < s->until; i++)
        for (int j = i; j < ROWS; j++) {
            int sum = 0;
            for (int k = 0; k < COLUMNS; k++)
                sum += (matrix[i * COLUMNS + k] - means[i]) * (matrix[j * COLUMNS + k] - means[j]);
            covariance[i * ROWS + j] = sum / (COLUMNS - 1);
        }
    return NULL;
}

static void share_out(void *(*work)(void *))
{
    pthread_t threads[THREADS];
    struct share shares[THREADS];
    for (int i = 0; i < THREADS; i++) {
        shares[i] = (struct share){i * ROWS / THREADS, (i + 1) * ROWS / THREADS};
        if (pthread_create(&threads[i], NULL, work, &shares[i]))
            exit(3);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

int main(void)
{
    matrix = malloc(ROWS * COLUMNS * sizeof *matrix);
    means = malloc(ROWS * sizeof *means);
    covariance = calloc(ROWS * ROWS, sizeof *covariance);
    if (!matrix || !means || !covariance) {
        fprintf(stderr, "no memory\n");
        return 2;
    }
    unsigned state = 99;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        matrix[i] = (int)((state = state * 1103515245u + 12345u) >> 20 & 255);
    share_out(sum_rows);
    share_out(combine_rows);
    for (int i = 0; i < ROWS; i++)
        printf("%d %d\n", means[i], covariance[i * ROWS + ROWS - 1]);
    free(matrix);
    free(means);
    free(covariance);
    return 0;
}
