// Each function makes something else of an allocation that fails; the last two run in threads.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *volatile kept; // or compilers would do without the memory

static int crashes(void)
{
    int *p = malloc(sizeof *p);
    kept = p;
    *(volatile int *)p = 1;
    free(p);
    return 1;
}

static int hangs(void)
{
    int *p = malloc(sizeof *p);
    kept = p;
    while (!p)
        pause();
    free(p);
    return 2;
}

static int corrupts(void)
{
    int *p = calloc(1, sizeof *p);
    int value = p ? 3 : 4;
    kept = p;
    free(p);
    return value;
}

static void *reports(void *unused)
{
    char *p = strdup("text");
    if (!p) {
        fprintf(stderr, "no memory\n");
        exit(9);
    }
    kept = p;
    free(p);
    return unused;
}

static void *goes_on(void *unused)
{
    char small[8], *p = malloc(8), *text = p ? p : small;
    strcpy(text, "text");
    kept = p;
    free(p);
    return unused;
}

int main(void)
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, reports, NULL);
    pthread_create(&t[1], NULL, goes_on, NULL);
    int sum = crashes() + hangs() + corrupts();
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    printf("%d\n", sum);
    return 0;
}
