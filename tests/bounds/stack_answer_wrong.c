// expect: bug use-after-return options: --memory-errors
// An answer is put into a variable of the function that waits for it, which may return before that.
#include <pthread.h>
#include <semaphore.h>

struct question {
    sem_t answered;
    long answer[4];
};

static pthread_t thread;

static void *answer(void *argument)
{
    struct question *question = argument;
    sem_post(&question->answered);
    question->answer[0] = 5;
    return 0;
}

__attribute__((noinline)) static long ask(void)
{
    struct question question = {0};
    sem_init(&question.answered, 0, 0);
    pthread_create(&thread, 0, answer, &question);
    sem_wait(&question.answered);
    return 0;
}

int main(void)
{
    long result = ask();
    pthread_join(thread, 0);
    return result == 1000;
}
