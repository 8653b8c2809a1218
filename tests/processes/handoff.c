// wrong: assertion. Values go from one process to another by semaphores; each has its own copy of the heap.
#include "share.h"

static struct box {
    sem_t full, empty;
    atomic_int value;
} * box;
static int global = 3;

static void receive(char *text)
{
    for (int i = 0; i < 2; i++) {
        sem_wait(&box->full);
        assert(box->value == i);
        sem_post(&box->empty);
    }
    assert(!strcmp(text, "both"));
    strcpy(text, "mine");
    global = 4;
    free(text);
    text = malloc(20);
    strcpy(text, "new");
    printf("%s %d\n", text, global);
    free(text);
    exit(0);
}

int main(void)
{
    char *text = malloc(10);
    int status;
    pid_t ended;
    strcpy(text, "both");
    box = share(sizeof *box);
    sem_init(&box->full, 1, 0);
    sem_init(&box->empty, 1, 1 + WRONG);
    pid_t child = fork();
    if (!child)
        receive(text);
    for (int i = 0; i < 2; i++) {
        sem_wait(&box->empty);
        box->value = i;
        sem_post(&box->full);
    }
    assert(!strcmp(text, "both"));
    while (!(ended = waitpid(child, &status, WNOHANG)))
        sched_yield();
    assert(ended == child && status == 0 && global == 3 && !strcmp(text, "both"));
    free(text);
}
